import type { PublishedEvent } from '@steward/kernel';
import { sql, type Admission, type Attributed, type TenantTransaction, type Transaction } from '@steward/sql';

/** Writes events to the outbox in the transaction of the change they announce (CloudEvents 1.0 attributes). */
export async function publish(tx: TenantTransaction, events: readonly PublishedEvent[]): Promise<void> {
  const { tenant, correlationId, causalId } = tx.context;
  // One by one is half the work for one; many are one statement.
  const [event] = events;
  if (events.length === 1 && event !== undefined) {
    tx.later(sql`
      insert into bus.outbox (tenant_id, event_id, type, source, subject, data, correlation_id, causation_id)
      values (${tenant}::uuid, ${event.id}::uuid, ${event.type}, ${event.source}, ${event.subject ?? null},
        ${JSON.stringify(event.data)}, ${event.correlationId ?? correlationId}, ${event.causationId ?? causalId ?? null})`);
    return;
  }
  const rows = events.map((one) => rowOf(one, tx.context));
  tx.later(sql`
    insert into bus.outbox (tenant_id, event_id, type, source, subject, data, correlation_id, causation_id)
    select ${tenant}::uuid, event_id, type, source, subject, data, correlation_id, causation_id
    from json_to_recordset(${JSON.stringify(rows)}::json) as event
      (event_id uuid, type text, source text, subject text, data text, correlation_id text, causation_id text)`);
}

/** The same for a transaction that tenants share: each event names its own. */
export function publishTogether(tx: Transaction, events: readonly Attributed<PublishedEvent>[]): void {
  const rows = events.map((one) => ({ tenant_id: one.of.tenant, ...rowOf(one, one.of) }));
  tx.later(sql`select bus.publish_together(${JSON.stringify(rows)}::json)`);
}

const rowOf = (event: PublishedEvent, { correlationId, causalId }: Admission) => ({
  event_id: event.id,
  type: event.type,
  source: event.source,
  subject: event.subject,
  data: JSON.stringify(event.data),
  correlation_id: event.correlationId ?? correlationId,
  causation_id: event.causationId ?? causalId,
});
