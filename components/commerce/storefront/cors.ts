import type { Reply } from '@steward/kernel';

export const exposed = 'ETag, Idempotent-Replayed, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id';
const accepted =
  'content-type, x-service-sdk-key, if-none-match, x-cart-token, idempotency-key, if-match, x-order-token';
/** Seconds a browser need not ask again; an origin taken off the list is refused by the request itself. */
const remembered = '600';

/**
 * Lets the page at `origin` read the answer. Problems are readable by any page: no cookie or other credential of the browser
 * is ever asked for here, so they say nothing that the page could not find out without a browser.
 */
export function letRead(reply: Reply, origin: string | undefined): void {
  reply.header('vary', 'Origin');
  if (origin === undefined) return;
  reply.header('access-control-allow-origin', origin).header('access-control-expose-headers', exposed);
}

export function forbidReading(reply: Reply): void {
  reply.removeHeader('access-control-allow-origin').removeHeader('access-control-expose-headers');
}

/** Says to a browser that asks first what the page at `origin` may send. */
export function answerPreflight(reply: Reply, origin: string, methods: string): void {
  reply
    .header('access-control-allow-origin', origin)
    .header('access-control-allow-methods', methods)
    .header('access-control-allow-headers', accepted)
    .header('access-control-max-age', remembered);
}
