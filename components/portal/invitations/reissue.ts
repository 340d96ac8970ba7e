import { randomBytes } from 'node:crypto';
import { operation } from '@steward/access';
import { statement } from '@steward/sql';
import { z } from 'zod';
import { event } from '../events.ts';
import { appoints, people } from '../operations.ts';
import { contentOf } from './content.ts';
import { hashSecret, invitation, invitationDays, issued, noOpenInvitation, ownersInviteOwners } from './invitation.ts';

/**
 * Makes a new secret for an open invitation, shown once, and starts its time again; the secret before ends.
 * @throws Problem `not_found` (404) unless the invitation is open or expired, `insufficient_role` (403)
 */
export const reissueInvitation = operation(
  {
    ...appoints,
    ...people,
    input: z.strictObject({ invitationId: z.uuid() }),
    answer: issued,
    errors: ['not_found'],
  },
  async (scope, { invitationId }) => {
    const secret = randomBytes(24).toString('base64url');
    return scope.write(async (tx) => {
      await tx.mark();
      const [row] = await tx.query(
        statement(
          `update portal.invitation i set secret_hash = $2::bytea, expires_at = clock_timestamp() + make_interval(days => $3::int)
           where invitation_id = $1::uuid and accepted_at is null and revoked_at is null and suspended_at is null
           returning ${invitation.columns}`,
          [invitationId, hashSecret(secret), invitationDays],
        ),
      );
      if (row === undefined) throw noOpenInvitation();
      const renewed = invitation.read(row);
      if (renewed.role === 'owner' && tx.role !== 'owner') throw ownersInviteOwners();
      tx.record(
        event('portal.invitation.reissued', {
          invitation_id: invitationId,
          content_sha256: await contentOf(tx, invitationId),
        }),
      );
      return { ...renewed, secret };
    });
  },
);
