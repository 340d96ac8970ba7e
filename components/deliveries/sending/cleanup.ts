import type { Log } from '@steward/kernel';
import { sql, type SqlPool } from '@steward/sql';
import { createLoop, type Worker } from '@steward/work';
import { stopWebhook } from '../endpoints/stop.ts';
import { oweLetters } from '../letters/owe.ts';
import { itself } from './context.ts';
import type { GivingUp } from './give-up.ts';
import { keptDays } from './timings.ts';
import { type Reason, shutOut } from '../words.ts';

const chunk = 5_000;
const every = 10 * 60_000;

/** Forgets what was settled long ago, and what waits for webhooks that were paused for so long. */
export function createCleanup(ports: GivingUp & { readonly pool: Pick<SqlPool, 'query'>; readonly log: Log }): Worker {
  const { pool, log } = ports;
  return createLoop({
    round: async () => {
      const abandoned = await pool.query<{ tenant_id: string; endpoint_id: string }>(
        sql`select tenant_id, endpoint_id from deliveries.abandoned(make_interval(days => ${keptDays.paused}::int), 10)`,
      );
      for (const { tenant_id, endpoint_id } of abandoned) await abandon(ports, tenant_id, endpoint_id);
      const [row] = await pool.query<{ gone: number }>(
        sql`select deliveries.tidy(make_interval(days => ${keptDays.settled}::int), ${chunk}::int) as gone`,
      );
      return abandoned.length > 0 || (row?.gone ?? 0) >= chunk ? 0 : every;
    },
    failed: (err) => log.warn({ err }, 'webhooks: what is old was not removed; it is tried again'),
    retry: { first: 60_000, longest: every },
  });
}

async function abandon(ports: GivingUp, tenant: string, webhookId: string): Promise<void> {
  await itself(ports, tenant).write(async (tx) => {
    const [row] = await tx.query<{ status: string; reason: Reason; signing: string }>(sql`
      select status, reason, signing from deliveries.endpoint
      where tenant_id = ${tenant}::uuid and endpoint_id = ${webhookId}::uuid for no key update`);
    if (row === undefined || row.status === 'active') return;
    const [dropped] = await tx.query<{ gone: number }>(
      sql`select deliveries.drop_waiting(${webhookId}::uuid, ${chunk}::int) as gone`,
    );
    // The rest comes with the next round, while it is still paused.
    if ((dropped?.gone ?? 0) >= chunk || row.status === 'disabled') return;
    // That its client was shut out is for a person to see for as long as it is there.
    const { version } = await stopWebhook(
      tx,
      webhookId,
      'disabled',
      shutOut.includes(row.reason) ? row.reason : 'abandoned',
    );
    if (row.signing !== 'rfc9421') await oweLetters(tx, ports, { webhookId, reason: 'abandoned', version });
  });
}
