import { Problem } from '@steward/kernel';
import { sql, type Statement, type TenantContext } from '@steward/sql';
import type { Ground } from '../ground.ts';
import { overseeActions, readActions } from '../permissions.ts';
import { actionOf, type ActionRow } from './action.ts';
import { presentAction, type Edit, type ShownAction, type Vote } from './present.ts';
import { notFound } from './refusals.ts';

export interface ShownRow extends ActionRow {
  readonly votes: Vote[];
  readonly edits: Edit[];
}

/** Some roles see all of the tenant's actions, everybody those that were asked for on their behalf. */
export async function readVisible(
  context: TenantContext,
  statement: (subject: { type: string | null; id: string | null }) => Statement,
): Promise<ShownRow[]> {
  try {
    return await context.require(overseeActions).read<ShownRow>(statement({ type: null, id: null }));
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'insufficient_role') throw error;
    return context.require(readActions).read<ShownRow>(statement(context.subject));
  }
}

/** @throws Problem `not_found` (404), also for what the caller may not see */
export async function getAction(
  { portal }: Pick<Ground, 'portal'>,
  context: TenantContext,
  id: string,
): Promise<ShownAction> {
  const [row] = await readVisible(
    context,
    ({ type, id: subject }) => sql`
      select * from approvals.shown
      where tenant_id = ${context.tenant} and action_id = ${id}
        and (${type}::text is null or (subject_type, subject_id) = (${type}::text, ${subject}::text))`,
  );
  if (row === undefined) throw notFound();
  return presentAction(actionOf(row), portal, row.votes, row.edits);
}
