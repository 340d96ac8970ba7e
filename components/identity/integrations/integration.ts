import type { PrincipalRef } from '@steward/kernel';
import { statement, type Statement, type TenantTransaction } from '@steward/sql';
import { z } from 'zod';
import { lost } from './maker.ts';

/** What gives data or entry to somebody outside. */
export const integrationKinds = [
  'webhook',
  'agent_credential',
  'product_feed',
  'sdk_key',
  'connection',
  'channel',
  'machine',
  'invitation',
  'grant',
] as const;
export type IntegrationKind = (typeof integrationKinds)[number];

/** One of them, and who made it. */
export const integration = z.object({
  kind: z.enum(integrationKinds),
  id: z.string(),
  /** What people call it: of a webhook or a feed the host that it sends to. */
  name: z.string(),
  active: z.boolean().meta({ description: 'Whether it gives anything now; if not, it can be begun again.' }),
  createdAt: z.string().meta({ format: 'date-time' }),
  createdBy: z.string().nullable().meta({ description: 'The id of the member who made it; null where none is known.' }),
  createdByName: z.string().nullable(),
  createdThrough: z
    .string()
    .nullable()
    .meta({ description: 'The client that they made it through; null where none is known.' }),
  createdByLeft: z.enum(lost).nullable().meta({ description: 'How whoever made it lost their access, if they did.' }),
  knownToLeft: z.array(z.string()).meta({
    description: 'Those who were shown a secret of it that is still good, and have no access any more, by name.',
  }),
  suspendedAt: z
    .string()
    .nullable()
    .meta({ format: 'date-time', description: 'Since when it gives nothing because its client was shut out.' }),
});
export type Integration = Readonly<z.output<typeof integration>>;

/** Members and clients whose doing is looked for. */
export interface Makers {
  readonly clients: readonly string[];
  readonly members: readonly PrincipalRef[];
}

/** How the component that has a kind lists it, and stops it. */
export interface Integrations {
  readonly kind: IntegrationKind;
  /** Those that give something, or may again, the newest first, 1000 at most; or all that were made by `among`, or whose secrets these were shown. */
  select(tenant: string, among?: Makers): Statement;
  /** Has them give nothing until they are restored; those that give nothing already are left. The transaction records it. */
  suspend?(tx: TenantTransaction, ids: readonly string[]): Promise<void>;
  /** From now on whoever does it is its maker. False where it is not suspended. */
  restore?(tx: TenantTransaction, id: string): Promise<boolean>;
}

const most = 1_000;

interface Listing {
  readonly kind: IntegrationKind;
  /** SQL: the table with its alias, which the others are over. */
  readonly from: string;
  readonly row: string;
  readonly id: string;
  readonly name: string;
  /** Which of them give something, or may again. */
  readonly where: string;
  /** Whether one gives anything now; while it is not suspended, where it is left out. */
  readonly active?: string;
  readonly createdAt?: string;
  /** The column of whoever made it, beside which that of their type is called the same with `_type`. */
  readonly by?: string;
  readonly suspendedAt?: string;
  /** Rows of those whom a secret was shown to that is still good, as `tenant_id`, `created_by`, `created_by_type` and `created_through`; none. */
  readonly knowers?: string;
}

/** Lists a kind by its own table. */
export function listingOf({ row, by = 'created_by', ...of }: Listing): Integrations['select'] {
  const { createdAt = `${row}.created_at`, suspendedAt = 'null::timestamptz', knowers } = of;
  const { active = `${suspendedAt} is null` } = of;
  const maker = `select ${row}.tenant_id, ${row}.${by} as created_by, ${row}.${by}_type as created_by_type, ${row}.created_through`;
  const known = knowers ?? `${maker} where false`;
  const columns = `'${of.kind}' as kind, ${of.id}::text as id, ${of.name} as name, ${active} as active, ${createdAt} as created_at, ${row}.${by} as created_by,
    coalesce(p.display_name, p.email) as created_by_name, ${row}.created_through,
    identity.left_as(${row}.tenant_id, ${row}.${by}_type, ${row}.${by}) as created_by_left,
    array(select distinct coalesce(q.display_name, q.email, k.created_by) from (${known}) k left join lateral identity.people(array[k.created_by]) q on true
      where identity.left_as(k.tenant_id, k.created_by_type, k.created_by) is not null) as known_to_left, ${suspendedAt} as suspended_at`;
  const from = `from ${of.from} left join lateral identity.people(array[${row}.${by}]) p on true where ${row}.tenant_id = $1::uuid and (${of.where})`;
  // In rows from before the type was stored, only the id says who made one.
  const made = `exists (select from (${maker} union all select k.tenant_id, k.created_by, k.created_by_type, k.created_through from (${known}) k) m
    where m.created_through = any ($2::text[]) or exists (select from unnest($3::text[], $4::text[]) b (type, id)
      where b.id = m.created_by and b.type = coalesce(m.created_by_type, b.type)))`;
  return (tenant, among) =>
    among === undefined
      ? statement(`select ${columns} ${from} order by created_at desc, id limit ${most}`, [tenant])
      : statement(`select ${columns} ${from} and ${made} order by created_at desc, id`, [
          tenant,
          [...among.clients],
          among.members.map(({ type }) => type),
          among.members.map(({ id }) => id),
        ]);
}

interface Row extends Record<string, unknown> {
  readonly kind: IntegrationKind;
  readonly id: string;
  readonly name: string;
  readonly active: boolean;
  readonly created_at: Date;
  readonly created_by: string | null;
  readonly created_by_name: string | null;
  readonly created_through: string | null;
  readonly created_by_left: Integration['createdByLeft'];
  readonly known_to_left: string[];
  readonly suspended_at: Date | null;
}

/** A row of a listing. */
export const readIntegration = (row: Readonly<Record<string, unknown>>): Integration => {
  const one = row as Row;
  return {
    kind: one.kind,
    id: one.id,
    name: one.name,
    active: one.active,
    createdAt: one.created_at.toISOString(),
    createdBy: one.created_by,
    createdByName: one.created_by_name,
    createdThrough: one.created_through,
    createdByLeft: one.created_by_left,
    knownToLeft: one.known_to_left,
    suspendedAt: one.suspended_at?.toISOString() ?? null,
  };
};

/** Members of other members' making that act by themselves. */
export const machines: Integrations = {
  kind: 'machine',
  select: listingOf({
    kind: 'machine',
    from: 'identity.member m',
    row: 'm',
    id: 'm.principal_id',
    name: 'm.principal_id',
    where: `m.principal_type = 'service'`,
    createdAt: 'm.added_at',
    suspendedAt: 'm.suspended_at',
  }),
};
