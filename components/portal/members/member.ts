import { roles } from '@steward/access';
import { principalId, type Member } from '@steward/identity';
import type { PrincipalRef } from '@steward/kernel';
import { z } from 'zod';

/** Which member, by who they are. */
export const memberRef = { principalType: z.enum(['user', 'service']), principalId };

export const refOf = (named: {
  readonly principalType: PrincipalRef['type'];
  readonly principalId: string;
}): PrincipalRef => ({ type: named.principalType, id: named.principalId });

export const member = z.object({
  principalType: z.string(),
  principalId: z.string(),
  displayName: z.string().nullable(),
  email: z.string().nullable(),
  role: z.enum(roles),
  since: z.string(),
  /** The client they were made a member through; null for the founder of the tenant. */
  createdThrough: z.string().nullable(),
  /** Since when they have no access, until a person restores it. */
  suspendedAt: z.string().nullable(),
});

export const presentMember = ({ principal, addedAt, ...held }: Member): z.output<typeof member> => ({
  principalType: principal.type,
  principalId: principal.id,
  displayName: held.displayName ?? null,
  email: held.email ?? null,
  role: held.role,
  since: addedAt,
  createdThrough: held.createdThrough ?? null,
  suspendedAt: held.suspendedAt ?? null,
});
