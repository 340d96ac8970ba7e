import { isCountryCode } from '@steward/kernel';
import { z } from 'zod';
import { fits } from '@steward/contract';

export const country = z
  .string()
  .length(2)
  .check(fits(/^[A-Z]{2}$/, 'Give a country as its two capital letters of ISO 3166, such as DE'))
  .refine(isCountryCode, 'ISO 3166 has no such country: give two capital letters, such as DE');
