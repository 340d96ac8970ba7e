import type { PublishedEvent } from '@steward/kernel';
import { sql, type TenantTransaction } from '@steward/sql';

/** Writes events to the outbox in the transaction of the change they announce (CloudEvents 1.0 attributes). */
export async function publish(tx: TenantTransaction, events: readonly PublishedEvent[]): Promise<void> {
  const { tenant, correlationId, causalId } = tx.context;
  const rows = events.map((event) => ({
    event_id: event.id,
    type: event.type,
    source: event.source,
    subject: event.subject,
    data: JSON.stringify(event.data),
    correlation_id: event.correlationId ?? correlationId,
    causation_id: event.causationId ?? causalId,
  }));
  await tx.query(sql`
    insert into bus.outbox (tenant_id, event_id, type, source, subject, data, correlation_id, causation_id)
    select ${tenant}::uuid, event_id, type, source, subject, data, correlation_id, causation_id
    from json_to_recordset(${JSON.stringify(rows)}::json) as event
      (event_id uuid, type text, source text, subject text, data text, correlation_id text, causation_id text)`);
}
