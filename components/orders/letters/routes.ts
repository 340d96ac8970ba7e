import { restOf } from '@steward/access';
import type { Guard, Route } from '@steward/contract';
import type { Admitted } from '@steward/identity';
import type { OrdersPorts } from '../ports.ts';
import { getLetterSettings } from './get-settings.ts';
import { listOrderLetters } from './list.ts';
import { updateLetterSettings } from './update-settings.ts';

export function letterRoutes(guard: Guard<Admitted>, ports: OrdersPorts): Route[] {
  const rest = restOf({ guard, tag: 'Letters about orders', ports });
  const answers = { 200: 'The settings.' };
  return [
    rest('GET', '/api/orders/:orderId/letters', listOrderLetters, {
      does: 'service_get_order',
      summary: 'What the buyer of an order was told by email',
      description: 'The latest first, with how each email fares; not what they say.',
      answers: { 200: 'The letters.' },
    }),
    rest('GET', '/api/brands/:brandId/letters', getLetterSettings, {
      summary: 'Read the settings of letters of a brand',
      answers,
    }),
    rest('PATCH', '/api/brands/:brandId/letters', updateLetterSettings, {
      summary: 'Change the settings of letters of a brand',
      description:
        'Members that are not given stay as they are. Needs a token that may decide; every other caller proposes it.',
      answers,
    }),
  ];
}
