import { z } from 'zod';

export { country, postcode } from '@steward/orders';

const region = z
  .string()
  .regex(/^[A-Z0-9]{1,3}$/, 'Give the part of ISO 3166-2 behind the hyphen, such as QC of CA-QC');
const regionSays = { description: 'ISO 3166-2 without the country: `QC` of CA-QC.' };
/** Of what may be in a whole country. */
export const regionGiven = region.nullable().optional().meta(regionSays);

/** As much of an address as zones look at. */
export interface Address {
  readonly country: string;
  readonly region?: string | null | undefined;
  readonly postcode?: string | null | undefined;
}

/** One spelling for all ways to write a postcode. */
export const plainPostcode = (text: string): string => text.toUpperCase().replaceAll(/[^A-Z0-9]/g, '');
