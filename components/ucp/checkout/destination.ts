import { isCountryCode } from '@steward/kernel';
import { postcode, type PostalAddress } from '@steward/orders';
import type { PostalAddress as Given } from '../shown/given.ts';
import { type Message, problem } from '../shown/message.ts';
import { nameOf, oneLine } from './buyer.ts';

const members = [
  'first_name',
  'last_name',
  'street_address',
  'extended_address',
  'address_locality',
  'address_region',
  'postal_code',
  'address_country',
  'phone_number',
] as const;

/** An address in the words of the protocol. */
export type Postal = { readonly [K in (typeof members)[number]]?: string };
export type Destination = Postal & { readonly id: string };

/** Of what was sent, what the protocol knows and says something. */
export function postalOf(given: Given): Postal {
  const { full_name: whole, ...rest } = given;
  const named = given.first_name === undefined && given.last_name === undefined && whole !== undefined;
  const said: Record<string, unknown> = named ? { ...rest, last_name: whole } : rest;
  return Object.fromEntries(
    members.flatMap((member) => {
      const text = said[member];
      return typeof text === 'string' && text.trim() !== '' ? [[member, text.trim()]] : [];
    }),
  );
}

export const isSame = (a: Postal, b: Postal): boolean => members.every((member) => a[member] === b[member]);

const countryOf = ({ address_country: country = '' }: Postal): string | undefined => {
  const code = country.toUpperCase();
  return /^[A-Z]{2}$/.test(code) && isCountryCode(code) ? code : undefined;
};

/**
 * As our shop keeps it, or undefined where it says no country that there is. What is not known yet is empty: it is enough to be told what shipping
 * costs.
 */
export function addressOf(given: Postal): PostalAddress | undefined {
  const country = countryOf(given);
  if (country === undefined) return undefined;
  const code = postcode.safeParse(given.postal_code ?? '');
  return {
    name: nameOf(given),
    company: null,
    line1: oneLine(given.street_address) ?? '',
    line2: oneLine(given.extended_address),
    city: oneLine(given.address_locality, 100) ?? '',
    region: oneLine(given.address_region, 100),
    postcode: code.success ? code.data : null,
    country,
    phone: oneLine(given.phone_number, 40),
  };
}

/** The other way: as the protocol says an address of ours. */
export function postalFrom(address: PostalAddress): Postal {
  const { name, line1, line2, city, region, postcode: code, country, phone } = address;
  const space = name?.lastIndexOf(' ') ?? -1;
  const said = {
    first_name: space > 0 ? name?.slice(0, space) : undefined,
    last_name: (space > 0 ? name?.slice(space + 1) : name) ?? undefined,
    street_address: line1,
    extended_address: line2,
    address_locality: city,
    address_region: region,
    postal_code: code,
    address_country: country,
    phone_number: phone,
  };
  return Object.fromEntries(
    Object.entries(said).filter(([, text]) => text !== null && text !== undefined && text !== ''),
  );
}

/** What is wrong with an address that was given, or still lacks. @param path RFC 9535, of the address */
export function faultsOfAddress(given: Postal, path: string): Message[] {
  const faults: Message[] = [];
  if (given.address_country === undefined)
    faults.push(problem('missing', 'The country of the address is required.', `${path}.address_country`));
  else if (countryOf(given) === undefined)
    faults.push(
      problem('invalid_country', 'Give the country as two letters of ISO 3166, such as US.', `${path}.address_country`),
    );
  if (given.postal_code !== undefined && !postcode.safeParse(given.postal_code).success)
    faults.push(
      problem('invalid_postal_code', 'Give a postcode of letters, digits, spaces and hyphens.', `${path}.postal_code`),
    );
  for (const [member, what] of [
    ['street_address', 'street'],
    ['address_locality', 'town or city'],
  ] as const)
    if (given[member] === undefined)
      faults.push(problem('missing', `The ${what} of the address is required.`, `${path}.${member}`));
  return faults;
}
