import { operation } from '@steward/access';
import { line, pageOf } from '@steward/contract';
import { afterAllIds, page } from '@steward/sql';
import { z } from 'zod';
import { listing, reads } from '../operations.ts';
import { codeKey, discount, selectDiscounts } from './discount.ts';

/** A page of discounts, newest first; those in use, or all. */
export const listDiscounts = operation(
  {
    ...reads,
    name: 'service_list_discounts',
    input: z.strictObject({
      ...listing,
      query: line(64).optional().meta({ description: 'Words in the name or the code, in any case.' }),
    }),
    answer: pageOf(discount.answer),
  },
  async ({ context, read }, { limit, cursor = afterAllIds, archived, query }) => {
    const rows = await read(
      selectDiscounts(
        `d.discount_id < $2::uuid and ($3 or d.archived_at is null)
           and ($4::text is null or position($4 in d.code_key) > 0 or position($4 in lower(d.name)) > 0)
         order by d.discount_id desc limit $5::int`,
        context.tenant,
        cursor,
        archived,
        query === undefined ? null : codeKey(query),
        limit + 1,
      ),
    );
    return page(rows, limit, discount.read, ({ id }) => id);
  },
);
