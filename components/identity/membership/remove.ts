import type { Role } from '@steward/access';
import type { PrincipalRef } from '@steward/kernel';
import { sql, type TenantTransaction } from '@steward/sql';
import { lockForChange } from './ownership.ts';

/**
 * Takes `principal` out of the transaction's tenant; the caller has checked the permission, and records it.
 * @returns the role held before; undefined when it was no member
 * @throws Problem `last_owner`, `insufficient_role`
 */
export async function removeMember(tx: TenantTransaction, principal: PrincipalRef): Promise<Role | undefined> {
  const before = await lockForChange(tx, principal, undefined);
  if (before !== undefined) {
    await tx.mark();
    await tx.query(sql`
      insert into identity.former_member (tenant_id, principal_type, principal_id, created_through, created_by, created_by_type,
        role)
      select tenant_id, principal_type, principal_id, created_through, created_by, created_by_type, role from identity.member
      where tenant_id = ${tx.context.tenant} and principal_type = ${principal.type} and principal_id = ${principal.id}`);
    await tx.query(sql`
      delete from identity.member where tenant_id = ${tx.context.tenant}
        and principal_type = ${principal.type} and principal_id = ${principal.id}`);
  }
  return before;
}
