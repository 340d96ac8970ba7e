import type { IncomingMessage } from 'node:http';
import { fail } from '@steward/kernel';
import { missing } from '../token/refuse.ts';

/**
 * Holds a request to one credential in one place. An address ends up in logs and histories, so a token in it is refused
 * whatever else the request carries (RFC 6750 §5.3; OAuth 2.1 has no such way). Of two headers that differ, hops choose
 * differently.
 * @throws Problem `unauthenticated` (401) when only the address carries a token; `invalid_request` (400) when a header does
 *   too, when there are two different `Authorization` headers, or more than one `X-Tenant-ID`
 */
export function requireOneCredential({ url = '/', headers, rawHeaders }: IncomingMessage): void {
  if (namesToken(url)) {
    if (headers.authorization === undefined) throw missing(inHeader);
    throw fail('invalid_request', inHeader);
  }
  let tenants = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (name.length === 13 && name.toLowerCase() === 'authorization') {
      if (rawHeaders[at + 1] !== headers.authorization)
        throw fail('invalid_request', 'The request has two different Authorization headers: send one.');
    } else if (name.length === 11 && name.toLowerCase() === 'x-tenant-id') {
      tenants += 1;
      if (tenants > 1) throw fail('invalid_request', 'The request has two X-Tenant-ID headers: send one.');
    }
  }
}

const inHeader = 'Send the token in the Authorization header, never in the address.';

function namesToken(url: string): boolean {
  const query = url.indexOf('?');
  if (query < 0) return false;
  return new URLSearchParams(url.slice(query + 1))
    .keys()
    .some((name) => ['access_token', 'token'].includes(name.toLowerCase()));
}
