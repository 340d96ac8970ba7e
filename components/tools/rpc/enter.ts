import type { MaybePromise, AccessProfile } from '@steward/access';
import { isId } from '@steward/kernel';
import { forbidden, tenantOf } from '../call/tenant.ts';
import type { ToolServer, Visit } from './request.ts';

/** The tenant a visit names besides the arguments of a call. Empty is not given. */
export const headerOf = ({ headers }: Visit): string | undefined => {
  const given = headers['x-tenant-id'];
  return given === undefined || given === '' ? undefined : String(given);
};

/**
 * The caller's profile in a tenant.
 * @throws Problem `tenant_forbidden` where there is none, or no such tenant
 */
export function enter(server: ToolServer, visit: Visit, tenant: string): MaybePromise<AccessProfile> {
  const profile = isId(tenant) ? server.deps.accessProfile(visit.caller, tenant) : undefined;
  return profile instanceof Promise ? profile.then((one) => held(server, visit, one)) : held(server, visit, profile);
}

function held({ deps, meter }: ToolServer, visit: Visit, profile: AccessProfile | undefined): AccessProfile {
  if (profile !== undefined) return profile;
  // Never into a chain: a stranger would write into the log of a tenant it does not belong to.
  meter.foreign();
  const { requestId, caller } = visit;
  deps.log.warn({ requestId, principal: caller.principal.id }, 'a tenant was named by a stranger');
  throw forbidden();
}

/**
 * The profile a visit has before any arguments are read; undefined when it names no tenant.
 * @throws Problem `tenant_mismatch` or `tenant_forbidden`
 */
export function profileOf(server: ToolServer, visit: Visit): MaybePromise<AccessProfile | undefined> {
  const tenant = tenantOf({
    header: headerOf(visit),
    address: visit.address.tenant,
    claim: visit.caller.tenantClaim,
    argument: undefined,
  });
  return tenant === undefined ? undefined : enter(server, visit, tenant);
}
