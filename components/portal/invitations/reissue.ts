import { randomBytes } from 'node:crypto';
import { operation } from '@steward/access';
import { fail, type Problem } from '@steward/kernel';
import { sql, statement } from '@steward/sql';
import { z } from 'zod';
import type { PortalPorts } from '../door.ts';
import { event } from '../events.ts';
import { appoints, people } from '../operations.ts';
import { contentOf } from './content.ts';
import { invite } from './invite.ts';
import { hashSecret, invitation, invitationDays, issued, noOpenInvitation, ownersInviteOwners } from './invitation.ts';

/**
 * Makes a new secret for an invitation, shown once; the secret before ends, and whoever makes it is who invites from then on: it is theirs to hand out. Who may invite alone starts its time again. Where that takes two people, an
 * invitation that they decided gets its first secret from one whom the action names, for as long as it was decided.
 * @throws Problem `not_found` (404) unless the invitation is open or expired, `insufficient_role` (403), `conflict` (409) where two people are wanted, and what deciding throws
 */
export const reissueInvitation = operation(
  {
    ...appoints,
    ...people,
    input: z.strictObject({ invitationId: z.uuid() }),
    answer: issued,
    errors: ['not_found', 'conflict'],
  },
  async (scope, { invitationId }, { decider, approvals }: Pick<PortalPorts, 'decider' | 'approvals'>) => {
    decider.requireFor(scope.context);
    const refused = await approvals.refusedAlone(scope.context, invite.name);
    if (refused !== undefined && refused.code !== 'approval_required') throw refused;
    const secret = randomBytes(24).toString('base64url');
    return scope.write(async (tx) => {
      await tx.mark();
      const { subject } = tx.context;
      const [open] = await tx.query<{ action: string | null; expired: boolean }>(sql`
        select action_id::text as action, expires_at <= clock_timestamp() as expired from portal.invitation
        where invitation_id = ${invitationId}::uuid and accepted_at is null and revoked_at is null and suspended_at is null for update`);
      if (open === undefined) throw noOpenInvitation();
      if (refused !== undefined) {
        if (open.action === null || open.expired) throw twoPeople();
        if (!(await approvals.names(tx, open.action))) throw notNamed();
      }
      const [row = {}] = await tx.query(
        statement(
          `update portal.invitation i set secret_hash = $2::bytea, action_id = null, invited_by = $5, invited_by_type = $6,
             expires_at = case when $4::bool then expires_at else clock_timestamp() + make_interval(days => $3::int) end
           where invitation_id = $1::uuid returning ${invitation.columns}`,
          [invitationId, hashSecret(secret), invitationDays, refused !== undefined, subject.id, subject.type],
        ),
      );
      const renewed = invitation.read(row);
      if (renewed.role === 'owner' && tx.role !== 'owner') throw ownersInviteOwners();
      tx.record(
        event('portal.invitation.reissued', {
          invitation_id: invitationId,
          role: renewed.role,
          content_sha256: await contentOf(tx, invitationId),
        }),
      );
      return { ...renewed, secret };
    });
  },
);

const twoPeople = (): Problem =>
  fail(
    'conflict',
    'The approval policy may require two people for this, and the secret of the invitation was made already, or its time is over: revoke it, and ' +
      'propose another with service_invite_member.',
  );
const notNamed = (): Problem =>
  fail(
    'insufficient_role',
    'Two people decided about this invitation: whoever asked for it, or one of those who approved it, makes its secret.',
  );
