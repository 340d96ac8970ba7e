import { sql, type TenantContext } from '@steward/sql';
import type { Ground } from '../ground.ts';
import { actionOf, type State } from './action.ts';
import { readVisible } from './get.ts';
import { presentAction, type ShownAction } from './present.ts';

export interface ActionPage {
  /** 1–200 */
  readonly limit: number;
  /** Id of the last action of the page before. */
  readonly after?: string | undefined;
  readonly state?: State | undefined;
  readonly tool?: string | undefined;
}

/** Newest first. */
export async function listActions(
  { portal }: Pick<Ground, 'portal'>,
  context: TenantContext,
  { limit, after, state, tool }: ActionPage,
): Promise<{ items: ShownAction[]; nextCursor: string | null }> {
  const rows = await readVisible(
    context,
    ({ type, id }) => sql`
      select * from approvals.shown
      where tenant_id = ${context.tenant}
        and (${type}::text is null or (subject_type, subject_id) = (${type}::text, ${id}::text))
        and (${after ?? null}::uuid is null or action_id < ${after ?? null}::uuid)
        and (${tool ?? null}::text is null or tool = ${tool ?? null}::text)
        and (${state ?? null}::text is null
          or case when past and state in ('pending', 'approved') then 'expired' else state end = ${state ?? null}::text)
      order by action_id desc limit ${limit + 1}::int`,
  );
  const items = rows.slice(0, limit).map((row) => presentAction(actionOf(row), portal, row.votes, row.edits));
  return { items, nextCursor: rows.length > limit ? (items.at(-1)?.id ?? null) : null };
}
