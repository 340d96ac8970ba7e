import { Problem, type FieldError } from '@steward/kernel';
import type { TenantContext } from '@steward/sql';
import { errors } from '../errors.ts';
import type { Ground } from '../ground.ts';
import { decideActions } from '../permissions.ts';
import { lockTool } from '../policy/evaluate.ts';
import type { Action } from './action.ts';
import { pendingAction, readyToDecide } from './approve.ts';
import { executeApproved } from './execute.ts';
import { getAction } from './get.ts';
import type { ShownAction } from './present.ts';
import type { Ready } from './ready.ts';
import { refresh } from './refresh.ts';
import { Stale, vote } from './vote.ts';

export interface Decision {
  readonly id: string;
  readonly previewHash: string;
}

interface Prepared extends Decision {
  readonly place: number;
  readonly action: Action;
  readonly ready: Ready;
}

/**
 * Approves all or none: one that is stale, decided or not theirs to approve refuses the batch, and is named. Each is then
 * carried out by itself, in the order given; the answer says what became of it, `pending` with a new preview where an
 * earlier one of the batch changed what it would do.
 * @throws Problem `batch_refused` (409) with a fault for each action that cannot be approved
 */
export async function approveBatch(
  ground: Ground,
  context: TenantContext,
  decisions: readonly Decision[],
): Promise<ShownAction[]> {
  const faults: FieldError[] = [];
  const prepared: Prepared[] = [];
  for (const [place, decision] of decisions.entries()) {
    try {
      const action = await pendingAction(context, decision.id);
      const ready = await readyToDecide(ground, context.tenant, action);
      prepared.push({ ...decision, place, action, ready });
    } catch (error) {
      faults.push(faultOf(place, error));
    }
  }
  if (faults.length > 0) throw refused(faults);

  const approved = new Map<string, Action>();
  const stale: Prepared[] = [];
  const decideAll = async (): Promise<void> =>
    context.require(decideActions).write(async (tx) => {
      approved.clear();
      faults.length = 0;
      stale.length = 0;
      // One order for everybody, so that two batches do not wait for one another.
      for (const tool of [...new Set(prepared.map(({ action }) => action.tool))].toSorted()) await lockTool(tx, tool);
      for (const one of prepared.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
        try {
          const last = await vote(ground, tx, one.id, one.previewHash, one.ready);
          if (last !== undefined) approved.set(one.id, last);
        } catch (error) {
          faults.push(faultOf(one.place, error));
          if (error instanceof Stale) stale.push(one);
        }
      }
      if (faults.length > 0) throw refused(faults);
    });
  try {
    await decideAll();
  } catch (error) {
    for (const { action, ready } of stale) await refresh(ground, context.tenant, action, ready);
    throw error;
  }
  const shown: ShownAction[] = [];
  for (const { id } of decisions) {
    const action = approved.get(id);
    if (action !== undefined) await executeApproved(ground, context.tenant, action, context.subject, context.requestId);
    shown.push(await getAction(ground, context, id));
  }
  return shown;
}

const refused = (faults: readonly FieldError[]): Problem =>
  errors('batch_refused', 'Nothing was approved. Look at the actions named and decide anew.', {
    errors: faults.toSorted((a, b) => a.pointer.localeCompare(b.pointer, 'en', { numeric: true })),
  });

function faultOf(place: number, error: unknown): FieldError {
  const pointer = `/actions/${place}`;
  if (error instanceof Stale)
    return { pointer, code: 'stale_preview', detail: 'What was shown is not what would happen now.' };
  if (error instanceof Problem && error.status < 500) return { pointer, code: error.code, detail: error.detail };
  throw error;
}
