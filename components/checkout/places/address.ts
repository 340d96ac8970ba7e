import { isCountryCode } from '@steward/kernel';
import { z } from 'zod';

export const country = z
  .string()
  .regex(/^[A-Z]{2}$/, { error: 'Give a country as its two capital letters of ISO 3166, such as DE', abort: true })
  .refine(isCountryCode, 'ISO 3166 has no such country: give two capital letters, such as DE')
  .meta({ description: 'ISO 3166, two capital letters, such as `DE`.' });

const region = z
  .string()
  .regex(/^[A-Z0-9]{1,3}$/, 'Give the part of ISO 3166-2 behind the hyphen, such as QC of CA-QC');
const regionSays = { description: 'ISO 3166-2 without the country: `QC` of CA-QC.' };
/** Of what may be in a whole country. */
export const regionGiven = region.nullable().optional().meta(regionSays);

export const postcode = z
  .string()
  .regex(/^[A-Za-z0-9 -]{1,16}$/, 'Give a postcode of letters, digits, spaces and hyphens')
  .meta({ description: 'As on letters: `10115`, `SW1A 1AA`.' });

/** As much of an address as zones look at. */
export interface Address {
  readonly country: string;
  readonly region?: string | null | undefined;
  readonly postcode?: string | null | undefined;
}

/** One spelling for all ways to write a postcode. */
export const plainPostcode = (text: string): string => text.toUpperCase().replaceAll(/[^A-Z0-9]/g, '');
