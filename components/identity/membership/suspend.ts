import type { Role } from '@steward/access';
import { fail, type PrincipalRef } from '@steward/kernel';
import { sql, type Statement, type TenantScope, type TenantTransaction } from '@steward/sql';
import { errors } from '../errors.ts';
import { clientOf } from '../guard/tenant.ts';

export interface Suspended {
  readonly principal: PrincipalRef;
  readonly role: Role;
}

/** Whom a client brought. */
export interface Brought {
  /** All of them, also those who are members no more or were suspended before. */
  readonly all: readonly PrincipalRef[];
  /** Those who lost their access just now. */
  readonly suspended: readonly Suspended[];
}

/**
 * Suspends all members that were made, or given their role, through a client, and the members whom these have
 * brought, and so on, also through members who left since. They stay members, and a person may restore them. The caller cannot be one of them,
 * unless nobody else could do it. The caller has checked the permission, and records it.
 * @throws Problem `own_origin` (403); `insufficient_role` (403) when one of them is an owner and an owner does not do it
 */
export async function suspendThrough(tx: TenantTransaction, client: string): Promise<Brought> {
  const { tenant, subject } = tx.context;
  let all = await tx.query<Ref>(broughtBy(tenant, client));
  if (includes(all, subject)) {
    if (await couldBeDoneBy(tx, all))
      throw errors(
        'own_origin',
        `Your membership or role, or that of the member who added you, was made through ${client}, so shutting it out would ` +
          `suspend you too. Ask ${tx.role === 'owner' ? 'another owner' : 'an owner or administrator'} to whom this does not ` +
          'apply.',
      );
    all = await tx.query<Ref>(broughtBy(tenant, client, subject));
  }
  await tx.mark();
  const rows = await tx.query<{ type: PrincipalRef['type']; id: string; role: Role }>(sql`
    update identity.member m set suspended_at = clock_timestamp()
    from unnest(${all.map(({ type }) => type)}::text[], ${all.map(({ id }) => id)}::text[]) as b (type, id)
    where m.tenant_id = ${tenant} and m.principal_type = b.type and m.principal_id = b.id and m.suspended_at is null
    returning m.principal_type as type, m.principal_id as id, m.role`);
  if (tx.role !== 'owner' && rows.some(({ role }) => role === 'owner'))
    throw fail(
      'insufficient_role',
      'An owner became a member through this client, or through a member who did: only an owner may shut it out.',
    );
  return { all, suspended: rows.map(({ type, id, role }) => ({ principal: { type, id }, role })) };
}

/** Whom `suspendThrough` would find, where it is not refused. */
export async function broughtThrough(
  { context: { tenant, subject }, read }: Pick<TenantScope, 'context' | 'read'>,
  client: string,
): Promise<readonly PrincipalRef[]> {
  const all = await read<Ref>(broughtBy(tenant, client));
  return includes(all, subject) ? read<Ref>(broughtBy(tenant, client, subject)) : all;
}

type Ref = Record<string, unknown> & PrincipalRef;

const includes = (all: readonly PrincipalRef[], one: PrincipalRef): boolean =>
  all.some(({ type, id }) => type === one.type && id === one.id);

/** @param but who is left out, and whom they brought with them */
function broughtBy(tenant: string, client: string, but?: PrincipalRef): Statement {
  // In rows from before the type was stored, only the id says who brought somebody.
  return sql`
    with recursive origin as (
      select principal_type as type, principal_id as id, created_through as through, created_by as by, created_by_type as by_type
        from identity.member where tenant_id = ${tenant}
      union all
      select principal_type, principal_id, role_through, role_by, role_by_type from identity.member where tenant_id = ${tenant} and role_by is not null
      union all
      select principal_type, principal_id, created_through, created_by, created_by_type from identity.former_member where tenant_id = ${tenant}),
    known as materialized (
      select * from origin where (type, id) is distinct from (${but?.type ?? null}::text, ${but?.id ?? null}::text)),
    brought as (
      select type, id from known where through = ${client}
      union
      select k.type, k.id from brought b join known k on k.by = b.id and coalesce(k.by_type, b.type) = b.type)
    select type, id from brought`;
}

/** Whether a member who did not come so may do what the caller may. */
async function couldBeDoneBy(tx: TenantTransaction, brought: readonly PrincipalRef[]): Promise<boolean> {
  const roles = tx.role === 'owner' ? ['owner'] : ['owner', 'admin'];
  const rows = await tx.query(sql`
    select from identity.member
    where tenant_id = ${tx.context.tenant} and principal_type = 'user' and suspended_at is null and role = any (${roles}::text[])
      and not exists (select from unnest(${brought.map(({ type }) => type)}::text[], ${brought.map(({ id }) => id)}::text[]) as b (type, id)
        where b.type = principal_type and b.id = principal_id)
    limit 1`);
  return rows.length > 0;
}

/**
 * Gives a suspended member its access back: from now on the person who restored them is their origin.
 * @returns the role it has; undefined when there is no such suspended member
 * @throws Problem `insufficient_role` when it is an owner and an owner does not do it
 */
export async function restoreMember(tx: TenantTransaction, principal: PrincipalRef): Promise<Role | undefined> {
  const { subject } = tx.context;
  await tx.mark();
  const [row] = await tx.query<{ role: Role }>(sql`
    update identity.member set suspended_at = null, created_through = ${clientOf(tx.context) ?? null},
      created_by = ${subject.id}, created_by_type = ${subject.type}, role_through = null, role_by = null, role_by_type = null
    where tenant_id = ${tx.context.tenant} and principal_type = ${principal.type} and principal_id = ${principal.id}
      and suspended_at is not null
    returning role`);
  if (row?.role === 'owner' && tx.role !== 'owner')
    throw fail('insufficient_role', 'Only an owner may restore an owner.');
  return row?.role;
}
