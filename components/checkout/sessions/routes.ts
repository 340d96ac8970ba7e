import { restOf } from '@steward/access';
import type { Guard, Route } from '@steward/contract';
import type { Admitted } from '@steward/identity';
import { listCheckouts } from './list.ts';
import { readCheckout } from './read.ts';

export function checkoutRoutes(guard: Guard<Admitted>): Route[] {
  const rest = restOf({ guard, tag: 'Checkouts' });
  return [
    rest('GET', '/api/checkouts', listCheckouts, {
      summary: 'List checkouts',
      answers: { 200: 'A page of checkouts of buyers, newest first.' },
    }),
    rest('GET', '/api/checkouts/:checkoutId', readCheckout, {
      summary: 'Read a checkout',
      answers: { 200: 'The checkout as its buyer last saw it.' },
    }),
  ];
}
