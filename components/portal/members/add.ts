import type { Role } from '@steward/access';
import type { Identity } from '@steward/identity';
import type { TenantContext } from '@steward/sql';
import { event, memberFacts } from '../events.ts';
import { portalFail } from '../errors.ts';
import { openClient } from '../grants/open-client.ts';
import { administerMembers } from '../permissions.ts';
import { suspendedHere } from '../suspensions/suspended.ts';

/**
 * Makes a machine (a client of the identity provider) a member; people are invited instead.
 * @throws Problem `already_member`, `member_suspended` (409), `insufficient_role` (403)
 */
export async function addService(
  identity: Identity,
  context: TenantContext,
  serviceId: string,
  role: Exclude<Role, 'owner'>,
): Promise<void> {
  await context.require(administerMembers).write(async (tx) => {
    const through = await openClient(tx);
    const member = { type: 'service', id: serviceId } as const;
    if ((await identity.memberships.suspended(tx, { principal: member })) !== undefined) throw suspendedHere(member);
    const before = await identity.memberships.set(tx, member, role, { by: context.subject, through });
    if (before !== undefined) throw portalFail('already_member');
    tx.record(event('portal.member.added', { ...memberFacts(member), role }));
  });
}
