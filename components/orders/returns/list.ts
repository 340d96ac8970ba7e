import { operation } from '@steward/access';
import { pageOf } from '@steward/contract';
import { afterAllIds, page } from '@steward/sql';
import { z } from 'zod';
import { paging, reads } from '../operations.ts';
import { expectOrder } from '../orders/order.ts';
import { modes } from '../words.ts';
import { byReturn, goodsReturn, noReturn, selectReturns } from './return.ts';
import { returnStates } from './words.ts';

/** @throws Problem `not_found` (404) */
export const getReturn = operation(
  {
    ...reads,
    name: 'service_get_return',
    input: z.strictObject(byReturn),
    answer: goodsReturn.answer,
    errors: ['not_found'],
  },
  async ({ context, read }, { returnId }) => {
    const [row] = await read(selectReturns('r.return_id = $2::uuid', context.tenant, returnId));
    if (row === undefined) throw noReturn();
    return goodsReturn.read(row);
  },
);

/** What was received is open until it is paid back; an order that is cancelled, paid back whole or of which nothing need be paid any more owes nothing for it. */
const isOpen = `r.state in ('requested', 'approved')
  or r.state = 'received' and o.cancelled_at is null and o.payment_status not in ('refunded', 'voided')`;

/** Newest first. @throws Problem `not_found` (404) for an order that is not there */
export const listReturns = operation(
  {
    ...reads,
    name: 'service_list_returns',
    input: z.strictObject({
      ...paging,
      orderId: z.uuid().optional().meta({ description: 'Only of this order.' }),
      state: z.enum(returnStates).optional().meta({ description: 'Only in this state.' }),
      open: z.boolean().optional().meta({
        description:
          'true: of which something is to do: neither rejected nor refunded, nor received for an order that is cancelled, refunded whole or of which nothing need be paid any more.',
      }),
      mode: z.enum(modes).default('live').meta({ description: 'test: of orders of test keys.' }),
    }),
    answer: pageOf(goodsReturn.answer),
    errors: ['not_found'],
  },
  async (scope, { limit, cursor = afterAllIds, orderId, state, open, mode }) => {
    const { context, read } = scope;
    const values: unknown[] = [cursor, limit + 1, mode];
    const met = ['r.return_id < $2::uuid', 'r.mode = $4'];
    if (orderId !== undefined) met.push(`r.order_id = $${values.push(orderId) + 1}::uuid`);
    if (state !== undefined) met.push(`r.state = $${values.push(state) + 1}`);
    if (open !== undefined) met.push(`(${isOpen}) = $${values.push(open) + 1}::bool`);
    const rows = await read(
      selectReturns(`${met.join(' and ')} order by r.return_id desc limit $3::int`, context.tenant, ...values),
    );
    if (rows.length === 0 && orderId !== undefined) await expectOrder(scope, orderId);
    return page(rows, limit, goodsReturn.read, ({ id }) => id);
  },
);
