import { restOf } from '@steward/access';
import type { Guard, Route } from '@steward/contract';
import type { Admitted } from '@steward/identity';
import type { BookPorts } from '../ports.ts';
import { carryOutOrderPosting } from './carry-out-one.ts';
import { reconcileOrders } from '../reports/reconcile.ts';
import { listOrderPostings } from './list.ts';

export function postingRoutes(guard: Guard<Admitted>, ports: BookPorts): Route[] {
  const rest = restOf({ guard, tag: 'Orders in the books', ports });
  return [
    rest('GET', '/api/order-postings', listOrderPostings, {
      summary: 'List what orders owe the books',
      description: 'With what became of it, and the reason of what waits.',
      answers: { 200: 'A page of postings.' },
    }),
    rest('GET', '/api/order-reconciliation', reconcileOrders, {
      summary: 'Reconcile orders with the books',
      answers: { 200: 'Sums by currency, and each order that differs; what goods cost.' },
    }),
    rest('POST', '/api/order-postings/:postingId/carry-out', carryOutOrderPosting, {
      summary: 'Put what an order owes into the books',
      answers: { 200: 'The posting, and what it did to the books.' },
    }),
  ];
}
