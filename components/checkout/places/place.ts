import { z } from 'zod';
import { type Address, country, plainPostcode, regionGiven } from './address.ts';

export const mostPostcodes = 500;

const codes = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9 -]{0,14}\*?$/,
    'Give a postcode, a beginning such as 35* or a range such as 35000-35999',
  )
  .meta({ description: 'A postcode, a beginning (`35*`), or a range of as many digits (`35000-35999`).' });
export const postcodes = z
  .array(codes)
  .max(mostPostcodes)
  .meta({ description: `Postcodes, up to ${mostPostcodes}. Empty: all. The most specific place wins.` });

/** Where a zone is. */
export const place = z.object({ country: z.string(), region: z.string().nullable(), postcodes: z.array(z.string()) });
export type Place = Readonly<Omit<z.output<typeof place>, 'postcodes'>> & { readonly postcodes: readonly string[] };

export const placeGiven = z.strictObject({
  country,
  region: regionGiven,
  postcodes: postcodes.optional(),
});

const range = /^(\d{1,15})-(\d{1,15})(\*?)$/;

/** Countries whose postcodes are written with a hyphen: the digits before and behind it. */
const hyphenated = new Map<string, readonly [number, number]>([
  ['BR', [5, 3]],
  ['CL', [3, 4]],
  ['JP', [3, 4]],
  ['PL', [2, 3]],
  ['PT', [4, 3]],
  ['SA', [5, 4]],
  ...['US', 'AS', 'GU', 'MP', 'PR', 'VI'].map((country) => [country, [5, 4]] as const),
]);

/**
 * One spelling of what is given: `35*`, `35000-35999`, `SW1A1AA`. A hyphen between numbers of the same length makes a range; one of
 * different lengths is part of the postcodes of some countries, as in `1000-001` of Portugal.
 * @returns undefined where a range ends before it begins, or has numbers of different lengths
 */
export function plainCodes(text: string, country: string): string | undefined {
  const [, from = '', to = '', open = ''] = range.exec(text.replaceAll(' ', '')) ?? [];
  if (from !== '' && from.length === to.length && open === '') return from <= to ? `${from}-${to}` : undefined;
  if (from !== '') {
    const [before, behind] = hyphenated.get(country) ?? [0, 0];
    if (from.length !== before || (open === '' ? to.length !== behind : to.length > behind)) return undefined;
  }
  return `${plainPostcode(text)}${text.endsWith('*') ? '*' : ''}`;
}

/**
 * How exactly a place names an address: undefined where the address is elsewhere, and higher for a postcode than for a longer beginning or
 * narrower range, a shorter one, a region and a country.
 */
export function exactness(of: Place, address: Address): number | undefined {
  if (of.country !== address.country) return undefined;
  if (of.region !== null && of.region !== (address.region ?? '').toUpperCase()) return undefined;
  const regional = of.region === null ? 0 : 1;
  if (of.postcodes.length === 0) return regional;
  const code = plainPostcode((address.postcode ?? '').slice(0, 40));
  const most = Math.max(...of.postcodes.map((codesOf) => closeness(codesOf, code)));
  return most === 0 ? undefined : 10 * most + regional;
}

/** 0: not this postcode. */
function closeness(codesOf: string, code: string): number {
  if (codesOf.endsWith('*')) {
    const beginning = codesOf.slice(0, -1);
    return code.startsWith(beginning) ? 2 * beginning.length : 0;
  }
  const [from = '', to] = codesOf.split('-');
  if (to === undefined) return code === from ? 100 : 0;
  const begun = code.slice(0, from.length);
  if (!/^\d+$/.test(begun) || begun.length < from.length || begun < from || begun > to) return 0;
  let common = 0;
  while (from[common] === to[common] && common < from.length) common += 1;
  return 2 * common + 1;
}

/** The one whose place names the address most exactly; of two equal ones the earlier. */
export function mostExact<T>(
  all: readonly T[],
  address: Address,
  placesOf: (one: T) => readonly Place[],
): T | undefined {
  let best: { readonly one: T; readonly exact: number } | undefined;
  for (const one of all)
    for (const at of placesOf(one)) {
      const exact = exactness(at, address);
      if (exact !== undefined && (best === undefined || exact > best.exact)) best = { one, exact };
    }
  return best?.one;
}
