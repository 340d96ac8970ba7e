import { randomBytes } from 'node:crypto';
import { operation, roles } from '@steward/access';
import { newId } from '@steward/kernel';
import { sql, sqlState, statement } from '@steward/sql';
import { z } from 'zod';
import type { PortalPorts } from '../door.ts';
import { event } from '../events.ts';
import { portalFail } from '../errors.ts';
import { openClient } from '../grants/open-client.ts';
import { appoints } from '../operations.ts';
import { suspendedHere } from '../suspensions/suspended.ts';
import { contentOf } from './content.ts';
import { anotherRole, hashSecret, invitation, invitationDays, issued, ownersInviteOwners } from './invitation.ts';

/**
 * Invites a person by e-mail address. Only this answer shows the secret, with which the invited person accepts. Whether the caller may invite is
 * decided before: by a person with a deciding token, or about a pending action.
 * @throws Problem `insufficient_role` (403), `invitation_open`, `already_member`, `member_suspended` (409)
 */
export const invite = operation(
  {
    ...appoints,
    name: 'service_invite_member',
    input: z.strictObject({
      email: z.email().max(254).meta({ description: 'Address that the invitation is for.' }),
      role: z.enum(roles).meta({ description: 'What the member may do.' }),
    }),
    answer: issued,
    errors: ['invitation_open', 'already_member', 'member_suspended'],
  },
  async (scope, { email: given, role }, { identity }: Pick<PortalPorts, 'identity'>) => {
    const email = given.toLowerCase();
    const secret = randomBytes(24).toString('base64url');
    try {
      return await scope.write(async (tx) => {
        const { tenant, subject } = tx.context;
        if (role === 'owner' && tx.role !== 'owner') throw ownersInviteOwners();
        if ((await identity.memberships.mailedAmong(tx, [email])).size > 0)
          throw portalFail('already_member', `A member already has this address: ${anotherRole}.`);
        const suspended = await identity.memberships.suspended(tx, { address: email });
        if (suspended !== undefined) throw suspendedHere(suspended);
        const through = await openClient(tx);
        await tx.mark();
        // An expired one makes way.
        await tx.query(sql`
          update portal.invitation set revoked_at = clock_timestamp()
          where email = ${email} and accepted_at is null and revoked_at is null and expires_at <= clock_timestamp()`);
        const [row = {}] = await tx.query(
          statement(
            `insert into portal.invitation as i (tenant_id, invitation_id, email, role, secret_hash, invited_by, invited_by_type, created_through, action_id, expires_at)
             values ($1::uuid, $2::uuid, $3, $4, $5::bytea, $6, $7, $8, $9::uuid, clock_timestamp() + make_interval(days => $10::int))
             returning ${invitation.columns}`,
            [
              tenant,
              newId(),
              email,
              role,
              hashSecret(secret),
              subject.id,
              subject.type,
              through ?? null,
              tx.context.action ?? null,
              invitationDays,
            ],
          ),
        );
        const sent = invitation.read(row);
        tx.record(
          event('portal.invitation.sent', {
            invitation_id: sent.id,
            role,
            content_sha256: await contentOf(tx, sent.id),
          }),
        );
        return { ...sent, secret };
      });
    } catch (error) {
      if (sqlState(error) === '23505')
        throw portalFail('invitation_open', 'Revoke the open invitation to this address first.');
      throw error;
    }
  },
);
