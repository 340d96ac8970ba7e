import type { Identity, Member } from '@steward/identity';
import type { PrincipalRef } from '@steward/kernel';
import { page, placeOf, type Page, type PageRequest, type TenantContext } from '@steward/sql';
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
  { limit, cursor }: PageRequest,
): Promise<Page<MemberView>> {
  const scope = context.require(readTenant);
  const after = cursor === undefined ? undefined : principalOf(cursor);
  const members = await identity.memberships.list(scope, { limit: limit + 1, after });
  return page(members, limit, present, (_item, { principal: { type, id } }) => `${type}:${id}`);
}

function principalOf(cursor: string): PrincipalRef {
  const [type, id = ''] = placeOf(cursor, /^(user|service):(.+)$/s, 'Send nextCursor as it was answered.');
  return { type: type as PrincipalRef['type'], id };
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
