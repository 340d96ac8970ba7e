import { operation } from '@steward/access';
import { pageCursor, pageLimit, pageOf } from '@steward/contract';
import { beforeAllIds, page, statement } from '@steward/sql';
import { z } from 'zod';
import { reads } from '../operations.ts';
import { brand } from './brand.ts';

/** A page of brands in order of their making. */
export const listBrands = operation(
  {
    ...reads,
    name: 'service_list_brands',
    input: z.strictObject({
      limit: pageLimit,
      cursor: pageCursor(),
    }),
    answer: pageOf(brand.answer),
  },
  async (scope, { limit, cursor }) => {
    const rows = await scope.read(
      statement(
        `select ${brand.columns} from portal.brand b where archived_at is null and brand_id > $1::uuid order by brand_id limit $2::int`,
        [cursor ?? beforeAllIds, limit + 1],
      ),
    );
    return page(rows, limit, brand.read, ({ id }) => id);
  },
);
