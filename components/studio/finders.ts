import { type Finder, mostLookedThrough, says } from '@steward/access';
import { statement } from '@steward/sql';
import { listForms } from './forms/list.ts';

/** Forms by their name. */
export const finders: readonly Finder[] = [
  {
    kind: 'form',
    lists: listForms,
    statements: ({ tenant, text, limit }) => [
      statement(
        `select f.form_id as id, f.name as title, s.name as line
         from (select * from studio.form where tenant_id = $1::uuid order by form_id desc limit ${mostLookedThrough}) f
         join studio.site s on s.tenant_id = f.tenant_id and s.site_id = f.site_id
         where f.archived_at is null and (${says(['f.name'], '$2')}) limit $3::int`,
        [tenant, text, limit],
      ),
    ],
  },
];
