import type { Sought } from '@steward/access';
import { caseFolded, normalized, searchWords } from '@steward/kernel';

const mostWords = 8;

/** What was typed, in the forms that records are found by. @param query 1–200 characters */
export function soughtBy(query: string, tenant: string, limit: number): Sought {
  // Digits and letters of full width are typed in Japanese; what nobody sees comes along when text is copied.
  const text = caseFolded(normalized(query, 'NFKC').replaceAll(/\p{Cf}/gu, '')).trim();
  return {
    tenant,
    text,
    words: searchWords(text).slice(0, mostWords),
    number: numberIn(text),
    amounts: amountsIn(text),
    limit,
  };
}

/** `INV-00042`, `inv 42`, `#1001`, `42`. */
function numberIn(text: string): Sought['number'] {
  const [, prefix = '', written = ''] = /^#?([a-z]{0,5})[ -]?0{0,12}([1-9][0-9]{0,17})$/.exec(text) ?? [];
  return written === '' ? undefined : { prefix: prefix.toUpperCase(), digits: written };
}

const mostMinorDigits = 4;

/** `1234.50`, `1.234,50`, `-1,234`, `1234`: the last point or comma is the decimal one, unless three digits follow it. */
function amountsIn(text: string): Sought['amounts'] {
  const [, whole = '', fraction = ''] =
    /^[-+−]?([0-9]{1,12}|[0-9]{1,3}(?:[.,' ][0-9]{3}){1,3})(?:[.,]([0-9]{1,2}|[0-9]{4}))?$/.exec(text) ?? [];
  if (whole === '') return undefined;
  const digits = whole.replaceAll(/[^0-9]/g, '');
  return Array.from({ length: mostMinorDigits + 1 }, (_, places) =>
    fraction.length > places ? null : BigInt(`${digits}${fraction.padEnd(places, '0')}`).toString(),
  );
}
