import type { Identity } from '@steward/identity';
import type { PrincipalRef } from '@steward/kernel';
import { sql, type TenantContext } from '@steward/sql';
import { administerMembers } from '../permissions.ts';

/** What was made through a client that was shut out since, for a person to look at. */
export interface Suspension {
  readonly kind: 'member' | 'grant' | 'invitation';
  /** Of a member `user:…` or `service:…`, of a grant the agent's, of an invitation its own. */
  readonly id: string;
  /** The client it was made through; empty where none is known. */
  readonly client: string;
  /** The id of whoever invited, added or granted it, who may be suspended too; null where it was not kept yet. */
  readonly createdBy: string | null;
  readonly suspendedAt: string;
  /** What people call a member, where they came at all. */
  readonly displayName: string | null;
  readonly email: string | null;
  readonly role: string | null;
}

type Members = Pick<Identity['memberships'], 'list'>;

/** Grants and invitations shown at once; what was restored or removed makes room. */
const most = 1_000;

export async function listSuspensions(memberships: Members, context: TenantContext): Promise<Suspension[]> {
  const scope = context.require(administerMembers);
  const rows = await scope.read<Omit<Suspension, 'displayName' | 'suspendedAt'> & { readonly at: Date }>(sql`
    select 'grant' as kind, agent_id as id, coalesce(created_through, '') as client, granted_by as "createdBy", suspended_at as at, null as email, null as role
      from portal.agent_grant where suspended_at is not null and revoked_at is null
    union all
    select 'invitation', invitation_id::text, coalesce(created_through, ''), invited_by, suspended_at, email, role
      from portal.invitation where suspended_at is not null and accepted_at is null and revoked_at is null
    order by at desc, id limit ${most}::int`);
  const others = rows.map(({ at, ...row }) => ({ ...row, displayName: null, suspendedAt: at.toISOString() }));
  return [...(await suspendedMembers(memberships, scope)), ...others];
}

async function suspendedMembers(
  memberships: Members,
  scope: ReturnType<TenantContext['require']>,
): Promise<Suspension[]> {
  const found: Suspension[] = [];
  let after: PrincipalRef | undefined;
  for (;;) {
    const page = await memberships.list(scope, { limit: 200, after });
    for (const { principal, role, createdThrough, createdBy, suspendedAt, displayName, email } of page) {
      if (suspendedAt === undefined) continue;
      found.push({
        kind: 'member',
        id: `${principal.type}:${principal.id}`,
        client: createdThrough ?? '',
        createdBy: createdBy ?? null,
        suspendedAt,
        displayName: displayName ?? null,
        email: email ?? null,
        role,
      });
    }
    after = page.at(-1)?.principal;
    if (page.length < 200) return found;
  }
}
