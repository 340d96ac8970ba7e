import { operation } from '@steward/access';
import { pageCursor, pageLimit, pageOf } from '@steward/contract';
import { expectOrder } from '@steward/orders';
import { beforeAllIds, page } from '@steward/sql';
import { z } from 'zod';
import { reads } from '../operations.ts';
import { states } from '../words.ts';
import { posting, selectPostings } from './posting.ts';

/** In the order in which they became due. A cursor is the id of one. @throws Problem `not_found` (404) for an order that is not there */
export const listOrderPostings = operation(
  {
    ...reads,
    name: 'service_list_order_postings',
    input: z.strictObject({
      state: z.enum(states).optional().meta({ description: 'Only those of this state.' }),
      orderId: z.uuid().optional().meta({ description: 'Only those of this order.' }),
      limit: pageLimit,
      cursor: pageCursor(),
    }),
    answer: pageOf(posting.answer),
    errors: ['not_found'],
  },
  async (scope, { state, orderId, limit, cursor = beforeAllIds }) => {
    const { context, read } = scope;
    const rows = await read(
      selectPostings(
        `p.posting_id > $2::uuid and ($3::text is null or p.state = $3) and ($4::uuid is null or p.order_id = $4::uuid)
         order by p.posting_id limit $5::int`,
        context.tenant,
        cursor,
        state ?? null,
        orderId ?? null,
        limit + 1,
      ),
    );
    if (rows.length === 0 && orderId !== undefined) await expectOrder(scope, orderId);
    return page(rows, limit, posting.read, ({ id }) => id);
  },
);
