import { operation } from '@steward/access';
import { pageCursor, pageLimit, pageOf } from '@steward/contract';
import { principalId } from '@steward/identity';
import { page, statement } from '@steward/sql';
import { z } from 'zod';
import { people, reads } from '../operations.ts';
import { grant } from './grant.ts';

/** A page of grants by agent id, which is its cursor. */
export const listGrants = operation(
  {
    ...reads,
    ...people,
    input: z.strictObject({ limit: pageLimit, cursor: pageCursor(principalId) }),
    answer: pageOf(grant.answer),
  },
  async (scope, { limit, cursor }) => {
    const rows = await scope.read(
      statement(
        `select ${grant.columns} from portal.agent_grant g where agent_id > $1 order by agent_id limit $2::int`,
        [cursor ?? '', limit + 1],
      ),
    );
    return page(rows, limit, grant.read, ({ agentId }) => agentId);
  },
);
