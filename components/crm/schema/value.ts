import { caseFolded, trimEnd, trimStart } from '@steward/kernel';
import { z } from 'zod';
import { readEmail } from '../identity/email.ts';
import { isInternational, readPhone } from '../identity/phone.ts';
import { isOneLine, isProse, trimmed } from '../text.ts';
import { mostOptions, type ContactField, type FieldOption, type FieldType } from './field.ts';

/** A value as it is kept: texts, numbers, booleans, and lists of options. */
export type Value = string | number | boolean | readonly string[];
export const valueSchema = z.unknown() as z.ZodType<Value>;

export interface Read {
  readonly value?: Value;
  /** What is wrong, in words that say how to mend it. */
  readonly fault?: string;
}

/** What a page sends of a field that was left alone. */
export const isBlank = (given: unknown): boolean =>
  given === undefined ||
  given === null ||
  (typeof given === 'string' && trimmed(given) === '') ||
  (Array.isArray(given) && given.length === 0);

/**
 * Reads a value for a field. Pages send texts, so a text that says one thing only is taken for it: `"42"` is a number, `"on"`
 * and `"yes"` are true. What could mean two things (`"1,5"`, `"03/04/2026"`) is refused.
 */
export function readValue(field: ContactField, given: unknown, country?: string): Read {
  return readers[field.type](alone(field.type, given), field, country);
}

/** Groups of check boxes send lists, of one item too. */
const alone = (type: FieldType, given: unknown): unknown =>
  type !== 'multiselect' && Array.isArray(given) && given.length === 1 ? (given as unknown[])[0] : given;

type Reader = (given: unknown, field: ContactField, country: string | undefined) => Read;

const textOf = (given: unknown): string | undefined =>
  typeof given === 'string'
    ? given
    : typeof given === 'boolean' || (typeof given === 'number' && Number.isFinite(given))
      ? String(given)
      : undefined;

const readers: Readonly<Record<FieldType, Reader>> = {
  text: (given, { maxLength }) => {
    const text = textOf(given);
    if (text === undefined) return { fault: 'Give a text.' };
    if (!isOneLine(trimmed(text))) return { fault: 'Give one line, without control characters.' };
    return sized(trimmed(text), maxLength);
  },
  long_text: (given, { maxLength }) => {
    const text = textOf(given)?.replaceAll(/\r\n?/g, '\n');
    if (text === undefined) return { fault: 'Give a text.' };
    if (!isProse(text)) return { fault: 'Remove control characters other than line feeds and tabs.' };
    return sized(trimmed(text), maxLength);
  },
  number: (given) => {
    const text = typeof given === 'string' ? trimmed(given) : typeof given === 'number' ? String(given) : '';
    const number = text.length <= longestNumber && numeral.test(text) ? Number(text) : Number.NaN;
    if (!Number.isFinite(number)) return { fault: 'Give a number, with a point before decimals: 1234.5.' };
    if (digitsOf(text) > 15)
      return { fault: 'Give a number of up to 15 digits, and keep longer ones in a text field.' };
    return { value: number === 0 ? 0 : number };
  },
  boolean: (given) => {
    if (typeof given === 'boolean') return { value: given };
    const word = caseFolded(trimmed(textOf(given) ?? ''));
    if (['true', 'on', 'yes', '1'].includes(word)) return { value: true };
    if (['false', 'off', 'no', '0'].includes(word)) return { value: false };
    return { fault: 'Give true or false.' };
  },
  date: (given) => {
    const text = typeof given === 'string' ? trimmed(given) : '';
    if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || !isDay(text))
      return { fault: 'Give a day of the calendar as YYYY-MM-DD.' };
    return { value: text };
  },
  datetime: (given) => {
    const text = typeof given === 'string' ? trimmed(given) : '';
    const parts =
      /^(\d{4}-\d{2}-\d{2})T([01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i;
    const day = parts.exec(text)?.[1];
    const time = new Date(text);
    if (day === undefined || !isDay(day) || Number.isNaN(time.getTime()) || time.getUTCFullYear() > 9999)
      return { fault: 'Give a time with its offset (RFC 3339), such as 2026-03-02T09:30:00+01:00.' };
    return { value: time.toISOString() };
  },
  select: (given, field) => {
    const found = optionOf(field, given);
    return found === undefined ? { fault: optionsFault(field) } : { value: found };
  },
  multiselect: (given, field) => {
    const list = Array.isArray(given) ? (given as unknown[]) : [given];
    if (list.length > mostOptions) return { fault: `Up to ${mostOptions} options. ${optionsFault(field)}` };
    const found = list.map((one) => optionOf(field, one));
    return found.every((one) => one !== undefined)
      ? { value: [...new Set(found as string[])] }
      : { fault: optionsFault(field) };
  },
  url: (given) => {
    const text = typeof given === 'string' ? trimmed(given) : '';
    const url = isOneLine(text) && /^https?:\/\//i.test(text) && !/\s/.test(text) ? URL.parse(text) : null;
    if (url === null || text.length > 2048 || url.username !== '' || url.password !== '')
      return { fault: 'Give an address that begins with https:// or http://, of up to 2048 characters.' };
    return { value: text };
  },
  email: (given) => {
    const email = typeof given === 'string' ? readEmail(given) : undefined;
    return email === undefined ? { fault: emailFault } : { value: email.address };
  },
  phone: (given, _field, country) => {
    const text = textOf(given) ?? '';
    const phone = readPhone(text, country);
    return phone === undefined ? { fault: phoneFault(text, country) } : { value: phone };
  },
};

export const emailFault = 'Give an e-mail address such as ada@example.com, of up to 254 characters.';
export const phoneFault = (text: string, country: string | undefined): string =>
  country === undefined && !isInternational(text)
    ? 'No default country is set: give the phone number with its country code, such as +49 30 123456.'
    : 'Give a phone number that exists, preferably with its country code, such as +49 30 123456.';

function sized(text: string, most: number | null): Read {
  if (most !== null && text.length > most && (text.length > 2 * most || [...text].length > most))
    return { fault: `Give up to ${most} characters.` };
  return { value: text };
}

const numeral = /^-?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,3})?$/;
/** Characters, zeros at its ends included. */
const longestNumber = 400;

/** Digits that carry information: what a double can keep as written. */
function digitsOf(text: string): number {
  const [mantissa = ''] = text.toLowerCase().split('e', 1);
  return trimEnd(trimStart(mantissa.replaceAll(/[-.]/g, ''), '0'), '0').length;
}

function isDay(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`);
  return !text.startsWith('0000') && !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

/** UTF-16 units; options have up to 200 characters. */
const longestOption = 400;

/** By its value, else by its label if only one option has it. */
function optionOf(field: ContactField, given: unknown): string | undefined {
  const text = trimmed(textOf(given) ?? '');
  if (text.length > longestOption) return undefined;
  const { exact, alike } = optionsBy(field);
  return exact.has(text) ? text : (alike.get(caseFolded(text)) ?? undefined);
}

interface Options {
  readonly exact: ReadonlySet<string>;
  /** The value of the only option whose value or label is spelled so; null where several are. */
  readonly alike: ReadonlyMap<string, string | null>;
}

const known = new WeakMap<readonly FieldOption[], Options>();

/** Folded once, however many values are read. */
function optionsBy({ options }: ContactField): Options {
  const made = known.get(options);
  if (made !== undefined) return made;
  const open = options.filter(({ retired }) => !retired);
  const alike = new Map<string, string | null>();
  for (const { value, label } of open)
    for (const spelled of new Set([caseFolded(value), caseFolded(label)]))
      alike.set(spelled, alike.has(spelled) ? null : value);
  const by = { exact: new Set(open.map(({ value }) => value)), alike };
  known.set(options, by);
  return by;
}

function optionsFault({ options }: ContactField): string {
  const open = options.filter(({ retired }) => !retired).map(({ value }) => JSON.stringify(value));
  return `Give one of ${open.slice(0, 20).join(', ')}${open.length > 20 ? ` and ${open.length - 20} more` : ''}.`;
}
