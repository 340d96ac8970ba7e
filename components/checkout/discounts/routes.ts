import { restOf } from '@steward/access';
import type { Guard, Route } from '@steward/contract';
import type { Admitted } from '@steward/identity';
import type { CheckoutDeps } from '../deps.ts';
import { archiveDiscount } from './archive.ts';
import { createDiscount } from './create.ts';
import { getDiscount } from './get.ts';
import { listDiscounts } from './list.ts';
import { updateDiscount } from './update.ts';

const one = { 200: 'The discount.' };

export function discountRoutes(guard: Guard<Admitted>, ports: CheckoutDeps): Route[] {
  const rest = restOf({ guard, tag: 'Discounts', ports });
  return [
    rest('GET', '/api/discounts', listDiscounts, {
      summary: 'List discounts',
      answers: { 200: 'A page of discounts, newest first.' },
    }),
    rest('POST', '/api/discounts', createDiscount, {
      summary: 'Add a discount',
      description: 'Codes are compared without case. Discounts do not combine unless both say so.',
      answers: { 201: 'The discount.' },
    }),
    rest('GET', '/api/discounts/:discountId', getDiscount, { summary: 'Read a discount', answers: one }),
    rest('PATCH', '/api/discounts/:discountId', updateDiscount, {
      summary: 'Change a discount',
      description: 'Members that are not given stay as they are. The kind never changes.',
      answers: one,
    }),
    rest('POST', '/api/discounts/:discountId/archive', archiveDiscount, {
      summary: 'Archive a discount',
      answers: one,
    }),
  ];
}
