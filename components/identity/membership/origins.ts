import type { Role } from '@steward/access';
import { sql, type TenantScope } from '@steward/sql';

/** Where somebody came from who is or was a member. */
export interface Origin {
  /** Undefined: they are no member now. */
  readonly role: Role | undefined;
  /** They are an owner, or were one when they were removed. */
  readonly owned: boolean;
  /** The ids of all who brought them, now and before they were removed. None: they founded the tenant, or it was not kept. */
  readonly broughtBy: ReadonlySet<string>;
}

/** Of all people of the scope's tenant, by their ids: members, also while they are suspended, and those who were removed. */
export async function originsOf(scope: Pick<TenantScope, 'read'>): Promise<ReadonlyMap<string, Origin>> {
  const rows = await scope.read<{ id: string; now: Role | null; owned: boolean; by: string[] }>(sql`
    select id, max(role) filter (where member) as now, bool_or(role is not distinct from 'owner') as owned,
      coalesce(array_agg(distinct by) filter (where by is not null), '{}') as by
    from (
      select principal_id as id, role, created_by as by, true as member from identity.member where principal_type = 'user'
      union all
      select principal_id, role, created_by, false from identity.former_member where principal_type = 'user') o
    group by id`);
  return new Map(rows.map(({ id, now, owned, by }) => [id, { role: now ?? undefined, owned, broughtBy: new Set(by) }]));
}
