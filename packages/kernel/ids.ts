import { randomUUIDv7 } from 'node:crypto';

/** A new identifier: UUIDv7, lower case (RFC 9562 §5.7): 48 bits of milliseconds, 74 random bits. */
export const newId = (): string => randomUUIDv7();

/** A new identifier that holds a time: milliseconds since the epoch, or now. */
export function newIdAt(milliseconds: number | undefined): string {
  if (milliseconds === undefined) return newId();
  const hex = milliseconds.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}${randomUUIDv7().slice(13)}`;
}

/** The time that a UUIDv7 holds: RFC 3339, UTC, milliseconds. */
export const timeOfId = (id: string): string =>
  new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)).toISOString();

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Whether `value` is a UUID in the one spelling we issue (lower case, hyphens). */
export const isId = (value: unknown): value is string => typeof value === 'string' && uuid.test(value);

const day = 86_400_000;

/** The lowest UUIDv7 of a moment. */
function idAt(milliseconds: number): string {
  const hex = Math.max(0, milliseconds).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}

/**
 * UUIDv7 that were made on these days of UTC (YYYY-MM-DD, the last one included) are after the first and before the second: a day wide of them, for the
 * clock of ids is not that of the database.
 */
export const idsAround = (from: string, to: string): readonly [string, string] => [
  idAt(Date.parse(from) - day),
  idAt(Date.parse(to) + 2 * day),
];
