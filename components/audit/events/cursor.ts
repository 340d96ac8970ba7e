import { encodeCursor, parseCursor, decodeCursor } from '@steward/sql';

/** A place in a tenant's chain: the list continues below it. Sequences never change, so appends do not move it. */
export const cursorOf = (sequence: number): string => encodeCursor(`s${sequence}`);

/** @throws Problem `invalid_cursor` (400) */
export const sequenceOf = (cursor: string): bigint =>
  BigInt(parseCursor(decodeCursor(cursor), /^s([1-9]\d{0,17})$/)[0] ?? 0);
