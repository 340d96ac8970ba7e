import type { Identity, Member } from '@steward/identity';
import { fail, type PrincipalRef } from '@steward/kernel';
import type { TenantContext } from '@steward/sql';
import { readTenant } from '../permissions.ts';

export interface MemberView {
  readonly principalType: string;
  readonly principalId: string;
  readonly displayName: string | null;
  readonly email: string | null;
  readonly role: string;
  readonly since: string;
  /** The client they were made a member through; null for whoever founded the tenant. */
  readonly createdThrough: string | null;
  /** Since when they have no standing, until a person restores it. */
  readonly suspendedAt: string | null;
}

/** A page of members. @throws Problem `invalid_cursor` (400) */
export async function listMembers(
  identity: Identity,
  context: TenantContext,
  page: { limit: number; cursor?: string | undefined },
): Promise<{ items: MemberView[]; nextCursor: string | null }> {
  const scope = context.require(readTenant);
  const members = await identity.memberships.list(scope, { limit: page.limit + 1, after: readCursor(page.cursor) });
  const shown = members.slice(0, page.limit);
  const last = shown.at(-1)?.principal;
  return {
    items: shown.map(present),
    nextCursor: members.length > page.limit && last !== undefined ? `${last.type}:${last.id}` : null,
  };
}

const present = ({
  principal,
  role,
  addedAt,
  createdThrough,
  suspendedAt,
  displayName,
  email,
}: Member): MemberView => ({
  principalType: principal.type,
  principalId: principal.id,
  displayName: displayName ?? null,
  email: email ?? null,
  role,
  since: addedAt,
  createdThrough: createdThrough ?? null,
  suspendedAt: suspendedAt ?? null,
});

function readCursor(cursor: string | undefined): PrincipalRef | undefined {
  if (cursor === undefined) return undefined;
  const [, type, id] = /^(user|service):(.+)$/s.exec(cursor) ?? [];
  if (id === undefined || id.includes('\0')) throw fail('invalid_cursor', 'Send nextCursor as it was answered.');
  return { type: type as PrincipalRef['type'], id };
}
