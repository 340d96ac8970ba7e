import { flag, id, moment, shape, text } from '@steward/contract';
import { fail } from '@steward/kernel';
import { z } from 'zod';

/** Of `portal.brand` named `b`. */
export const brand = shape('b', { id: id('b.brand_id'), name: text(), isDefault: flag(), createdAt: moment() });

export const brandName = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .regex(/^[^\p{Cc}]*$/u, 'Control characters are not accepted');

export const unknownBrand = (): Error => fail('not_found', 'There is no such brand.');
