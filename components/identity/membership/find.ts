import { says } from '@steward/access';
import { statement, type Statement } from '@steward/sql';

/** How many members are looked through: what they are called is told of each by its id. */
const mostMembers = 500;

/** Members of the tenant whose name, address or id has a text, in lower case: `id`, `title`, `line`. */
export const selectMembersSaying = (tenant: string, text: string, limit: number): Statement =>
  statement(
    `select m.principal_id as id, coalesce(p.display_name, p.email, m.principal_id) as title, concat_ws(' · ', p.email, m.role) as line
     from (select * from identity.member where tenant_id = $1::uuid order by principal_type, principal_id limit ${mostMembers}) m
     left join identity.people(array(select d.principal_id from identity.member d where d.tenant_id = $1::uuid and d.principal_type = 'user'
       order by d.principal_id limit ${mostMembers})) p on m.principal_type = 'user' and p.id = m.principal_id
     where ${says(['p.display_name', 'p.email', 'm.principal_id'], '$2')} limit $3::int`,
    [tenant, text, limit],
  );
