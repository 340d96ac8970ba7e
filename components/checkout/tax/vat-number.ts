import { dictionary } from '@steward/kernel';

/** By the country's prefix, the form of VAT numbers in the European Union (Commission, VIES FAQ 11); `EL` is Greece, `XI` Northern Ireland. */
const forms = dictionary<RegExp>({
  AT: /^U\d{8}$/,
  BE: /^[01]\d{9}$/,
  BG: /^\d{9,10}$/,
  CY: /^\d{8}[A-Z]$/,
  CZ: /^\d{8,10}$/,
  DE: /^\d{9}$/,
  DK: /^\d{8}$/,
  EE: /^\d{9}$/,
  EL: /^\d{9}$/,
  ES: /^[A-Z0-9]\d{7}[A-Z0-9]$/,
  FI: /^\d{8}$/,
  FR: /^[A-Z0-9]{2}\d{9}$/,
  HR: /^\d{11}$/,
  HU: /^\d{8}$/,
  IE: /^\d[A-Z0-9]\d{5}[A-Z]{1,2}$/,
  IT: /^\d{11}$/,
  LT: /^(?:\d{9}|\d{12})$/,
  LU: /^\d{8}$/,
  LV: /^\d{11}$/,
  MT: /^\d{8}$/,
  NL: /^\d{9}B\d{2}$/,
  PL: /^\d{10}$/,
  PT: /^\d{9}$/,
  RO: /^\d{2,10}$/,
  SE: /^\d{12}$/,
  SI: /^\d{8}$/,
  SK: /^\d{10}$/,
  XI: /^(?:\d{9}|\d{12}|GD\d{3}|HA\d{3})$/,
});

const prefixOf = (country: string): string => (country === 'GR' ? 'EL' : country);

/** Whether the country is a member state of the European Union. */
export const isInUnion = (country: string): boolean =>
  country !== 'XI' && prefixOf(country) in forms && country !== 'EL';

/** The country of a VAT number of the Union whose form is right, with `GR` for Greece; undefined for any other text. Nobody is asked whether it is in use. */
export function countryOfVatNumber(text: string): string | undefined {
  if (text.length > 20) return undefined;
  const plain = text.toUpperCase().replaceAll(/[^A-Z0-9]/g, '');
  const prefix = plain.slice(0, 2);
  if (forms[prefix]?.test(plain.slice(2)) !== true) return undefined;
  return prefix === 'EL' ? 'GR' : prefix;
}
