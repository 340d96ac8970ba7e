import { operation } from '@steward/access';
import { fail } from '@steward/kernel';
import { z } from 'zod';
import { byBrand, reads } from '../operations.ts';
import type { AgenticPorts } from '../ports.ts';
import { brandDoors, doorsFrom, selectDoors } from './door.ts';

export const noBrand = (): Error => fail('not_found', 'There is no such brand: list the brands for their ids.');

/** @throws Problem `not_found` (404) */
export const getAgenticCommerce = operation(
  {
    ...reads,
    name: 'service_get_agentic_commerce',
    input: z.strictObject(byBrand),
    answer: brandDoors,
    errors: ['insufficient_role', 'not_found'],
  },
  async ({ context, read, readAll }, { brandId }, ports: AgenticPorts) => {
    if ((await ports.brandName({ context, read }, brandId)) === undefined) throw noBrand();
    return doorsFrom(await readAll(selectDoors(context.tenant, brandId)), brandId, ports);
  },
);
