import { fail, isId, type PrincipalRef } from '@steward/kernel';
import { sql, type Statement } from '@steward/sql';

/**
 * Opens a tenant for the round trip or transaction it leads, and answers one row `{ role }`: the subject's role there,
 * `platform` for a service token where the tenant exists, null (and no tenant is open) otherwise.
 * @throws Problem `tenant_forbidden` when `tenant` is no id: the same answer as for a tenant that does not exist
 */
export function openTenant(tenant: string, subject: PrincipalRef): Statement {
  if (!isId(tenant)) throw fail('tenant_forbidden', 'You are not a member of this tenant, or there is no such tenant.');
  return sql`select identity.enter(${tenant}, ${subject.type}, ${subject.id}) as role`;
}
