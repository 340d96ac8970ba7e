import type { Role } from '@steward/access';
import { sql, type TenantScope } from '@steward/sql';

/** Where somebody came from who is or was a member. */
export interface Origin {
  /** Now, or when they were removed last. Undefined: it was not kept. */
  readonly role: Role | undefined;
  /** The id of whom they were brought by; undefined for the founder of the tenant, and where it was not kept. */
  readonly createdBy: string | undefined;
}

/** Of all people of the scope's tenant, by their ids: members, also while they are suspended, and those who were removed. */
export async function originsOf(scope: Pick<TenantScope, 'read'>): Promise<ReadonlyMap<string, Origin>> {
  const rows = await scope.read<{ id: string; role: Role | null; by: string | null }>(sql`
    select distinct on (id) id, role, by from (
      select principal_id as id, role, created_by as by, 'infinity'::timestamptz as until from identity.member where principal_type = 'user'
      union all
      select principal_id, role, created_by, removed_at from identity.former_member where principal_type = 'user') o
    order by id, until desc`);
  return new Map(rows.map(({ id, role, by }) => [id, { role: role ?? undefined, createdBy: by ?? undefined }]));
}
