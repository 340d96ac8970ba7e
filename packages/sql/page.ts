import { badCursor, fail } from '@steward/kernel';

/** What is asked of a list: `limit` from 1 to 200, `cursor` the `nextCursor` of the page before. */
export interface PageRequest {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

export interface Page<Item> {
  readonly items: Item[];
  /** What the next page is asked for with; null on the last one. */
  readonly nextCursor: string | null;
}

/** Where a list by id begins, upwards and downwards: compared without `or`, so that a page costs the same wherever it is. */
export const beforeAllIds = '00000000-0000-0000-0000-000000000000';
export const afterAllIds = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
/** Where a list by number begins, downwards. */
export const aboveAllNumbers = '9223372036854775807';

/** A page of rows of which one more than `limit` was read, so that it is known whether there is another page. */
export function page<R, Item>(
  rows: readonly R[],
  limit: number,
  present: (row: R) => Item,
  cursorOf: (last: Item, row: R) => string,
): Page<Item> {
  const shown = rows.slice(0, limit);
  const items = shown.map((row) => present(row));
  const [item, row] = [items.at(-1), shown.at(-1)];
  const more = rows.length > limit && item !== undefined && row !== undefined;
  return { items, nextCursor: more ? cursorOf(item, row) : null };
}

/** A place as a text that callers need not read. */
export const encodeCursor = (place: string): string => Buffer.from(place).toString('base64url');

/** What `encodeCursor` hid; nothing where it did not write the cursor. */
export function decodeCursor(cursor: string): string {
  const place = Buffer.from(cursor.slice(0, 200), 'base64url').toString('latin1');
  return encodeCursor(place) === cursor ? place : '';
}

/**
 * The parts of a place in a list that is ordered by more than an id, as `form` groups them; days are days of the calendar.
 * @throws Problem `invalid_cursor` (400)
 */
export function parseCursor(cursor: string, form: RegExp): string[] {
  const parts = form.exec(cursor)?.slice(1);
  if (parts === undefined || parts.some((part) => part.includes('\0') || (day.test(part) && !isDay(part))))
    throw fail('invalid_cursor', `${badCursor}.`);
  return parts;
}

const day = /^\d{4}-\d{2}-\d{2}$/;

/** Of the calendar, and from year 1 on, where those of the database begin. */
function isDay(text: string): boolean {
  const time = Date.parse(text);
  return !Number.isNaN(time) && new Date(time).toISOString().slice(0, 10) === text && text >= '0001';
}
