import { restOf } from '@steward/access';
import type { Guard, Route } from '@steward/contract';
import type { Admitted } from '@steward/identity';
import type { CheckoutDeps } from '../deps.ts';
import { archiveShippingOption } from './archive-option.ts';
import { archiveShippingZone } from './archive-zone.ts';
import { createShippingOption } from './create-option.ts';
import { createShippingZone } from './create-zone.ts';
import { listShippingOptions } from './list-options.ts';
import { listShippingZones } from './list-zones.ts';
import { quoteShipping } from './quote.ts';
import { updateShippingOption } from './update-option.ts';
import { updateShippingZone } from './update-zone.ts';

const zone = { 200: 'The shipping zone.' };
const option = { 200: 'The shipping option.' };
const given = 'Members that are not given stay as they are.';

export function shippingRoutes(guard: Guard<Admitted>, ports: CheckoutDeps): Route[] {
  const rest = restOf({ guard, tag: 'Shipping', ports });
  return [
    rest('GET', '/api/shipping-zones', listShippingZones, {
      summary: 'List shipping zones',
      answers: { 200: 'A page of shipping zones.' },
    }),
    rest('POST', '/api/shipping-zones', createShippingZone, {
      summary: 'Add a shipping zone',
      answers: { 201: 'The shipping zone.' },
    }),
    rest('PATCH', '/api/shipping-zones/:shippingZoneId', updateShippingZone, {
      summary: 'Change a shipping zone',
      description: given,
      answers: zone,
    }),
    rest('POST', '/api/shipping-zones/:shippingZoneId/archive', archiveShippingZone, {
      summary: 'Archive a shipping zone',
      answers: zone,
    }),
    rest('GET', '/api/shipping-options', listShippingOptions, {
      summary: 'List shipping options',
      answers: { 200: 'A page of shipping options.' },
    }),
    rest('POST', '/api/shipping-options', createShippingOption, {
      summary: 'Add a shipping option',
      answers: { 201: 'The shipping option.' },
    }),
    rest('PATCH', '/api/shipping-options/:shippingOptionId', updateShippingOption, {
      summary: 'Change a shipping option',
      description: `${given} Zone, kind and currency never change.`,
      answers: option,
    }),
    rest('POST', '/api/shipping-options/:shippingOptionId/archive', archiveShippingOption, {
      summary: 'Archive a shipping option',
      answers: option,
    }),
    rest('GET', '/api/shipping-quotes', quoteShipping, {
      summary: 'Quote shipping',
      description: 'What a buyer at the address is offered.',
      answers: { 200: 'The ways of shipping, in the order in which buyers see them.' },
    }),
  ];
}
