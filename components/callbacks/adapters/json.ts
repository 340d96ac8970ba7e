import { isShallow, parseJson, Problem } from '@steward/kernel';
import { callbacksFail } from '../errors.ts';
import { momentOf } from './window.ts';

type Members = Readonly<Record<string, unknown>>;

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Of a value that was parsed: its members, or none. */
export const membersOf = (value: unknown): Members => (isMembers(value) ? value : {});

/**
 * The JSON object of a body that is genuine. Larger than what callers may send: a provider's product has thousands of variants.
 * @throws Problem `callback_malformed` (400)
 */
export function readObject(body: Uint8Array): Members {
  try {
    const text = utf8.decode(body);
    const value: unknown = isShallow(text, deepest) ? JSON.parse(text) : undefined;
    if (isMembers(value)) return value;
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof TypeError)) throw error;
  }
  throw malformed('The body is no JSON object.');
}

/** The JSON object of a body that anybody may have sent: within the limits of callers; undefined for anything else. */
export function peekObject(body: Uint8Array): Members | undefined {
  try {
    const text = utf8.decode(body);
    const value: unknown = isShallow(text, deepest) ? parseJson(text) : undefined;
    return isMembers(value) ? value : undefined;
  } catch (error) {
    if (error instanceof Problem || error instanceof TypeError) return undefined;
    throw error;
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
/** Whoever walks through what was parsed recurses. */
const deepest = 64;

/** A text of 1–200 characters that the event must have. @throws Problem `callback_malformed` (400) */
export function requiredText(from: Members, name: string): string {
  const value = optionalText(from[name]);
  if (value === undefined) throw malformed(`The event has no usable ${name}.`);
  return value;
}

/** A text of 1–200 characters without control characters; anything else is none. */
export const optionalText = (value: unknown): string | undefined =>
  typeof value === 'string' && value.length > 0 && value.length <= 200 && !/\p{Cc}/u.test(value) && value.isWellFormed()
    ? value
    : undefined;

/** A text, or a whole number as text: many providers number their things. 1–200 characters. */
export const optionalId = (value: unknown): string | undefined =>
  Number.isSafeInteger(value) ? String(value) : optionalText(value);

/** RFC 3339 with milliseconds of a date and time in text; null where it is none. */
export function momentOfText(value: unknown): string | null {
  const moment = typeof value === 'string' ? momentOf(value) : undefined;
  return moment === undefined ? null : new Date(moment).toISOString();
}

/** RFC 3339 with milliseconds of seconds since the epoch, where they are a time of our days. */
export const momentOfSeconds = (seconds: unknown): string | null =>
  Number.isSafeInteger(seconds) && Number(seconds) > 0 && Number(seconds) < 253_402_300_800
    ? new Date(Number(seconds) * 1000).toISOString()
    : null;

export const malformed = (detail: string): Problem => callbacksFail('callback_malformed', detail);
