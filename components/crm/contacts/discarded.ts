import type { Fixed } from '@steward/contract';
import { z } from 'zod';
import { valueSchema } from '../schema/value.ts';

/** Kept with the contact that was merged, and shown where the timeline tells of the merge. */
export const discarded = z.object({
  name: z.string().optional(),
  custom: z.record(z.string(), valueSchema).optional(),
});
export type Discarded = Fixed<z.output<typeof discarded>>;
