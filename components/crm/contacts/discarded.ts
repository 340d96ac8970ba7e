import type { Fixed } from '@steward/contract';
import { z } from 'zod';
import { valueSchema } from '../schema/value.ts';
import { type ToldKey, toldKeys } from './contact.ts';

type LostKey = Exclude<ToldKey, 'email' | 'phone'>;

/** What a merge may leave behind; an address and a phone continue to identify the contact that stays. */
export const lostKeys = toldKeys.filter((key): key is LostKey => key !== 'email' && key !== 'phone');

/** Kept with the merged contact, and shown at the merge in the timeline. */
export const discarded = z.object({
  ...(Object.fromEntries(lostKeys.map((key) => [key, z.string().optional()])) as Record<
    LostKey,
    z.ZodOptional<z.ZodString>
  >),
  custom: z.record(z.string(), valueSchema).optional(),
});
export type Discarded = Fixed<z.output<typeof discarded>>;
