import { counted, dictionary } from '@steward/kernel';
import type { z } from 'zod';

/** What a fault is told as where its schema has no words of its own: how to mend it. The validator's own words are for programmers. */
export function wordsFor(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `Give ${types[issue.expected] ?? issue.expected}${quoted(issue) ? ', without quotes' : ''}`;
    case 'invalid_value':
      return `Give ${either(issue.values.map(plainly))}`;
    case 'invalid_format':
      return formats[issue.format] ?? `Give a text of the form ${issue.pattern ?? issue.format}`;
    case 'too_small':
      return bound(issue, issue.minimum, { exactly: 'at least', inclusive: 'or more', beyond: 'more than' });
    case 'too_big':
      return bound(issue, issue.maximum, { exactly: 'at most', inclusive: 'or less', beyond: 'less than' });
    case 'not_multiple_of':
      return `Give a multiple of ${issue.divisor}`;
    case 'invalid_union':
      return together(issue.errors.map(([first]) => first?.message ?? ''));
    case 'invalid_key':
    case 'invalid_element':
      return issue.issues[0]?.message ?? other;
    default:
      return other;
  }
}

const other = 'Give another value: this one is not accepted';

const types = dictionary<string>({
  string: 'a text',
  number: 'a number',
  int: 'an integer',
  boolean: 'true or false',
  array: 'a list',
  tuple: 'a list',
  object: 'an object',
  record: 'an object',
});

/** Models write `"5"` for 5: the type is right but for the quotes. */
const quoted = ({ expected, input }: z.core.$ZodRawIssue<z.core.$ZodIssueInvalidType>): boolean =>
  typeof input === 'string' && ['number', 'int', 'boolean'].includes(expected);

const formats = dictionary<string>({
  uuid: 'Give an id (UUID)',
  guid: 'Give an id (UUID)',
  date: 'Give an existing day as YYYY-MM-DD',
  datetime: 'Give a time of RFC 3339, such as 2026-03-31T12:00:00Z',
  email: 'Give an e-mail address, such as ada@example.com',
  url: 'Give a whole address, such as https://example.com/',
});

const units = dictionary<string>({ string: 'character', array: 'item', record: 'member' });

function bound(
  { origin, inclusive = true, exact = false }: { origin: string; inclusive?: boolean; exact?: boolean },
  limit: number | bigint,
  words: { readonly exactly: string; readonly inclusive: string; readonly beyond: string },
): string {
  const unit = units[origin];
  if (unit !== undefined) return `Give ${exact ? 'exactly' : words.exactly} ${counted(Number(limit), unit)}`;
  return inclusive ? `Give ${limit} ${words.inclusive}` : `Give ${words.beyond} ${limit}`;
}

/** A choice as callers write it; with quotes where it would be lost among words. */
const plainly = (value: unknown): string =>
  typeof value === 'string' && /^[\w.-]*\w$/.test(value) ? value : JSON.stringify(value);

function either(words: readonly string[]): string {
  const [last = '', ...others] = words.toReversed();
  return others.length === 0 ? last : `${others.toReversed().join(', ')} or ${last}`;
}

/** Of a value that fits none of several schemas: what each of them wants. */
function together(wants: readonly string[]): string {
  const known = [...new Set(wants)].flatMap((one) => /^Give (.+?)(?:, without quotes)?$/.exec(one)?.[1] ?? []);
  return known.length === 0 ? other : `Give ${either(known)}`;
}
