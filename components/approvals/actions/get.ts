import { operation } from '@steward/access';
import { Problem } from '@steward/kernel';
import { sql, type Statement, type TenantContext } from '@steward/sql';
import { z } from 'zod';
import type { Deps } from '../deps.ts';
import { reads } from '../operations.ts';
import { overseeActions, readActions } from '../permissions.ts';
import { actionOf, type ActionRow } from './action.ts';
import { described } from './described.ts';
import { presentAction } from './present.ts';
import { notFound } from './refusals.ts';
import { describedAction, type DescribedAction, type ShownAction, ownAction } from './schema.ts';

export interface ShownRow extends ActionRow {
  readonly votes: ShownAction['approvals'];
  readonly edits: ShownAction['edits'];
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
  { portal }: Pick<Deps, 'portal'>,
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

/** With what people call its tool and those it names, and who there is to approve it. @throws Problem `not_found` (404) */
export async function showAction(deps: Deps, context: TenantContext, id: string): Promise<DescribedAction> {
  const [shown] = await described(deps, context, [await getAction(deps, context, id)]);
  if (shown === undefined) throw notFound();
  return shown;
}

export const readAction = operation(
  {
    ...reads,
    name: 'service_get_pending_action',
    input: z.strictObject({ id: ownAction }),
    answer: describedAction,
    errors: ['not_found'],
  },
  async ({ context }, { id }, deps: Deps) => showAction(deps, context, id),
);
