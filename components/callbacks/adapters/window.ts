import { callbacksFail } from '../errors.ts';

/** Clocks differ; nobody signs for later. */
const mostAhead = 300;

/**
 * Refuses a signed time that is stale or in the future: after it was verified, so that it tells a stranger nothing.
 * @param seconds that it may be old; it may be ahead as long, or five minutes
 * @param signedAt, receivedAt milliseconds since the epoch
 * @throws Problem `callback_unverified` (401)
 */
export function requireWithin(seconds: number, signedAt: number, receivedAt: number): void {
  const age = (receivedAt - signedAt) / 1000;
  if (!(age <= seconds && age >= -Math.min(seconds, mostAhead)))
    throw callbacksFail(
      'callback_unverified',
      `The signed time is more than ${seconds} seconds old, or ahead of ours: send the request again with a new signature, and compare the clocks.`,
    );
}

/**
 * Milliseconds since the epoch of a time in a header, as seconds, as milliseconds, or as a date and time with or without a zone (UTC then);
 * undefined where it is none.
 */
export function momentOf(text: string | undefined): number | undefined {
  if (text === undefined || text.length > 40) return undefined;
  if (/^\d{9,13}$/.test(text)) return Number(text) * (text.length > 11 ? 1 : 1000);
  const dated = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?) ?(Z|[+-]\d\d:\d\d)?$/.exec(text);
  if (dated === null) return undefined;
  const moment = Date.parse(`${dated[1]}T${dated[2]}${dated[3] ?? 'Z'}`);
  return Number.isNaN(moment) ? undefined : moment;
}
