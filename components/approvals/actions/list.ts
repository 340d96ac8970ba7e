import { operation } from '@steward/access';
import { pageLimit, pageOf } from '@steward/contract';
import { afterAllIds, page, sql } from '@steward/sql';
import { z } from 'zod';
import type { Deps } from '../deps.ts';
import { reads } from '../operations.ts';
import { actionOf, states } from './action.ts';
import { described } from './described.ts';
import { readVisible } from './get.ts';
import { presentAction } from './present.ts';
import { describedAction } from './schema.ts';

/** Newest first. */
export const listActions = operation(
  {
    ...reads,
    name: 'service_list_pending_actions',
    input: z.strictObject({
      limit: pageLimit.meta({ description: 'Most actions in one page.' }),
      cursor: z.uuid().optional().meta({ description: '`next_cursor` of the previous page.' }),
      state: z.enum(states).optional().meta({ description: 'Only actions in this state.' }),
      tool: z.string().max(64).optional().meta({ description: 'Only actions of this tool.' }),
    }),
    answer: pageOf(describedAction),
  },
  async ({ context }, { state, tool, limit, cursor }, deps: Deps) => {
    const rows = await readVisible(
      context,
      ({ type, id }) => sql`
        select * from approvals.shown
        where tenant_id = ${context.tenant}
          and (${type}::text is null or (subject_type, subject_id) = (${type}::text, ${id}::text))
          and action_id < ${cursor ?? afterAllIds}::uuid
          and (${tool ?? null}::text is null or tool = ${tool ?? null}::text)
          and (${state ?? null}::text is null
            or case when past and state in ('pending', 'approved') then 'expired' else state end = ${state ?? null}::text)
        order by action_id desc limit ${limit + 1}::int`,
    );
    const { items, nextCursor } = page(
      rows,
      limit,
      (row) => presentAction(actionOf(row), deps.portal, row.votes, row.edits),
      ({ id }) => id,
    );
    return { items: await described(deps, context, items), nextCursor };
  },
);
