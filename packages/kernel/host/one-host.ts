import type { IncomingMessage } from 'node:http';

/**
 * Whether a request names one host: one header `Host`, and the same in an address that is whole (RFC 9112 §3.2). Whoever passed on one that names two may
 * have let it through for the other one.
 */
export function namesOneHost({
  rawHeaders,
  url = '/',
  headers,
}: Pick<IncomingMessage, 'rawHeaders' | 'url' | 'headers'>): boolean {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  if (hosts > 1) return false;
  if (url.startsWith('/') || url === '*') return true;
  const named = URL.parse(url);
  return named !== null && named.host === URL.parse(`${named.protocol}//${headers.host ?? ''}`)?.host;
}
