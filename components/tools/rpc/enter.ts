import type { Eventually, TenantStanding } from '@steward/access';
import { isId } from '@steward/kernel';
import { forbidden, tenantOf } from '../call/tenant.ts';
import type { Desk, Visit } from './desk.ts';

/** The tenant a visit names besides the arguments of a call. Empty is not given. */
export const headerOf = ({ headers }: Visit): string | undefined => {
  const given = headers['x-tenant-id'];
  return given === undefined || given === '' ? undefined : String(given);
};

/**
 * The caller's standing in a tenant.
 * @throws Problem `tenant_forbidden` where there is none, or no such tenant
 */
export function enter(desk: Desk, visit: Visit, tenant: string): Eventually<TenantStanding> {
  const standing = isId(tenant) ? desk.deps.standing(visit.caller, tenant) : undefined;
  return standing instanceof Promise ? standing.then((one) => held(desk, visit, one)) : held(desk, visit, standing);
}

function held({ deps, meter }: Desk, visit: Visit, standing: TenantStanding | undefined): TenantStanding {
  if (standing !== undefined) return standing;
  // Never into a chain: a stranger would write into the log of a tenant it does not belong to.
  meter.foreign();
  const { requestId, caller } = visit;
  deps.log.warn({ requestId, principal: caller.principal.id }, 'a tenant was named by a stranger');
  throw forbidden();
}

/**
 * The standing a visit has before any arguments are read; undefined when it names no tenant.
 * @throws Problem `tenant_mismatch` or `tenant_forbidden`
 */
export function standingOf(desk: Desk, visit: Visit): Eventually<TenantStanding | undefined> {
  const tenant = tenantOf({
    header: headerOf(visit),
    address: visit.address.tenant,
    claim: visit.caller.tenantClaim,
    argument: undefined,
  });
  return tenant === undefined ? undefined : enter(desk, visit, tenant);
}
