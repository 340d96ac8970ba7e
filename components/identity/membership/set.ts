import type { Role } from '@steward/access';
import { fail, type PrincipalRef } from '@steward/kernel';
import { sql, type TenantTransaction } from '@steward/sql';
import { serviceIdPrefix } from '../token/service.ts';
import { lockForChange } from './ownership.ts';

/** Who did it, and through which client. */
export interface Origin {
  readonly by: PrincipalRef;
  readonly through: string | undefined;
}

/**
 * Gives `principal` this one role in the transaction's tenant; the caller has checked the permission, and records it.
 * @param from who makes a new member, or gives another role, and the client they do it through
 * @returns the role held before; undefined when it was no member
 * @throws Problem `last_owner`, `insufficient_role`; `invalid_request` when such a principal cannot be a member
 */
export async function setMember(
  tx: TenantTransaction,
  principal: PrincipalRef,
  role: Role,
  from?: Origin,
): Promise<Role | undefined> {
  const { type, id } = principal;
  if ((type !== 'user' && type !== 'service') || id === '' || id.length > 300 || id.startsWith(serviceIdPrefix)) {
    throw fail('invalid_request', 'A member is a user, or a service of an identity provider, with a subject id.');
  }
  const before = await lockForChange(tx, principal, role);
  if (before !== role) {
    await tx.mark();
    await tx.query(sql`
      insert into identity.member (tenant_id, principal_type, principal_id, role, created_through, created_by, created_by_type)
      values (${tx.context.tenant}, ${type}, ${id}, ${role}, ${from?.through ?? null}, ${from?.by.id ?? null}, ${from?.by.type ?? null})
      on conflict (tenant_id, principal_type, principal_id) do update set role = excluded.role,
        role_through = excluded.created_through, role_by = excluded.created_by, role_by_type = excluded.created_by_type`);
  }
  return before;
}
