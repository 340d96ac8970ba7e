import type { Role } from '@steward/access';
import { fail, type PrincipalRef } from '@steward/kernel';
import { sql, type TenantTransaction } from '@steward/sql';
import { errors } from '../errors.ts';

/**
 * Locks the tenant's owners and `principal`, and answers the role that it holds. Two transactions that each take an
 * owner away wait for one another here, and the second sees what the first has left.
 * `next`: the role it is to have; undefined when it is to leave.
 * @throws Problem `last_owner` (409); `insufficient_role` (403) when anyone but an owner touches ownership
 */
export async function lockForChange(
  tx: TenantTransaction,
  principal: PrincipalRef,
  next: Role | undefined,
): Promise<Role | undefined> {
  const rows = await tx.query<{ type: string; id: string; role: Role; suspended: boolean }>(sql`
    select principal_type as type, principal_id as id, role, suspended_at is not null as suspended from identity.member
    where tenant_id = ${tx.context.tenant}
      and (role = 'owner' or (principal_type = ${principal.type} and principal_id = ${principal.id}))
    order by principal_type, principal_id for update`);
  const held = rows.find((row) => row.type === principal.type && row.id === principal.id);
  const present = held?.role;
  if (present !== next && (present === 'owner' || next === 'owner') && tx.role !== 'owner' && tx.role !== 'platform') {
    throw fail('insufficient_role', 'Only an owner may appoint or remove an owner: ask an owner.');
  }
  const active = rows.filter(({ role, suspended }) => role === 'owner' && !suspended);
  if (held !== undefined && present === 'owner' && next !== 'owner' && active.every((row) => row === held)) {
    throw errors('last_owner', 'This is the only owner: make another member an owner first.');
  }
  return present;
}
