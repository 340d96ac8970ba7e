import { createHash } from 'node:crypto';
import { roles, type Role } from '@steward/access';
import { id, moment, nullable, oneOf, shape, text } from '@steward/contract';
import { fail } from '@steward/kernel';
import { z } from 'zod';

/** Of `portal.invitation` named `i`. */
export const invitation = shape('i', {
  id: id('i.invitation_id'),
  email: text(),
  role: oneOf(roles),
  status: oneOf(
    ['open', 'expired', 'accepted', 'revoked', 'suspended'],
    `case when i.accepted_at is not null then 'accepted' when i.revoked_at is not null then 'revoked'
      when i.suspended_at is not null then 'suspended' when i.expires_at <= clock_timestamp() then 'expired' else 'open' end`,
  ),
  invitedBy: text(),
  /** The client it was made through. */
  createdThrough: nullable(text()),
  invitedAt: moment(),
  expiresAt: moment(),
});

/** With its secret, which is shown this once. */
export const issued = invitation.answer.extend({ secret: z.string() });

export const noOpenInvitation = (): Error =>
  fail('not_found', 'No open invitation has this id: list the invitations for those that are open.');
export const ownersInviteOwners = (): Error =>
  fail('insufficient_role', 'Only an owner may invite an owner: choose another role, or ask an owner.');

/** Whether somebody of a role may have invited as another one. @param inviter undefined for who is no member */
export const mayInvite = (inviter: Role | undefined, role: Role): boolean =>
  inviter === 'owner' || (inviter === 'admin' && role !== 'owner');

/** What somebody who wanted to invite a member may do instead. */
export const anotherRole =
  'to give a member another role, change it (service_change_member_role, or PATCH /api/members/{principalType}/{principalId})';

export const invitationDays = 7;

export const hashSecret = (secret: string): Buffer => createHash('sha256').update(secret).digest();
