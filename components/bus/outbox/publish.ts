import type { PublishedEvent } from '@steward/kernel';
import { sql, type TenantTransaction } from '@steward/sql';

/** Writes events to the outbox in the transaction of the change they announce (CloudEvents 1.0 attributes). */
export async function publish(tx: TenantTransaction, events: readonly PublishedEvent[]): Promise<void> {
  const { tenant, correlationId, causalId } = tx.context;
  for (const event of events) {
    tx.later(sql`
      insert into bus.outbox (tenant_id, event_id, type, source, subject, data, correlation_id, causation_id)
      values (${tenant}::uuid, ${event.id}::uuid, ${event.type}, ${event.source}, ${event.subject ?? null},
        ${JSON.stringify(event.data)}, ${event.correlationId ?? correlationId}, ${event.causationId ?? causalId ?? null})`);
  }
}
