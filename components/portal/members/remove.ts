import { fail, type PrincipalRef } from '@steward/kernel';
import type { TenantContext } from '@steward/sql';
import { event, memberFacts } from '../events.ts';
import type { PortalPorts } from '../door.ts';
import { openClient } from '../grants/open-client.ts';
import { administerMembers } from '../permissions.ts';

/**
 * Ends a membership, from the next request on; what the member, or an agent for them, had proposed is withdrawn.
 * @throws Problem `not_found` (404), `insufficient_role` (403), `last_owner` (409)
 */
export async function removeMember(
  { identity, withdrawAll }: Pick<PortalPorts, 'identity' | 'withdrawAll'>,
  context: TenantContext,
  member: PrincipalRef,
): Promise<void> {
  await context.require(administerMembers).write(async (tx) => {
    await openClient(tx);
    const before = await identity.memberships.remove(tx, member);
    if (before === undefined) throw fail('not_found', 'There is no such member.');
    tx.record(event('portal.member.removed', { ...memberFacts(member), role: before }));
    await withdrawAll(tx, ({ subject }) =>
      subject.type === member.type && subject.id === member.id ? 'member_removed' : undefined,
    );
  });
}
