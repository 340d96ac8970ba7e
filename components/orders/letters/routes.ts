import { restOf } from '@steward/access';
import type { Guard, Route } from '@steward/contract';
import type { Admitted } from '@steward/identity';
import type { OrdersPorts } from '../ports.ts';
import { getLetterSettings } from './get-settings.ts';
import { updateLetterSettings } from './update-settings.ts';

export function letterRoutes(guard: Guard<Admitted>, ports: OrdersPorts): Route[] {
  const rest = restOf({ guard, tag: 'Letters about orders', ports });
  const answers = { 200: 'The settings.' };
  return [
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
