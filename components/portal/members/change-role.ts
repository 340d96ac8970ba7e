import type { Role } from '@steward/access';
import type { Identity } from '@steward/identity';
import { fail, type PrincipalRef } from '@steward/kernel';
import type { TenantContext } from '@steward/sql';
import { event, memberFacts } from '../events.ts';
import { openClient } from '../grants/open-client.ts';
import { administerMembers } from '../permissions.ts';

/**
 * Changes what a member may do, from the next request on.
 * @throws Problem `not_human` (403) where a machine is to own it, `not_found` (404), `insufficient_role` (403), `last_owner` (409)
 */
export async function changeRole(
  identity: Identity,
  context: TenantContext,
  member: PrincipalRef,
  role: Role,
): Promise<void> {
  if (member.type === 'service' && role === 'owner') throw fail('not_human', 'A machine cannot own a tenant.');
  await context.require(administerMembers).write(async (tx) => {
    const through = await openClient(tx);
    const before = await identity.memberships.set(tx, member, role, { by: context.subject, through });
    // Undoes the membership that was just made: roles are changed here, members are made by invitation.
    if (before === undefined) throw fail('not_found', 'There is no such member.');
    if (before === role) return;
    tx.record(
      event('portal.member.role_changed', {
        ...memberFacts(member),
        before,
        after: role,
      }),
    );
  });
}
