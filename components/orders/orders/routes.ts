import { restOf } from '@steward/access';
import type { Guard, Route } from '@steward/contract';
import type { Admitted } from '@steward/identity';
import { fulfilOrder } from '../fulfilments/fulfil.ts';
import { updateFulfilment } from '../fulfilments/update.ts';
import type { OrdersPorts } from '../ports.ts';
import { cancelOrder } from './cancel.ts';
import { countOrders } from './count.ts';
import { getOrder } from './get.ts';
import { listOrders } from './list.ts';
import { updateOrder } from './update.ts';

const one = { 200: 'The order.' };

export function orderRoutes(guard: Guard<Admitted>, ports: OrdersPorts): Route[] {
  const rest = restOf({ guard, tag: 'Orders', ports });
  return [
    rest('GET', '/api/orders', listOrders, {
      summary: 'List orders',
      answers: { 200: 'A page of orders, newest first.' },
    }),
    rest('GET', '/api/order-counts', countOrders, {
      does: 'service_list_orders',
      summary: 'How many orders were placed, by day',
      description: 'Days of UTC, by currency; those without orders are left out.',
      answers: { 200: 'The days of the period.' },
    }),
    rest('GET', '/api/orders/:orderId', getOrder, { summary: 'Read an order', answers: one }),
    rest('PATCH', '/api/orders/:orderId', updateOrder, {
      summary: 'Note or tag an order',
      description: 'Members that are not given stay as they are. What was bought never changes.',
      answers: one,
    }),
    rest('POST', '/api/orders/:orderId/fulfilments', fulfilOrder, {
      summary: 'Fulfil an order',
      description: 'All lines are sent, or none. A `reference` that was given before sends nothing again.',
      answers: one,
    }),
    rest('PATCH', '/api/fulfilments/:fulfilmentId', updateFulfilment, { summary: 'Change tracking', answers: one }),
    rest('POST', '/api/orders/:orderId/cancel', cancelOrder, {
      summary: 'Cancel an order',
      description: 'Nothing of it may have left, and what was paid is refunded first.',
      answers: one,
    }),
  ];
}
