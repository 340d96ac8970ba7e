import { fail } from '@steward/kernel';

/** A place in a tenant's chain: the list goes on below it. Sequences never change, so appends do not move it. */
export const cursorOf = (sequence: number): string => Buffer.from(`s${sequence}`).toString('base64url');

/** @throws Problem `invalid_cursor` (400) */
export function readCursor(cursor: string): bigint {
  const text = Buffer.from(cursor.slice(0, 64), 'base64url').toString('latin1');
  const match = /^s([1-9]\d{0,17})$/.exec(text);
  if (match?.[1] === undefined || cursorOf(Number(match[1])) !== cursor)
    throw fail('invalid_cursor', 'Send back the next_cursor of an earlier page as it was.');
  return BigInt(match[1]);
}
