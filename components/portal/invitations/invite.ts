import { randomBytes } from 'node:crypto';
import type { Identity } from '@steward/identity';
import { fail, newId } from '@steward/kernel';
import { sql, sqlState, type TenantContext } from '@steward/sql';
import type { z } from 'zod';
import { event } from '../events.ts';
import { portalFail } from '../errors.ts';
import { openClient } from '../grants/open-client.ts';
import { administerMembers } from '../permissions.ts';
import { suspendedHere } from '../suspensions/suspended.ts';
import { contentOf } from './content.ts';
import {
  anotherRole,
  hashSecret,
  invitationDays,
  presentInvitation,
  type Invitation,
  type newInvitation,
} from './invitation.ts';

/**
 * Invites a person by e-mail address. The secret is shown once, in this answer; whoever is sent it accepts with it. Who may invite is
 * decided before: by a person in person, or about a pending action.
 * @throws Problem `insufficient_role` (403), `invitation_open`, `already_member`, `member_suspended` (409)
 */
export async function invite(
  identity: Identity,
  context: TenantContext,
  wanted: z.infer<typeof newInvitation>,
): Promise<Invitation & { secret: string }> {
  const secret = randomBytes(24).toString('base64url');
  try {
    return await context.require(administerMembers).write(async (tx) => {
      if (wanted.role === 'owner' && tx.role !== 'owner')
        throw fail('insufficient_role', 'Only an owner may invite an owner.');
      if ((await identity.memberships.mailedAmong(tx, [wanted.email])).size > 0)
        throw portalFail('already_member', `A member has this address already: ${anotherRole}.`);
      const suspended = await identity.memberships.suspended(tx, { address: wanted.email });
      if (suspended !== undefined) throw suspendedHere(suspended);
      const through = await openClient(tx);
      await tx.mark();
      // An expired one makes way.
      await tx.query(sql`
        update portal.invitation set revoked_at = clock_timestamp()
        where email = ${wanted.email} and accepted_at is null and revoked_at is null and expires_at <= clock_timestamp()`);
      const [row] = await tx.query(sql`
        insert into portal.invitation (tenant_id, invitation_id, email, role, secret_hash, invited_by, invited_by_type, created_through, expires_at)
        values (${context.tenant}::uuid, ${newId()}::uuid, ${wanted.email}, ${wanted.role}, ${hashSecret(secret)}::bytea, ${context.subject.id}, ${context.subject.type},
          ${through ?? null}, clock_timestamp() + make_interval(days => ${invitationDays}::int))
        returning *`);
      const invitation = presentInvitation(row ?? {});
      tx.record(
        event('portal.invitation.sent', {
          invitation_id: invitation.id,
          role: wanted.role,
          content_sha256: await contentOf(tx, invitation.id),
        }),
      );
      return { ...invitation, secret };
    });
  } catch (error) {
    if (sqlState(error) === '23505')
      throw portalFail('invitation_open', 'Revoke the open invitation to this address first.');
    throw error;
  }
}
