import type { Role } from '@steward/access';
import type { PrincipalRef } from '@steward/kernel';
import { sql, type TenantTransaction } from '@steward/sql';

/** The role of `principal` in the transaction's tenant; undefined for who is no member, or suspended. */
export async function roleOf(tx: TenantTransaction, { type, id }: PrincipalRef): Promise<Role | undefined> {
  const [row] = await tx.query<{ role: Role }>(sql`
    select role from identity.member
    where tenant_id = ${tx.context.tenant} and principal_type = ${type} and principal_id = ${id} and suspended_at is null`);
  return row?.role;
}
