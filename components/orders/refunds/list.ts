import { operation } from '@steward/access';
import { pageOf } from '@steward/contract';
import { afterAllIds, page } from '@steward/sql';
import { z } from 'zod';
import { paging, reads } from '../operations.ts';
import { expectOrder } from '../orders/order.ts';
import { modes } from '../words.ts';
import { refund, selectRefunds } from './refund.ts';

/** Newest first. @throws Problem `not_found` (404) for an order that is not there */
export const listRefunds = operation(
  {
    ...reads,
    name: 'service_list_refunds',
    input: z.strictObject({
      ...paging,
      orderId: z.uuid().optional().meta({ description: 'Only of this order.' }),
      mode: z.enum(modes).default('live').meta({ description: 'test: of orders of test keys.' }),
    }),
    answer: pageOf(refund.answer),
    errors: ['not_found'],
  },
  async (scope, { limit, cursor = afterAllIds, orderId, mode }) => {
    const { context, read } = scope;
    const values: unknown[] = [cursor, limit + 1, mode];
    const met = ['f.refund_id < $2::uuid', 'f.mode = $4'];
    if (orderId !== undefined) met.push(`f.order_id = $${values.push(orderId) + 1}::uuid`);
    const rows = await read(
      selectRefunds(`${met.join(' and ')} order by f.refund_id desc limit $3::int`, context.tenant, ...values),
    );
    if (rows.length === 0 && orderId !== undefined) await expectOrder(scope, orderId);
    return page(rows, limit, refund.read, ({ id }) => id);
  },
);
