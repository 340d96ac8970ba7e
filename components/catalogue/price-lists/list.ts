import { operation } from '@steward/access';
import { pageOf } from '@steward/contract';
import { afterAllIds, page } from '@steward/sql';
import { z } from 'zod';
import { paging, reads } from '../operations.ts';
import { priceList, selectPriceLists } from './price-list.ts';

/** A page of price lists, newest first; those that have not ended, or all. */
export const listPriceLists = operation(
  {
    ...reads,
    name: 'service_list_price_lists',
    input: z.strictObject({
      ended: z.boolean().default(false).meta({ description: 'true: ended ones too.' }),
      ...paging,
    }),
    answer: pageOf(priceList.answer),
    errors: ['insufficient_role'],
  },
  async ({ context, read }, { ended, limit, cursor = afterAllIds }) => {
    const rows = await read(
      selectPriceLists(
        `l.price_list_id < $2::uuid and ($3 or l.ends_at is null or l.ends_at > statement_timestamp())
         order by l.price_list_id desc limit $4::int`,
        context.tenant,
        cursor,
        ended,
        limit + 1,
      ),
    );
    return page(rows, limit, priceList.read, ({ id }) => id);
  },
);
