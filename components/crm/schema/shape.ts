import { z } from 'zod';
import { fieldTypes } from './field.ts';

export const optionInput = z.union([
  z.string().min(1).max(400),
  z.strictObject({ value: z.string().min(1).max(400), label: z.string().min(1).max(400).optional() }),
]);

/** What both doors take of a field, beside its key. The verb says what is wrong with more than the shape. */
export const definition = {
  type: z.enum(fieldTypes).optional(),
  label: z.string().min(1).max(400).optional(),
  description: z.string().max(4000).nullable().optional(),
  options: z.array(optionInput).min(1).max(500).optional(),
  retired: z.boolean().optional(),
};
