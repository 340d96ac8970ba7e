import type { FormField, ValidationRule } from '../client/schema.ts';
import type { Catalogue, MessageKey } from '../messages/catalogue.ts';

export type Value = string | number | boolean | readonly string[];

export interface Fault {
  /** Of a ValidityState: what kind of fault it is. */
  readonly flag: keyof ValidityStateFlags;
  readonly text: string;
}

/** Whether a value that is not blank passes; `limit` is the rule's own value. */
type Passes = (value: Value, limit: unknown) => boolean;
/** The message is called like the rule, unless another is named. */
type Check = readonly [flag: keyof ValidityStateFlags, passes: Passes, message?: MessageKey];

const like =
  (pattern: RegExp): Passes =>
  (value) =>
    pattern.test(value as string);
/** Numbers by size; days, which are texts on both sides, by their text (ISO 8601). */
const atLeast: Passes = (value, limit) => !((value as number) < (limit as number));
const atMost: Passes = (value, limit) => !((value as number) > (limit as number));
/** Characters as people count them, or choices. */
const sizeOf = (value: Value): number => (Array.isArray(value) ? value : [...String(value)]).length;
const minItems: Check = ['tooShort', (value, limit) => atLeast(sizeOf(value), limit), 'min'];
const maxItems: Check = ['tooLong', (value, limit) => atMost(sizeOf(value), limit), 'max'];
/** By the name of a rule, or of a type. */
const checks: ReadonlyMap<string, Check> = new Map<string, Check>(
  Object.entries({
    email: ['typeMismatch', like(/^[^\s@]+@[^\s@]+\.[^\s@]+$/)],
    tel: ['typeMismatch', like(/^([+\s()./-]*\d){5}[+\d\s()./-]*$/)],
    url: ['typeMismatch', like(/^https?:\/\/\S+$/i)],
    min: ['rangeUnderflow', atLeast],
    max: ['rangeOverflow', atMost],
    min_length: ['tooShort', minItems[1], 'minLength'],
    max_length: ['tooLong', maxItems[1], 'maxLength'],
    min_items: minItems,
    max_items: maxItems,
    pattern: [
      'patternMismatch',
      (value, limit) => {
        try {
          // As the attribute `pattern` of HTML is read.
          return new RegExp(`^(?:${String(limit)})$`, 'v').test(value as string);
        } catch {
          // An expression that this browser does not know.
          return true;
        }
      },
    ],
  } satisfies Record<string, Check>),
);

/** As the server sees it: whitespace alone is blank, an empty list too; 0 and false are not. */
export const isBlank = (value: Value | undefined): value is undefined => !String(value ?? '').trim();

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
  if (unreadable) return { flag: 'badInput', text: words[type as 'number' | 'date'] };
  const ruled = rules.find(({ rule }) => rule === 'required');
  if (isBlank(value) || value === false) {
    const text = value === false ? words.tick : /radio|select/.test(type) ? words.choose : words.required;
    return required || ruled ? { flag: 'valueMissing', text: ruled?.message || text } : undefined;
  }
  for (const { rule, value: limit, message } of [{ rule: type } as ValidationRule, ...rules]) {
    const check = checks.get(rule);
    if (!check || check[1](value, limit)) continue;
    return {
      flag: check[0],
      text: message || words[check[2] ?? (rule as MessageKey)].replace('{n}', () => String(limit)),
    };
  }
  return undefined;
}
