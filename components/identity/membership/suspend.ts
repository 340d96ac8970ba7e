import type { Role } from '@steward/access';
import { fail, type PrincipalRef } from '@steward/kernel';
import { sql, type TenantTransaction } from '@steward/sql';

export interface Suspended {
  readonly principal: PrincipalRef;
  readonly role: Role;
}

/**
 * Takes their standing from all members that were made through a client, and from those whom these have made members, and so on, but for
 * whoever does so; they stay members, and a person may restore them. The caller has checked the permission, and records it.
 * @throws Problem `insufficient_role` when one of them is an owner and an owner does not do it
 */
export async function suspendThrough(tx: TenantTransaction, client: string): Promise<Suspended[]> {
  const { tenant, subject } = tx.context;
  await tx.mark();
  const rows = await tx.query<{ type: PrincipalRef['type']; id: string; role: Role }>(sql`
    with recursive made as (
      select principal_type, principal_id from identity.member
      where tenant_id = ${tenant} and created_through = ${client} and suspended_at is null
        and (principal_type, principal_id) <> (${subject.type}, ${subject.id})
      union
      select m.principal_type, m.principal_id from made join identity.member m
        on m.tenant_id = ${tenant} and m.created_by = made.principal_id and m.suspended_at is null
        and (m.principal_type, m.principal_id) <> (${subject.type}, ${subject.id}))
    update identity.member m set suspended_at = clock_timestamp() from made
    where m.tenant_id = ${tenant} and (m.principal_type, m.principal_id) = (made.principal_type, made.principal_id)
    returning m.principal_type as type, m.principal_id as id, m.role`);
  if (tx.role !== 'owner' && rows.some(({ role }) => role === 'owner'))
    throw fail(
      'insufficient_role',
      'An owner was made a member through this client, or by such a member: only an owner may shut it out.',
    );
  return rows.map(({ type, id, role }) => ({ principal: { type, id }, role }));
}

/**
 * Gives a suspended member its standing back.
 * @returns the role it holds; undefined when there is no such suspended member
 * @throws Problem `insufficient_role` when it is an owner and an owner does not do it
 */
export async function restoreMember(tx: TenantTransaction, principal: PrincipalRef): Promise<Role | undefined> {
  await tx.mark();
  const [row] = await tx.query<{ role: Role }>(sql`
    update identity.member set suspended_at = null
    where tenant_id = ${tx.context.tenant} and principal_type = ${principal.type} and principal_id = ${principal.id}
      and suspended_at is not null
    returning role`);
  if (row?.role === 'owner' && tx.role !== 'owner')
    throw fail('insufficient_role', 'Only an owner may restore an owner.');
  return row?.role;
}
