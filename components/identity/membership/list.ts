import type { Role } from '@steward/access';
import { timestamp, type PrincipalRef } from '@steward/kernel';
import { sql, type TenantScope } from '@steward/sql';
import type { Member } from './member.ts';

export interface MemberPage {
  /** 1–200 */
  readonly limit: number;
  /** The last member of the page before. */
  readonly after?: PrincipalRef | undefined;
}

/** Members of the scope's tenant, by type and id of the principal. Who may see them is the scope's permission. */
export async function listMembers(scope: Pick<TenantScope, 'read'>, page: MemberPage): Promise<Member[]> {
  const rows = await scope.read<Row>(sql`
    select m.principal_type, m.principal_id, m.role, m.added_at, m.created_through, m.role_through, m.created_by, m.suspended_at, p.display_name, p.email
    from (select * from identity.member
          where (principal_type, principal_id) > (${page.after?.type ?? ''}, ${page.after?.id ?? ''})
          order by principal_type, principal_id limit ${page.limit}) m
    left join lateral identity.people(array[m.principal_id]) p on m.principal_type = 'user'
    order by m.principal_type, m.principal_id`);
  return rows.map((row) => ({
    principal: { type: row.principal_type, id: row.principal_id },
    role: row.role,
    addedAt: timestamp(row.added_at.getTime()),
    createdThrough: row.created_through ?? undefined,
    roleThrough: row.role_through ?? undefined,
    createdBy: row.created_by ?? undefined,
    suspendedAt: row.suspended_at === null ? undefined : timestamp(row.suspended_at.getTime()),
    displayName: row.display_name ?? undefined,
    email: row.email ?? undefined,
  }));
}

interface Row extends Record<string, unknown> {
  readonly principal_type: 'user' | 'service';
  readonly principal_id: string;
  readonly role: Role;
  readonly added_at: Date;
  readonly created_through: string | null;
  readonly role_through: string | null;
  readonly created_by: string | null;
  readonly suspended_at: Date | null;
  readonly display_name: string | null;
  readonly email: string | null;
}
