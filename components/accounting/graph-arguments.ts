import { fail } from '@steward/kernel';
import type { PageRequest } from '@steward/sql';
import { isStorable } from './text.ts';

/** What GraphQL hands over is a string or a number; verbs are given ids, days and pages. */
export function idArgument(id: string): string {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)) throw fail('not_found', 'There is nothing of this id.');
  return id.toLowerCase();
}

export const optionalId = (id: string | null | undefined): string | undefined =>
  id === null || id === undefined ? undefined : idArgument(id);

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
  if (count < 1 || count > 200) throw fail('invalid_request', 'limit is an integer from 1 to 200.');
  const text = cursor ?? undefined;
  if (form !== undefined && text !== undefined && !cursors[form].test(text)) throw fail('invalid_cursor');
  return { limit: count, cursor: text };
}

/** @throws Problem `invalid_request` (400) */
export function textArgument(text: string | null | undefined): string | undefined {
  if (text === null || text === undefined) return undefined;
  if (!isStorable(text, 400))
    throw fail('invalid_request', 'A text holds NUL, a lone surrogate, or more than 400 characters.');
  return text;
}
