import { requireHuman, type Caller } from '@steward/access';
import type { Guard } from '@steward/contract';
import { fail, type Request } from '@steward/kernel';
import type { TenantContext } from '@steward/sql';
import { canonicalAudience } from '../token/caller.ts';
import type { Authenticate } from '../token/authenticate.ts';
import { requireOneCredential } from './credentials.ts';
import { agreedTenant, type RequestIds } from './tenant.ts';

/** A caller and its way into one tenant. */
export interface Admitted {
  readonly caller: Caller;
  readonly context: TenantContext;
}

export interface Guards {
  /** Any accepted token. `base`: the component's own public base URL, an accepted audience (RFC 8707). */
  bearer(base: string, extraAudiences?: readonly string[]): Guard<Caller>;
  /** A token, and a tenant named by `X-Tenant-ID` or the token's claim. */
  tenant(base: string): Guard<Admitted>;
  /** As `tenant`, for people only. */
  person(base: string): Guard<Admitted>;
}

export function createGuards(
  authenticate: Authenticate,
  contextFor: (caller: Caller, tenant: string, ids: RequestIds) => TenantContext,
): Guards {
  const admitBearer = (audiences: readonly string[]) => (request: Request) => {
    requireOneCredential(request.raw);
    return authenticate(request.headers.authorization, audiences);
  };
  const enter = (caller: Caller, request: Request): Admitted => {
    const header = request.headers['x-tenant-id'];
    const tenant = agreedTenant(caller, typeof header === 'string' ? header : undefined);
    if (tenant === undefined) throw fail('tenant_required', 'Send the tenant in X-Tenant-ID.');
    return { caller, context: contextFor(caller, tenant, { requestId: request.id }) };
  };
  return {
    bearer: (base, extraAudiences = []) => ({
      security: 'bearer',
      errors: ['unauthenticated'],
      admit: admitBearer([base, ...extraAudiences].map(canonicalAudience)),
    }),
    tenant: (base) => {
      const admit = admitBearer([canonicalAudience(base)]);
      return {
        security: 'tenant',
        errors: ['unauthenticated', 'tenant_required', 'tenant_mismatch', 'tenant_forbidden'],
        admit: async (request) => enter(await admit(request), request),
      };
    },
    person: (base) => {
      const admit = admitBearer([canonicalAudience(base)]);
      return {
        security: 'tenant',
        errors: ['unauthenticated', 'not_human', 'tenant_required', 'tenant_mismatch', 'tenant_forbidden'],
        admit: async (request) => {
          const caller = await admit(request);
          requireHuman(caller);
          return enter(caller, request);
        },
      };
    },
  };
}
