import { afterAllIds, page, type Page, type PageRequest, sql, type TenantContext } from '@steward/sql';
import type { Ground } from '../ground.ts';
import { actionOf, type State } from './action.ts';
import { readVisible } from './get.ts';
import { presentAction, type ShownAction } from './present.ts';

export interface ActionFilter {
  readonly state?: State | undefined;
  readonly tool?: string | undefined;
}

/** Newest first. */
export async function listActions(
  { portal }: Pick<Ground, 'portal'>,
  context: TenantContext,
  { state, tool }: ActionFilter,
  { limit, cursor }: PageRequest,
): Promise<Page<ShownAction>> {
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
  const present = (row: (typeof rows)[number]): ShownAction =>
    presentAction(actionOf(row), portal, row.votes, row.edits);
  return page(rows, limit, present, ({ id }) => id);
}
