import { operation } from '@steward/access';
import { type Fixed, pageCursor, pageLimit, pageOf } from '@steward/contract';
import { fail } from '@steward/kernel';
import { afterAllIds, page, type TenantScope } from '@steward/sql';
import { z } from 'zod';
import type { Deps } from '../deps.ts';
import { reads } from '../operations.ts';
import { noCommand } from '../policy/no-command.ts';
import { states } from './action.ts';
import { described } from './described.ts';
import { getAction, readVisible } from './get.ts';
import { presentAction } from './present.ts';
import { actionId, describedAction } from './schema.ts';

const listed = z.strictObject({
  limit: pageLimit,
  cursor: pageCursor(),
  state: z.enum(states).optional().meta({ description: 'Only actions in this state.' }),
  tool: z.string().max(64).optional().meta({ description: 'Only actions of this tool.' }),
});
const listing = { ...reads, name: 'service_list_pending_actions', answer: pageOf(describedAction) } as const;

/** Newest first. */
export const listActions = operation({ ...listing, input: listed }, async (scope, asked, deps: Deps) =>
  list(scope, asked, deps),
);

/** The same for pages, which ask what became of others of the kind before they know of which tool one is. */
export const listActionsLike = operation(
  {
    ...listing,
    errors: ['not_found'],
    input: listed.extend({
      like: actionId.optional().meta({ description: 'Only actions of the tool that this action is of.' }),
    }),
  },
  async (scope, asked, deps: Deps) => list(scope, asked, deps),
);

async function list(
  { context }: Pick<TenantScope, 'context'>,
  { state, tool, like, limit, cursor }: z.output<typeof listed> & { readonly like?: string | undefined },
  deps: Deps,
): Promise<Fixed<z.output<typeof listing.answer>>> {
  if (tool !== undefined && !deps.commands.has(tool)) {
    const detail = noCommand(tool, deps);
    throw fail('invalid_request', `/tool: ${detail}`, {
      errors: [{ pointer: '/tool', code: 'unknown_tool', detail }],
    });
  }
  const of = like === undefined ? null : (await getAction(deps, context, like)).tool;
  const rows = await readVisible(
    context,
    `and a.action_id < $4::uuid
       and ($5::text is null or a.tool = $5::text)
       and ($6::text is null or case when a.past and a.state in ('pending', 'approved') then 'expired' else a.state end = $6::text)
       and ($7::text is null or a.tool = $7::text)
       order by a.action_id desc limit $8::int`,
    [cursor ?? afterAllIds, tool ?? null, state ?? null, of, limit + 1],
  );
  const { items, nextCursor } = page(
    rows,
    limit,
    (row) => presentAction(deps, context.tenant, row),
    ({ id }) => id,
  );
  return { items: await described(deps, context, items), nextCursor };
}
