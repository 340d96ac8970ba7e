import { type Fixed, line } from '@steward/contract';
import { isCountryCode } from '@steward/kernel';
import { z } from 'zod';
import type { PostalAddress } from './placing.ts';

export const country = z
  .string()
  .regex(/^[A-Z]{2}$/, { error: 'Give a country as its two capital letters of ISO 3166, such as DE', abort: true })
  .refine(isCountryCode, 'ISO 3166 has no such country: give two capital letters, such as DE')
  .meta({ description: 'ISO 3166, two capital letters, such as `DE`.' });

export const postcode = z
  .string()
  .regex(/^[A-Za-z0-9 -]{1,16}$/, 'Give a postcode of letters, digits, spaces and hyphens')
  .meta({ description: 'As on letters: `10115`, `SW1A 1AA`.' });

const optional = (longest: number) => line(longest).nullable().optional();

/** Where goods or a bill go, as it is typed. */
export const addressGiven = z.strictObject({
  name: optional(200).meta({ description: 'Whose address it is.' }),
  company: optional(200).meta({ description: 'Company, if it is one.' }),
  line1: line(200).meta({ description: 'Street and number.' }),
  line2: optional(200).meta({ description: 'What follows the street, such as a floor.' }),
  city: line(100).meta({ description: 'Town or city.' }),
  region: optional(100).meta({
    description: 'Where taxes or shipping go by it: ISO 3166-2 without the country, `CA`.',
  }),
  postcode: postcode.nullable().optional().meta({ description: 'As on letters: `10115`, `SW1A 1AA`.' }),
  country,
  phone: optional(40).meta({ description: 'For the carrier.' }),
});

export const postalAddress = (given: Fixed<z.output<typeof addressGiven>>): PostalAddress => ({
  name: given.name ?? null,
  company: given.company ?? null,
  line1: given.line1,
  line2: given.line2 ?? null,
  city: given.city,
  region: given.region ?? null,
  postcode: given.postcode ?? null,
  country: given.country,
  phone: given.phone ?? null,
});
