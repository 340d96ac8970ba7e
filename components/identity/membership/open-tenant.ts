import { fail, isId, type PrincipalRef } from '@steward/kernel';
import { sql, type Statement } from '@steward/sql';

/**
 * Opens a tenant for the round trip or transaction it leads, and answers one row `{ role }`: the subject's role there,
 * `platform` for a service token where the tenant exists, null (and no tenant is open) otherwise; `changed`, and no tenant open,
 * where access has changed since the version that something was decided `under`.
 * @throws Problem `tenant_forbidden` when `tenant` is no id: the same answer as for a tenant that does not exist
 */
export function openTenant(tenant: string, subject: PrincipalRef, under?: bigint): Statement {
  requireId(tenant);
  return sql`select identity.enter(${tenant}, ${subject.type}, ${subject.id}, ${under ?? null}) as role`;
}

/** The same for whoever reads what decides: the row has `version` as well, and what is read behind it is at least as new. */
export function openToDecide(tenant: string, subject: PrincipalRef): Statement {
  requireId(tenant);
  return sql`
    select identity.current_access_version(${tenant}) as version, identity.enter(${tenant}, ${subject.type}, ${subject.id}, null) as role`;
}

function requireId(tenant: string): void {
  if (!isId(tenant)) throw fail('tenant_forbidden', 'You are not a member of this tenant, or there is no such tenant.');
}
