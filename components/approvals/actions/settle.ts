import { newId, Problem, type RecordedEvent } from '@steward/kernel';
import { sql, type TenantTransaction } from '@steward/sql';
import { event, inWorkflow, tell } from '../events.ts';
import type { Deps } from '../deps.ts';
import { settleActions } from '../permissions.ts';
import { lockTool } from '../policy/evaluate.ts';
import { actionOf, lockAction, named, shownOf, type Action, type State } from './action.ts';
import { bindNow, rebind } from './bind.ts';
import { driftOf } from './drift.ts';
import { queueMail } from '../mail/queue.ts';
import { makeReady } from './ready.ts';
import { ownContext } from './requester.ts';

/** How often carrying out an action is begun before it counts as failed. */
const mostAttempts = 5;

/** Past its time: it never takes effect. */
export async function markExpired(deps: Deps, tenant: string, action: Action): Promise<void> {
  await settle(deps, tenant, action, async (tx, held) => {
    if (!held.past || (held.state !== 'pending' && held.state !== 'approved')) return;
    await end(tx, held, 'expired', event('approvals.action.expired', named(held)), {});
  });
}

/** The tool refused to do what its preview shows. */
export async function markFailed(deps: Deps, tenant: string, action: Action, problem: Problem): Promise<void> {
  await settle(deps, tenant, action, async (tx, held) => {
    if (held.state !== 'approved') return;
    const { code, detail } = problem;
    await end(tx, held, 'failed', event('approvals.action.failed', { ...named(held), code }), { code, reason: detail });
  });
}

/** A failure that has nothing to do with the action: it is tried again, each time after a longer pause. */
export async function tryLater(deps: Deps, tenant: string, action: Action, problem: Problem): Promise<void> {
  await settle(deps, tenant, action, async (tx, held) => {
    if (held.state !== 'approved') return;
    if (held.attempts + 1 >= mostAttempts) {
      const { code, detail } = problem;
      await end(tx, held, 'failed', event('approvals.action.failed', { ...named(held), code }), {
        code,
        reason: detail,
      });
      return;
    }
    await tx.query(sql`
      update approvals.action set attempts = attempts + 1, lease_until = clock_timestamp() + make_interval(secs => ${2 ** (held.attempts + 1)})
      where tenant_id = ${tenant} and action_id = ${held.id}`);
  });
}

/** What was approved is not what would happen: new values are shown, and it is pending again. */
export async function giveBack(deps: Deps, tenant: string, action: Action, cause: string): Promise<void> {
  let ready: Awaited<ReturnType<typeof makeReady>>;
  try {
    ready = await makeReady(deps, tenant, action);
  } catch (error) {
    if (error instanceof Problem && error.status < 500) return markFailed(deps, tenant, action, error);
    throw error;
  }
  return settle(deps, tenant, action, async (tx, held) => {
    if (held.state !== 'approved') return;
    const after = await rebind(
      deps,
      tx,
      held,
      ready.command,
      await bindNow(deps, tx, held, ready.command, ready),
      driftOf(deps, held, ready.shown),
    );
    await follow(tx, held, event('approvals.action.returned', { ...named(held), cause, ...shownOf(after) }));
    await queueMail(deps, tx, held.id, ready.command.tool);
  });
}

async function settle(
  deps: Deps,
  tenant: string,
  action: Action,
  work: (tx: TenantTransaction, held: Action) => Promise<void>,
): Promise<void> {
  await ownContext(deps, tenant, action, `approvals-${action.id}`)
    .require(settleActions)
    .write(async (tx) => {
      await lockTool(tx, action.tool);
      const [row] = await tx.query(lockAction(tenant, action.id));
      if (row !== undefined) await work(tx, actionOf(row));
    });
}

/** Ends an action that the transaction holds. */
export async function end(
  tx: TenantTransaction,
  held: Action,
  state: State,
  recorded: RecordedEvent,
  { code, reason }: { code?: string; reason?: string },
): Promise<void> {
  await follow(tx, held, recorded);
  await tx.query(sql`
    update approvals.action set state = ${state}, error_code = ${code ?? null}, reason = ${reason ?? null},
      settled_at = clock_timestamp(), lease_until = null
    where tenant_id = ${tx.context.tenant} and action_id = ${held.id}`);
}

/** Records and announces what became of an action, as caused by what happened to it last. */
export async function follow(tx: TenantTransaction, held: Action, recorded: RecordedEvent): Promise<void> {
  const happened = newId();
  await tx.query(sql`
    update approvals.action set last_event_id = ${happened}
    where tenant_id = ${tx.context.tenant} and action_id = ${held.id}`);
  tell(tx, held, { ...recorded, id: happened, ...inWorkflow(held) });
}
