import { restOf } from '@steward/access';
import type { Guard, Route } from '@steward/contract';
import type { Admitted } from '@steward/identity';
import { countCheckouts } from './count.ts';
import { listCheckouts } from './list.ts';
import { readCheckout } from './read.ts';

export function checkoutRoutes(guard: Guard<Admitted>): Route[] {
  const rest = restOf({ guard, tag: 'Checkouts' });
  return [
    rest('GET', '/api/checkouts', listCheckouts, {
      summary: 'List checkouts',
      answers: { 200: 'A page of checkouts of buyers, newest first.' },
    }),
    rest('GET', '/api/checkout-counts', countCheckouts, {
      does: 'service_list_checkouts',
      summary: 'How many checkouts began and were completed, by day',
      description:
        'Days of UTC, of the last 30; those without a checkout are left out. `completed`: of those that began on the day.',
      answers: { 200: 'The days of the period.' },
    }),
    rest('GET', '/api/checkouts/:checkoutId', readCheckout, {
      summary: 'Read a checkout',
      answers: { 200: 'The checkout as its buyer last saw it.' },
    }),
  ];
}
