import type { Fixed } from '@steward/contract';
import type { Given } from '@steward/graphql/field';
import { fail } from '@steward/kernel';
import type { PageRequest } from '@steward/sql';
import type { z } from 'zod';
import { isBookDay } from './money/schema.ts';
import { isStorable } from './text.ts';

/** What GraphQL hands over is a string or a number; verbs are given ids, days and pages. */
export function idArgument(id: string): string {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id))
    throw fail('not_found', 'Nothing has this id: check it.');
  return id.toLowerCase();
}

const cursors = {
  id: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  number: /^\d{1,18}$/,
  place: /^\d{4}-\d{2}-\d{2}\.[A-Z]{3}$/,
};

/** Which page is asked for; without a `form`, the list reads its cursor. @throws Problem `invalid_request`, `invalid_cursor` (400) */
export function pageArguments(
  { limit, cursor }: { readonly limit?: number | null | undefined; readonly cursor?: string | null | undefined },
  form?: keyof typeof cursors,
): PageRequest {
  const count = limit ?? 50;
  if (count < 1 || count > 200) throw fail('invalid_request', 'limit must be an integer from 1 to 200.');
  const text = cursor ?? undefined;
  if (form !== undefined && text !== undefined && !cursors[form].test(text)) throw fail('invalid_cursor');
  return { limit: count, cursor: text };
}

/** @throws Problem `invalid_request` (400) */
export function textArgument(text: string | null | undefined): string | undefined {
  if (text === null || text === undefined) return undefined;
  if (!isStorable(text, 400))
    throw fail(
      'invalid_request',
      'A text contains NUL, a lone surrogate, or more than 400 characters: shorten or correct it.',
    );
  return text;
}

/** @throws Problem `invalid_request` (400) for what is no day of the calendar */
export function day(text: string | null | undefined): string | undefined {
  if (text === null || text === undefined) return undefined;
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  if (Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== text || !isBookDay(text))
    throw fail('invalid_request', `${text.slice(0, 40)} is no day from 1900 to 2199: write YYYY-MM-DD.`);
  return text;
}

/**
 * What the graph hands over as an operation takes it, in the order of its schema: null says nothing where the schema has no null, ids and
 * days are read. Whatever else the schema asks for is judged by the operation.
 * @throws Problem `not_found` (404) for what is no id, `invalid_request` (400) for what is no day
 */
export const given = <S extends z.ZodObject>(schema: S, value: Given<z.input<S>>): Fixed<z.output<S>> =>
  taken(schema, value) as Fixed<z.output<S>>;

interface Def {
  readonly type: string;
  readonly format?: string;
  readonly innerType?: z.ZodType;
  readonly element?: z.ZodType;
  readonly shape?: Readonly<Record<string, z.ZodType>>;
  readonly defaultValue?: unknown;
}

function taken(schema: z.ZodType, value: unknown): unknown {
  const { type, format, innerType, element, shape, defaultValue } = schema.def as unknown as Def;
  if (innerType !== undefined) {
    if (value === null && type === 'nullable') return null;
    const absent = value === undefined || (value === null && !schema.safeParse(null).success);
    return absent ? defaultValue : taken(innerType, value);
  }
  if (shape !== undefined) {
    const members = value as Readonly<Record<string, unknown>>;
    return Object.fromEntries(Object.entries(shape).map(([name, member]) => [name, taken(member, members[name])]));
  }
  if (element !== undefined) return (value as readonly unknown[]).map((one) => taken(element, one));
  if (format === 'uuid') return idArgument(value as string);
  return format === 'date' ? day(value as string) : value;
}
