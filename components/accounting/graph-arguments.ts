import { fail } from '@steward/kernel';
import { isStorable } from './text.ts';

/** What GraphQL hands over is a string or a number; verbs are given ids, days and pages. */
export function idArgument(id: string): string {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)) throw fail('not_found', 'There is nothing of this id.');
  return id.toLowerCase();
}

export const optionalId = (id: string | null | undefined): string | undefined =>
  id === null || id === undefined ? undefined : idArgument(id);

/** @throws Problem `invalid_request` (400) */
export function limitArgument(limit: number | null | undefined): number {
  const count = limit ?? 50;
  if (count < 1 || count > 200) throw fail('invalid_request', 'limit is an integer from 1 to 200.');
  return count;
}

/** @throws Problem `invalid_cursor` (400) */
export function cursorArgument(cursor: string | null | undefined, form: 'id' | 'number'): string | undefined {
  if (cursor === null || cursor === undefined) return undefined;
  const fits = form === 'id' ? /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/ : /^\d{1,18}$/;
  if (!fits.test(cursor)) throw fail('invalid_cursor');
  return cursor;
}

/** @throws Problem `invalid_request` (400) */
export function textArgument(text: string | null | undefined): string | undefined {
  if (text === null || text === undefined) return undefined;
  if (!isStorable(text, 400))
    throw fail('invalid_request', 'A text holds NUL, a lone surrogate, or more than 400 characters.');
  return text;
}
