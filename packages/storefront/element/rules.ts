import type { FormField, ValidationRule } from '../client/schema.ts';
import type { Catalogue, MessageKey } from '../messages/catalogue.ts';

export type Value = string | number | boolean | readonly string[];

export interface Fault {
  /** Of a ValidityState: what kind of fault it is. */
  readonly flag: keyof ValidityStateFlags;
  readonly text: string;
}

/** Whether a value that is not blank passes; `limit` is the rule's own value. */
type Check = readonly [
  flag: keyof ValidityStateFlags,
  message: MessageKey,
  passes: (value: Value, limit: unknown) => boolean,
];

/** Characters as people count them, or choices. */
const size = (value: Value): number => (Array.isArray(value) ? value : [...String(value)]).length;
/** Numbers by size, days by their text (ISO 8601). */
const below = (one: unknown, other: unknown): boolean =>
  typeof one === 'number' || typeof other === 'number' ? Number(one) < Number(other) : String(one) < String(other);

const minItems: Check = ['tooShort', 'min', (value, limit) => size(value) >= Number(limit)];
const maxItems: Check = ['tooLong', 'max', (value, limit) => size(value) <= Number(limit)];
/** By the name of a rule, or of a type. */
const checks: ReadonlyMap<string, Check> = new Map<string, Check>(
  Object.entries({
    email: ['typeMismatch', 'email', (value) => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(String(value))],
    tel: ['typeMismatch', 'tel', (value) => /^([+\s()./-]*\d){5}[+\d\s()./-]*$/.test(String(value))],
    url: ['typeMismatch', 'url', (value) => /^https?:\/\/\S+$/i.test(String(value))],
    min: ['rangeUnderflow', 'min', (value, limit) => !below(value, limit)],
    max: ['rangeOverflow', 'max', (value, limit) => !below(limit, value)],
    min_length: ['tooShort', 'minLength', minItems[2]],
    max_length: ['tooLong', 'maxLength', maxItems[2]],
    min_items: minItems,
    max_items: maxItems,
    // As the attribute `pattern` of HTML is read.
    pattern: [
      'patternMismatch',
      'pattern',
      (value, limit) => new RegExp(`^(?:${String(limit)})$`, 'v').test(String(value)),
    ],
  } satisfies Record<string, Check>),
);

/** As the server sees it: whitespace alone is blank, an empty list too; 0 and false are not. */
export const isBlank = (value: Value | undefined): value is undefined =>
  value === undefined || (Array.isArray(value) ? value.length === 0 : typeof value === 'string' && value.trim() === '');

/** What the catalogue says of a type, where values of it can be wrong. */
export const wordsOfType = (type: string, words: Catalogue): string | undefined =>
  /^(email|tel|url|number|date)$/.test(type) ? words[type as MessageKey] : undefined;

/**
 * The first thing wrong with a value, in the order required, type, rules. A box that must be ticked is blank when it is not.
 * @param unreadable something was typed that the browser could not read as a number or a day
 */
export function faultOf(
  { type, required }: FormField,
  rules: readonly ValidationRule[],
  value: Value | undefined,
  unreadable: boolean,
  words: Catalogue,
): Fault | undefined {
  if (unreadable) return { flag: 'badInput', text: wordsOfType(type, words) ?? '' };
  const ruled = rules.find(({ rule }) => rule === 'required');
  if (isBlank(value) || (type === 'checkbox' && value === false)) {
    const text =
      type === 'checkbox'
        ? words.tick
        : /^(radio|select|multiselect)$/.test(type)
          ? `${words.choose}.`
          : words.required;
    return required || ruled ? { flag: 'valueMissing', text: ruled?.message || text } : undefined;
  }
  for (const { rule, value: limit, message } of [{ rule: type } as ValidationRule, ...rules]) {
    const check = checks.get(rule);
    if (check === undefined || passes(check, value, limit)) continue;
    return { flag: check[0], text: message || words[check[1]].replace('{n}', () => String(limit)) };
  }
  return undefined;
}

function passes([, , check]: Check, value: Value, limit: unknown): boolean {
  try {
    return check(value, limit);
  } catch {
    // An expression that this browser does not know.
    return true;
  }
}
