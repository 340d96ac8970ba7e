import { isCurrency, parseAmount } from '@steward/kernel';

export type Members = Readonly<Record<string, unknown>>;

/** Of a parsed answer: its members, or none. */
export const membersOf = (value: unknown): Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : {};

export const listOf = (value: unknown): readonly Members[] => (Array.isArray(value) ? value.map(membersOf) : []);

/** A text of 1–200 characters; undefined for anything else. */
export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.length > 0 && value.length <= 200 ? value : undefined;

/** A provider answered, and not as it says that it does. It may do so later. */
export class UnexpectedAnswer extends Error {
  override readonly name = 'UnexpectedAnswer';
}

export function required(value: unknown, what: string): string {
  const text = textOf(value);
  if (text === undefined) throw new UnexpectedAnswer(`the provider's answer has no ${what}`);
  return text;
}

/** Whole minor units. */
export function integer(value: unknown, what: string): bigint {
  if (typeof value !== 'number' || !Number.isSafeInteger(value))
    throw new UnexpectedAnswer(`the provider's answer has no whole ${what}`);
  return BigInt(value);
}

/** Decimal text, in the minor units of its currency. */
export function decimal(value: unknown, currency: string, what: string): bigint {
  const text = typeof value === 'number' ? String(value) : value;
  const minor = typeof text === 'string' && isCurrency(currency) ? readDecimal(text, currency) : undefined;
  if (minor === undefined) throw new UnexpectedAnswer(`the provider's answer has no ${what} that fits its currency`);
  return minor;
}

/** Providers write `10.00` of yen too, and `10.5`. */
function readDecimal(text: string, currency: string): bigint | undefined {
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d{1,18})(?:\.(\d{1,6}))?$/.exec(text) ?? [];
  if (whole === '') return undefined;
  for (let digits = 0; digits <= 6; digits += 1) {
    if (/[1-9]/.test(fraction.slice(digits))) continue;
    const kept = fraction.slice(0, digits).padEnd(digits, '0');
    const minor = parseAmount(`${whole}${digits === 0 ? '' : `.${kept}`}`, currency);
    if (minor !== undefined) return sign === '-' ? -minor : minor;
  }
  return undefined;
}

/** The day in UTC of seconds since the epoch. */
export function dayOfSeconds(value: unknown, what: string): string {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0 || value >= 253_402_300_800)
    throw new UnexpectedAnswer(`the provider's answer has no ${what}`);
  return new Date(value * 1000).toISOString().slice(0, 10);
}

/** The day in UTC of a time in RFC 3339. */
export function dayOf(value: unknown, what: string): string {
  const at = typeof value === 'string' && /^\d{4}-\d{2}-\d{2}/.test(value) ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(at)) throw new UnexpectedAnswer(`the provider's answer has no ${what}`);
  return new Date(at).toISOString().slice(0, 10);
}

/** What merchants call an invoice or order in metadata, the surest first. */
const names = ['invoice_number', 'invoice', 'invoice_id', 'order_number', 'order', 'order_id'];

/** The invoice or order that a merchant named. */
export function referenceIn(metadata: unknown): string | null {
  const members = membersOf(metadata);
  return names.map((name) => textOf(members[name])).find((one) => one !== undefined) ?? null;
}
