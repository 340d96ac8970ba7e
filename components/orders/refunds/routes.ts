import { restOf } from '@steward/access';
import type { Guard, Route } from '@steward/contract';
import type { Admitted } from '@steward/identity';
import { listRefunds } from './list.ts';
import { refundOrder } from './make.ts';

export function refundRoutes(guard: Guard<Admitted>): Route[] {
  const rest = restOf({ guard, tag: 'Refunds' });
  return [
    rest('GET', '/api/refunds', listRefunds, {
      summary: 'List refunds',
      answers: { 200: 'A page of refunds, newest first.' },
    }),
    rest('POST', '/api/orders/:orderId/refunds', refundOrder, {
      summary: 'Refund an order',
      description: 'Never more than was captured. The same `reference` again refunds nothing more.',
      answers: { 200: 'The refund.' },
    }),
  ];
}
