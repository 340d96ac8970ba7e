import { sql } from '@steward/sql';
import { createLoop, type Worker } from '@steward/work';
import { execute } from './actions/execute.ts';
import { itself } from './actions/requester.ts';
import type { Deps } from './deps.ts';

/** How often each process looks for work. Milliseconds. */
const every = 1_000;

/** Takes up what was approved and not carried out, because a process ended in between, and ends what is past its time. */
export async function resumeInterrupted(deps: Deps): Promise<number> {
  const due = await deps.tenancy.pool.query<{ tenant_id: string; action_id: string }>(
    sql`select tenant_id, action_id from approvals.claim_actions(interval '10 seconds', 20)`,
  );
  for (const { tenant_id: tenant, action_id: id } of due) await execute(deps, tenant, id, itself, `approvals-${id}`);
  return due.length;
}

export const createWorker = (deps: Deps): Worker =>
  createLoop({
    round: async () => ((await resumeInterrupted(deps)) > 0 ? 0 : every),
    failed: (err) => deps.log.warn({ err }, 'approvals: a round failed'),
    retry: { first: every, longest: every },
  });
