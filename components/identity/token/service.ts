import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Caller } from '@steward/access';

/** What only a configured service token is named with; no issuer's subject may begin so. */
export const serviceIdPrefix = 'service:';

const never: ReadonlySet<string> = new Set();

/** A new platform service token, and its entry for `SERVICE_TOKENS`, which holds only its digest. */
export function makeServiceToken(name: string): { token: string; entry: string } {
  const token = `steward_service_${randomBytes(32).toString('base64url')}`;
  return { token, entry: `${name}:${hash('sha256', token)}` };
}

/** The caller of a service token, or undefined. Every entry is compared, each in constant time. */
export function serviceTokens(
  entries: readonly { readonly name: string; readonly sha256: string }[],
): (token: string) => Caller | undefined {
  const known = entries.map(({ name, sha256 }) => ({ digest: Buffer.from(sha256, 'hex'), caller: callerNamed(name) }));
  return (token) => {
    const given = hash('sha256', token, 'buffer');
    let found: Caller | undefined;
    for (const { digest, caller } of known) if (timingSafeEqual(digest, given)) found = caller;
    return found;
  };
}

function callerNamed(name: string): Caller {
  const principal = { type: 'service', id: `${serviceIdPrefix}${name}` } as const;
  return {
    principal,
    subject: principal,
    agentId: undefined,
    chain: [principal],
    human: false,
    service: true,
    displayName: name,
    email: undefined,
    scopes: never,
    namesToolScopes: false,
    platformRoles: never,
    audiences: [],
    clientId: undefined,
    issuer: undefined,
    tenantClaim: undefined,
    authTime: undefined,
    expiresAt: Number.MAX_SAFE_INTEGER,
  };
}
