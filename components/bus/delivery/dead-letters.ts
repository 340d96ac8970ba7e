import { sql } from '@steward/sql';
import type { Consumer } from '../consumer.ts';
import { ownContext, type Deps } from '../deps.ts';
import { eventOf, type OutboxRow } from '../outbox/event.ts';
import { deliverEvents } from '../permissions.ts';
import { callHandler, HandlerFailed } from './call-handler.ts';
import { codeOf, isTransient, placeOf } from './refusal.ts';

/** Longer than a handler may take. */
const lease = '60 seconds';

interface Due extends Record<string, unknown> {
  readonly tenant_id: string;
  readonly consumer: string;
  readonly event_id: string;
}

/** Dead letters that an operator asked to try again; answers whether there were any. */
export async function retryDeadLetters(deps: Deps, consumers: readonly Consumer[]): Promise<boolean> {
  const due = await deps.tenancy.pool.query<Due>(sql`
    select tenant_id, consumer, event_id
    from bus.claim_letters(${consumers.map(({ name }) => name)}, ${lease}::interval, 20)`);
  for (const one of due) {
    const consumer = consumers.find(({ name }) => name === one.consumer);
    if (consumer !== undefined) await retryOne(deps, consumer, one);
  }
  return due.length > 0;
}

/** The letter goes in the transaction of the effect: who finds it gone does nothing. */
async function retryOne(deps: Deps, consumer: Consumer, { tenant_id: tenant, event_id: id }: Due): Promise<void> {
  const scope = ownContext(deps, tenant, id).require(deliverEvents);
  try {
    await scope.write(async (tx) => {
      const gone = await tx.query(sql`
        delete from bus.dead_letter where tenant_id = ${tenant} and consumer = ${consumer.name} and event_id = ${id}
        returning 0`);
      const [row] = await tx.query<OutboxRow>(sql`
        select tenant_id, event_id, position as pos, type, source, subject, data, correlation_id, causation_id,
          to_char(occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as occurred_at
        from bus.outbox where tenant_id = ${tenant} and event_id = ${id}`);
      if (gone.length > 0 && row !== undefined) await callHandler(consumer, tx, eventOf(row), deps.timings.handler);
    });
    deps.metrics.count(consumer.name, 'handled');
  } catch (error) {
    if (isTransient(error)) return;
    const cause = error instanceof HandlerFailed ? error.cause : error;
    const code = codeOf(cause);
    deps.metrics.count(consumer.name, 'failed');
    deps.log.warn({ consumer: consumer.name, tenant, event: id, code, at: placeOf(cause) }, 'bus: a retry failed');
    // Due again already: an operator asked once more while this try was under way, and it is not what they asked for.
    await scope.read(sql`
      update bus.dead_letter set error_code = ${code},
        retry_at = case when retry_at <= clock_timestamp() then retry_at end,
        tries_left = case when retry_at <= clock_timestamp() then tries_left else 0 end
      where tenant_id = ${tenant} and consumer = ${consumer.name} and event_id = ${id}`);
  }
}
