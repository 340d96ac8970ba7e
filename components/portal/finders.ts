import { type Finder, mostLookedThrough, says } from '@steward/access';
import { selectMembersSaying } from '@steward/identity';
import { statement } from '@steward/sql';
import { listGrants } from './grants/list.ts';
import { listMembers } from './members/list.ts';

/** Who works here: agents by their id, members by what they are called. */
export const finders: readonly Finder[] = [
  {
    kind: 'agent',
    lists: listGrants,
    statements: ({ tenant, text, limit }) => [
      statement(
        `select g.agent_id as id, g.agent_id as title
         from (select * from portal.agent_grant where tenant_id = $1::uuid order by agent_id limit ${mostLookedThrough}) g
         where ${says(['g.agent_id'], '$2')} limit $3::int`,
        [tenant, text, limit],
      ),
    ],
  },
  {
    kind: 'member',
    lists: listMembers,
    statements: ({ tenant, text, limit }) => [selectMembersSaying(tenant, text, limit)],
  },
];
