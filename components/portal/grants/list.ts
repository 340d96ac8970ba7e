import { operation } from '@steward/access';
import { pageCursor, pageLimit, pageOf } from '@steward/contract';
import { page, parseCursor, statement } from '@steward/sql';
import { z } from 'zod';
import { people, reads } from '../operations.ts';
import { grant } from './grant.ts';

/** A page of grants by agent id. @throws Problem `invalid_cursor` (400) */
export const listGrants = operation(
  {
    ...reads,
    ...people,
    input: z.strictObject({ limit: pageLimit, cursor: pageCursor(z.string()) }),
    answer: pageOf(grant.answer),
    errors: ['invalid_cursor'],
  },
  async (scope, { limit, cursor }) => {
    const [after = ''] = cursor === undefined ? [] : parseCursor(cursor, /^agent:(.+)$/s);
    const rows = await scope.read(
      statement(
        `select ${grant.columns} from portal.agent_grant g where agent_id > $1 order by agent_id limit $2::int`,
        [after, limit + 1],
      ),
    );
    return page(rows, limit, grant.read, ({ agentId }) => `agent:${agentId}`);
  },
);
