import { operation } from '@steward/access';
import { pageCursor, pageLimit, pageOf } from '@steward/contract';
import { fail } from '@steward/kernel';
import { afterAllIds, page } from '@steward/sql';
import { z } from 'zod';
import type { Deps } from '../deps.ts';
import { reads } from '../operations.ts';
import { noCommand } from '../policy/no-command.ts';
import { states } from './action.ts';
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
      limit: pageLimit,
      cursor: pageCursor(),
      state: z.enum(states).optional().meta({ description: 'Only actions in this state.' }),
      tool: z.string().max(64).optional().meta({ description: 'Only actions of this tool.' }),
    }),
    answer: pageOf(describedAction),
  },
  async ({ context }, { state, tool, limit, cursor }, deps: Deps) => {
    if (tool !== undefined && !deps.commands.has(tool)) {
      const detail = noCommand(tool, deps);
      throw fail('invalid_request', `/tool: ${detail}`, {
        errors: [{ pointer: '/tool', code: 'unknown_tool', detail }],
      });
    }
    const rows = await readVisible(
      context,
      `and a.action_id < $4::uuid
       and ($5::text is null or a.tool = $5::text)
       and ($6::text is null or case when a.past and a.state in ('pending', 'approved') then 'expired' else a.state end = $6::text)
       order by a.action_id desc limit $7::int`,
      [cursor ?? afterAllIds, tool ?? null, state ?? null, limit + 1],
    );
    const { items, nextCursor } = page(
      rows,
      limit,
      (row) => presentAction(deps, context.tenant, row),
      ({ id }) => id,
    );
    return { items: await described(deps, context, items), nextCursor };
  },
);
