import { operation } from '@steward/access';
import type { Fixed } from '@steward/contract';
import { Problem, type FieldError } from '@steward/kernel';
import { z } from 'zod';
import { errors } from '../errors.ts';
import type { Deps } from '../deps.ts';
import { decides, deciding } from '../operations.ts';
import { lockTool } from '../policy/evaluate.ts';
import type { Action } from './action.ts';
import { pendingAction, readyToDecide } from './approve.ts';
import { executeApproved } from './execute.ts';
import { showAction } from './get.ts';
import type { Ready } from './ready.ts';
import { refresh } from './refresh.ts';
import { actionId, describedAction, type DescribedAction, previewHash } from './schema.ts';
import { Stale, vote } from './vote.ts';

const decision = z.strictObject({ id: actionId, previewHash });

interface Prepared extends Fixed<z.output<typeof decision>> {
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
export const approveBatch = operation(
  {
    ...decides,
    input: z.strictObject({
      actions: z
        .array(decision)
        .min(1)
        .max(100)
        .refine((list) => new Set(list.map(({ id }) => id)).size === list.length, 'names an action twice'),
    }),
    answer: z.object({ items: z.array(describedAction) }),
    errors: [...deciding, 'batch_refused'],
  },
  async (scope, { actions: decisions }, deps: Deps) => {
    const { context } = scope;
    deps.decider.requireFor(context);
    const faults: FieldError[] = [];
    const prepared: Prepared[] = [];
    for (const [place, decision] of decisions.entries()) {
      try {
        const action = await pendingAction(context, decision.id);
        const ready = await readyToDecide(deps, context.tenant, action);
        prepared.push({ ...decision, place, action, ready });
      } catch (error) {
        faults.push(faultOf(place, error));
      }
    }
    if (faults.length > 0) throw refused(faults);

    const approved = new Map<string, Action>();
    const stale: Prepared[] = [];
    const decideAll = async (): Promise<void> =>
      scope.write(async (tx) => {
        approved.clear();
        faults.length = 0;
        stale.length = 0;
        // One order for everybody, so that two batches do not wait for one another.
        for (const tool of [...new Set(prepared.map(({ action }) => action.tool))].toSorted()) await lockTool(tx, tool);
        for (const one of prepared.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
          try {
            const last = await vote(deps, tx, one.id, one.previewHash, one.ready);
            if (last !== undefined) approved.set(one.id, last);
          } catch (error) {
            faults.push(faultOf(one.place, error));
            if (error instanceof Stale && !error.shown) stale.push(one);
          }
        }
        if (faults.length > 0) throw refused(faults);
      });
    try {
      await decideAll();
    } catch (error) {
      for (const { action, ready } of stale) await refresh(deps, context.tenant, action, ready);
      throw error;
    }
    const shown: DescribedAction[] = [];
    for (const { id } of decisions) {
      const action = approved.get(id);
      if (action !== undefined) await executeApproved(deps, context.tenant, action, context.subject, context.requestId);
      shown.push(await showAction(deps, context, id));
    }
    return { items: shown };
  },
);

const refused = (faults: readonly FieldError[]): Problem =>
  errors('batch_refused', 'Nothing was approved: read the actions in errors again, then decide.', {
    errors: faults.toSorted((a, b) => a.pointer.localeCompare(b.pointer, 'en', { numeric: true })),
  });

function faultOf(place: number, error: unknown): FieldError {
  const pointer = `/actions/${place}`;
  if (error instanceof Stale)
    return {
      pointer,
      code: 'stale_preview',
      detail: `${error.message} Read it again, then decide.`,
    };
  if (error instanceof Problem && error.status < 500) return { pointer, code: error.code, detail: error.detail };
  throw error;
}
