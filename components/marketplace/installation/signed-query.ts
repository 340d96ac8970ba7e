import { createHmac, timingSafeEqual } from 'node:crypto';

/** How long ago, or ahead of our clock, the marketplace may have sent somebody back. Seconds. */
export const window = 90;
const mostParameters = 30;

/**
 * What the marketplace says in a query that it signed; undefined where it did not, or where it says something twice.
 * Source: https://shopify.dev/docs/apps/build/authentication-authorization/access-tokens/authorization-code-grant
 * @param search with or without `?`
 * @param secrets of the app
 */
export function signedQuery(search: string, secrets: readonly string[]): ReadonlyMap<string, string> | undefined {
  const all = [...new URLSearchParams(search)];
  const said = new Map(all);
  const given = said.get('hmac');
  if (all.length > mostParameters || said.size < all.length || given === undefined || !/^[0-9a-f]{64}$/.test(given))
    return undefined;
  said.delete('hmac');
  const sorted = [...said].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const signed = new URLSearchParams(sorted).toString();
  const fits = secrets.map((secret) =>
    timingSafeEqual(Buffer.from(given, 'hex'), createHmac('sha256', secret).update(signed).digest()),
  );
  return fits.includes(true) ? said : undefined;
}

/** @param now milliseconds */
export const isInTime = (timestamp: string | undefined, now: number): boolean =>
  timestamp !== undefined && /^\d{10}$/.test(timestamp) && Math.abs(now / 1000 - Number(timestamp)) <= window;
