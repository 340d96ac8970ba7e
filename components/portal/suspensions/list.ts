import { operation } from '@steward/access';
import type { Fixed } from '@steward/contract';
import { readIntegration, type Identity, type Member } from '@steward/identity';
import type { PrincipalRef } from '@steward/kernel';
import { sql, type TenantScope } from '@steward/sql';
import { z } from 'zod';
import type { IntegrationPorts } from '../integrations/list.ts';
import { appointees } from '../operations.ts';

/** What was made through a client that was shut out since, for a person to look at. */
export const suspension = z.object({
  kind: z.enum(['member', 'grant', 'invitation', 'webhook', 'agent_credential', 'product_feed']),
  /** Of a member `user:…` or `service:…`, of a grant the agent's, of all others their own. */
  id: z.string(),
  /** Empty where none is known. */
  client: z.string().meta({
    description:
      'The client it was made through: the client that was shut out, or another one where the member who made it was ' +
      'suspended.',
  }),
  /** Null where it is the same, and of what is no member. */
  roleThrough: z.string().nullable().meta({ description: 'The client that later changed the role of the member.' }),
  /** They may be suspended too; null where it was not kept yet. */
  createdBy: z.string().nullable().meta({ description: 'The id of the member who made it.' }),
  suspendedAt: z.string(),
  /** What people call a member, where they came at all, or what is no member: of a webhook or a feed the host that it sends to. */
  displayName: z.string().nullable(),
  email: z.string().nullable(),
  role: z.string().nullable(),
});
export type Suspension = Fixed<z.output<typeof suspension>>;

interface SuspensionPorts extends IntegrationPorts {
  readonly identity: { readonly memberships: Members };
}

/** Those of the integrations that shutting out a client suspends: a kind of suspension is called as they are. */
export type Suspendable = Exclude<Suspension['kind'], 'member' | 'grant' | 'invitation'>;
export const suspendable = (kind: string): kind is Suspendable =>
  kind === 'webhook' || kind === 'agent_credential' || kind === 'product_feed';

export type Members = Pick<Identity['memberships'], 'list'>;

const noMember = { roleThrough: null, email: null, role: null } as const;

/** Grants and invitations shown at once; what was restored or removed makes room. */
const most = 1_000;

export const listSuspensions = operation(
  { ...appointees, input: z.strictObject({}), answer: z.object({ items: z.array(suspension) }) },
  async (scope, _input, { identity: { memberships }, integrations }: SuspensionPorts) => {
    const rows = await scope.read<
      Omit<Suspension, 'displayName' | 'roleThrough' | 'suspendedAt'> & { readonly at: Date }
    >(sql`
    select 'grant' as kind, agent_id as id, coalesce(created_through, '') as client, granted_by as "createdBy", suspended_at as at, null as email, null as role
      from portal.agent_grant where suspended_at is not null and revoked_at is null
    union all
    select 'invitation', invitation_id::text, coalesce(created_through, ''), invited_by, suspended_at, email, role
      from portal.invitation where suspended_at is not null and accepted_at is null and revoked_at is null
    order by at desc, id limit ${most}::int`);
    const others = rows.map(({ at, ...row }) => ({
      ...row,
      roleThrough: null,
      displayName: null,
      suspendedAt: at.toISOString(),
    }));
    const members = await membersWhere(memberships, scope, ({ suspendedAt }) => suspendedAt !== undefined);
    const suspended = members.map(
      ({ principal, role, createdThrough, roleThrough, createdBy, suspendedAt, displayName, email }) => ({
        kind: 'member' as const,
        id: `${principal.type}:${principal.id}`,
        client: createdThrough ?? '',
        roleThrough: roleThrough ?? null,
        createdBy: createdBy ?? null,
        suspendedAt: suspendedAt ?? '',
        displayName: displayName ?? null,
        email: email ?? null,
        role,
      }),
    );
    const kinds = integrations.filter(({ kind }) => suspendable(kind));
    const made = (await scope.readAll(kinds.map(({ select }) => select(scope.context.tenant))))
      .flat()
      .map(readIntegration);
    const stopped = made.flatMap(({ kind, id, name, createdThrough, createdBy, suspendedAt }) =>
      suspendable(kind) && suspendedAt !== null
        ? [{ ...noMember, kind, id, displayName: name, client: createdThrough ?? '', createdBy, suspendedAt }]
        : [],
    );
    return { items: [...suspended, ...others, ...stopped] };
  },
);

export async function membersWhere(
  memberships: Members,
  scope: TenantScope,
  holds: (member: Member) => boolean,
): Promise<Member[]> {
  const found: Member[] = [];
  let after: PrincipalRef | undefined;
  for (;;) {
    const page = await memberships.list(scope, { limit: 200, after });
    found.push(...page.filter(holds));
    after = page.at(-1)?.principal;
    if (page.length < 200) return found;
  }
}
