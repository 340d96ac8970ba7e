import type { Admission } from '@steward/sql';
import type { SiteKey } from '@steward/studio';

/** Who acts on a page of a site. Not a platform service, whose ids begin with `service:`: a key speaks for its site alone. */
export function visitorOf(key: Pick<SiteKey, 'tenant' | 'keyId'>, requestId: string): Admission {
  const visitor = { type: 'service', id: `sdk-key:${key.keyId}` } as const;
  return {
    tenant: key.tenant,
    chain: [visitor],
    subject: visitor,
    caller: visitor,
    requestId,
    correlationId: requestId,
  };
}
