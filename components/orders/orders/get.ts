import { operation } from '@steward/access';
import { z } from 'zod';
import { reads } from '../operations.ts';
import { byOrder, noOrder, order, selectOrders } from './order.ts';

/** @throws Problem `not_found` (404) */
export const getOrder = operation(
  {
    ...reads,
    name: 'service_get_order',
    input: z.strictObject(byOrder),
    answer: order.answer,
    errors: ['not_found'],
  },
  async ({ context, read }, { orderId }) => {
    const [row] = await read(selectOrders(order.columns, 'o.order_id = $2::uuid', context.tenant, orderId));
    if (row === undefined) throw noOrder();
    return order.read(row);
  },
);
