import { createHash } from 'node:crypto';
import { roles, type Role } from '@steward/access';
import type { Row } from '@steward/sql';
import { z } from 'zod';

export const newInvitation = z.strictObject({
  email: z
    .email()
    .max(254)
    .transform((address) => address.toLowerCase()),
  role: z.enum(roles),
});

export interface Invitation {
  readonly id: string;
  readonly email: string;
  readonly role: Role;
  readonly status: 'open' | 'expired' | 'accepted' | 'revoked' | 'suspended';
  readonly invitedBy: string;
  /** The client it was made through. */
  readonly createdThrough: string | null;
  readonly invitedAt: string;
  readonly expiresAt: string;
}

/** What whoever wanted to invite a member may do instead. */
export const anotherRole =
  'to give a member another role, change it (service_change_member_role, or PATCH /api/members/{principalType}/{principalId})';

export const invitationDays = 7;

export const hashSecret = (secret: string): Buffer => createHash('sha256').update(secret).digest();

export const presentInvitation = (row: Row): Invitation => ({
  id: String(row['invitation_id']),
  email: String(row['email']),
  role: row['role'] as Role,
  status: statusOf(row),
  invitedBy: String(row['invited_by']),
  createdThrough: row['created_through'] as string | null,
  invitedAt: (row['invited_at'] as Date).toISOString(),
  expiresAt: (row['expires_at'] as Date).toISOString(),
});

function statusOf(row: Row): Invitation['status'] {
  if (row['accepted_at'] !== null) return 'accepted';
  if (row['revoked_at'] !== null) return 'revoked';
  if (row['suspended_at'] !== null) return 'suspended';
  return (row['expires_at'] as Date).getTime() <= Date.now() ? 'expired' : 'open';
}
