import type { Notify } from '@steward/mail';
import { sql } from '@steward/sql';
import { createLoop, type Worker } from '@steward/work';
import { execute } from './actions/execute.ts';
import { itself } from './actions/requester.ts';
import type { Ground } from './ground.ts';
import { deliver } from './mail/deliver.ts';

/** How often each process looks for work. Milliseconds. */
const every = 1_000;

/** Takes up what was approved and not carried out, because a process ended in between, and ends what is past its time. */
export async function takeUp(ground: Ground): Promise<number> {
  const due = await ground.tenancy.pool.query<{ tenant_id: string; action_id: string }>(
    sql`select tenant_id, action_id from approvals.claim_actions(interval '10 seconds', 20)`,
  );
  for (const { tenant_id: tenant, action_id: id } of due) await execute(ground, tenant, id, itself, `approvals-${id}`);
  return due.length;
}

/** A loop of its own for each job, so that neither waits for the other. */
export function createWorker(ground: Ground, notify: Notify | undefined): Worker {
  const jobs = [async () => takeUp(ground), ...(notify === undefined ? [] : [async () => deliver(ground, notify)])];
  const loops = jobs.map((job) =>
    createLoop({
      round: async () => ((await job()) > 0 ? 0 : every),
      failed: (err) => ground.log.warn({ err }, 'approvals: a round failed'),
      retry: { first: every, longest: every },
    }),
  );
  return {
    start: () => loops.forEach((loop) => loop.start()),
    stop: async () => {
      await Promise.all(loops.map(async (loop) => loop.stop()));
    },
  };
}
