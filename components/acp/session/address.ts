import { isCountryCode } from '@steward/kernel';
import { postcode, type PostalAddress } from '@steward/orders';
import type { AddressGiven } from '../shown/given.ts';
import { type Message, problem } from '../shown/message.ts';

/** One line as the shop keeps it; null: it says nothing. */
export function oneLine(text: string | null | undefined, longest = 200): string | null {
  const line = (text ?? '').replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();
  return line === '' ? null : line.slice(0, longest);
}

const countryOf = ({ country }: AddressGiven): string | undefined => {
  const code = country.trim().toUpperCase();
  return /^[A-Z]{2}$/.test(code) && isCountryCode(code) ? code : undefined;
};

/** As our shop keeps it; null where it says no country that there is. */
export function addressOf(given: AddressGiven, phone?: string): PostalAddress | null {
  const country = countryOf(given);
  if (country === undefined) return null;
  const code = postcode.safeParse(given.postal_code);
  return {
    name: oneLine(given.name),
    company: oneLine(given.company),
    line1: oneLine(given.line_one) ?? '',
    line2: oneLine(given.line_two),
    city: oneLine(given.city, 100) ?? '',
    region: oneLine(given.state, 100),
    postcode: code.success ? code.data : null,
    country,
    phone: oneLine(phone, 40),
  };
}

/** The other way: as the protocol says an address of ours. */
export const addressFrom = ({ name, company, line1, line2, city, region, postcode: code, country }: PostalAddress) => ({
  name: name ?? company ?? '',
  line_one: line1,
  ...(line2 === null ? {} : { line_two: line2 }),
  city,
  state: region ?? '',
  country,
  postal_code: code ?? '',
  ...(company === null ? {} : { company }),
});

/** What is wrong with an address that was given. @param param RFC 9535, of the address */
export function faultsOfAddress(given: AddressGiven, param: string): Message[] {
  const faults: Message[] = [];
  if (countryOf(given) === undefined)
    faults.push(problem('invalid', 'Give the country as two letters of ISO 3166, such as US.', `${param}.country`));
  if (given.postal_code.trim() !== '' && !postcode.safeParse(given.postal_code).success)
    faults.push(problem('invalid', 'Give a postcode of letters, digits, spaces and hyphens.', `${param}.postal_code`));
  if (oneLine(given.line_one) === null) faults.push(problem('missing', 'The street is required.', `${param}.line_one`));
  if (oneLine(given.city) === null) faults.push(problem('missing', 'The town or city is required.', `${param}.city`));
  return faults;
}
