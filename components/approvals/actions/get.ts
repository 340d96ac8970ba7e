import { operation } from '@steward/access';
import { Problem } from '@steward/kernel';
import { type Row, statement, type Statement, type TenantContext } from '@steward/sql';
import { z } from 'zod';
import type { Deps } from '../deps.ts';
import { reads } from '../operations.ts';
import { overseeActions, readActions } from '../permissions.ts';
import { columns, decisions } from './action.ts';
import { described } from './described.ts';
import { presentAction } from './present.ts';
import { notFound } from './refusals.ts';
import { describedAction, type DescribedAction, type ShownAction, ownAction } from './schema.ts';

const shownColumns = `${columns}, ${decisions.columns}`;

/**
 * Some roles see all of the tenant's actions, everybody those that were asked for on their behalf.
 * @param rest of the statement, with its values from $4 on
 */
export async function readVisible(context: TenantContext, rest: string, values: readonly unknown[]): Promise<Row[]> {
  const about = (type: string | null, id: string | null): Statement =>
    statement(
      `select ${shownColumns} from approvals.shown a
       where a.tenant_id = $1 and ($2::text is null or (a.subject_type, a.subject_id) = ($2::text, $3::text)) ${rest}`,
      [context.tenant, type, id, ...values],
    );
  try {
    return await context.require(overseeActions).read(about(null, null));
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'insufficient_role') throw error;
    return context.require(readActions).read(about(context.subject.type, context.subject.id));
  }
}

/** @throws Problem `not_found` (404), also for what the caller may not see */
export async function getAction(
  deps: Pick<Deps, 'portal' | 'seals'>,
  context: TenantContext,
  id: string,
): Promise<ShownAction> {
  const [row] = await readVisible(context, 'and a.action_id = $4', [id]);
  if (row === undefined) throw notFound();
  return presentAction(deps, context.tenant, row);
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
