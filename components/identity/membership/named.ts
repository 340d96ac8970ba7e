import { permit, roles } from '@steward/kernel';
import { sql, type TenantContext } from '@steward/sql';

const knowNames = permit('members.names', [...roles, 'platform']);

/** What those of `ids` who are members of the context's tenant are called; nobody else's name is told there. */
export async function namesOfMembers(context: TenantContext, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await context.require(knowNames).read<{ id: string; name: string }>(sql`
    select p.id, p.display_name as name
    from identity.member m, lateral identity.people(array[m.principal_id]) p
    where m.principal_type = 'user' and m.principal_id = any (${[...new Set(ids)]}::text[]) and p.display_name is not null`);
  return new Map(rows.map(({ id, name }) => [id, name]));
}
