import { hkdfSync } from 'node:crypto';

/** Below which name of a host its owner says whose it is. */
export const challengeLabel = '_steward-challenge';

export interface Claimed {
  readonly tenant: string;
  readonly brandId: string;
  readonly host: string;
}

/**
 * What stands in DNS at a host of a brand. It follows from the secret of the installation, so that nobody can guess it, and from tenant and brand, so that
 * it proves nothing for another one.
 */
export function challengeOf(secret: Uint8Array, { tenant, brandId, host }: Claimed): string {
  const info = `steward/agentic/host/v1\n${tenant.toLowerCase()}\n${brandId.toLowerCase()}\n${host}`;
  return `steward-host=${Buffer.from(hkdfSync('sha512', secret, '', info, 32)).toString('base64url')}`;
}
