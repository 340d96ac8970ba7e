import { createRequire } from 'node:module';
import type * as Numbers from 'libphonenumber-js/max';
import { trimmed } from '../text.ts';

let loaded: typeof Numbers | undefined;
/** The numbering plans of all countries: loaded with the first number, since most processes and commands read none. */
const plans = (): typeof Numbers =>
  (loaded ??= createRequire(import.meta.url)('libphonenumber-js/max') as typeof Numbers);

/** Whether it is an ISO 3166 code of a country whose numbering plan is known, such as `DE`. */
export const isCountry = (code: string): code is Numbers.CountryCode => plans().isSupportedCountry(code);

/** As the table has it. */
const kept = /^\+[1-9][0-9]{3,16}(?:;ext=[0-9]{1,15})?$/;

/**
 * A phone number as E.164, with `;ext=` where an extension is given (RFC 3966): people who share a switchboard have numbers of
 * their own. Undefined if it is none, or is a national one and no country is known.
 *
 * A number is accepted if the country's plan contains it, and also if only its length is right: plans open new ranges before
 * a library contains them, and a refused number is a customer turned away.
 */
export function readPhone(text: string, country?: string): string | undefined {
  const given = trimmed(text).replace(/^tel:/i, '');
  if (given.length > 64) return undefined;
  const read = (spelled: string) =>
    plans().parsePhoneNumberFromString(spelled, {
      ...(country !== undefined && isCountry(country) ? { defaultCountry: country } : {}),
      extract: false,
    });
  let found = read(given);
  // Mexico dropped the 1 before mobile numbers in 2019; it is still in many signatures.
  const old = /^\+521(\d{10})$/.exec(found?.number ?? '');
  if (found !== undefined && old !== null) found = read(`+52${old[1]}${found.ext ? `;ext=${found.ext}` : ''}`);
  if (found === undefined) return undefined;
  if (!found.isValid() && !(found.isPossible() && found.nationalNumber.length >= 7)) return undefined;
  const ext = found.ext as string | undefined;
  const phone = ext === undefined || ext === '' ? found.number : `${found.number};ext=${ext}`;
  return kept.test(phone) ? phone : undefined;
}

/** Whether it names its country itself. */
export const isInternational = (text: string): boolean => /^(?:tel:)?[\s(]*[+＋]/i.test(trimmed(text));
