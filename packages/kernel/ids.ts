import { randomFillSync } from 'node:crypto';

/** Random hex digits, drawn in bulk: every request gets an id, and drawing for each costs as much as reading its body. */
const drawn = Buffer.allocUnsafe(4096);
let digits = '';
let used = 0;

let stampedAt = Number.NaN;
let stamp = '';

/** A new identifier: UUIDv7, lower case (RFC 9562 §5.7): 48 bits of milliseconds, 74 random bits. */
export function newId(): string {
  if (used + 19 > digits.length) {
    digits = randomFillSync(drawn).toString('hex');
    used = 0;
  }
  const now = Date.now();
  if (now !== stampedAt) {
    const hex = now.toString(16).padStart(12, '0');
    stamp = `${hex.slice(0, 8)}-${hex.slice(8)}-7`;
    stampedAt = now;
  }
  const at = used;
  used += 19;
  // The variant's two bits leave two of the digit's four.
  const variant = '89ab'.charAt(Number.parseInt(digits.charAt(at + 3), 16) & 3);
  return `${stamp}${digits.slice(at, at + 3)}-${variant}${digits.slice(at + 4, at + 7)}-${digits.slice(at + 7, at + 19)}`;
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Whether `value` is a UUID in the one spelling we issue (lower case, hyphens). */
export const isId = (value: unknown): value is string => typeof value === 'string' && uuid.test(value);
