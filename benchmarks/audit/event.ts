import { newId } from '@steward/kernel';
import { sql, type Statement } from '@steward/sql';
import { randomBytes } from 'node:crypto';

/** An order as an outside producer reports it; some 665 bytes in canonical form. */
export function sampleEvent(): Record<string, unknown> {
  return {
    type: 'commerce.order.imported',
    event_version: '1.0.0',
    grammar: 'commerce',
    source: 'marketplace',
    payload: { order_id: newId(), total: { amount: '129.90', currency: 'EUR' }, lines: 3, channel: 'web' },
    dimensional_tags: { region: 'eu', channel: 'web' },
    principal_chain: [{ principal_type: 'user', principal_id: 'alice' }],
    occurred_at: new Date().toISOString(),
    idempotency_key: newId(),
    correlation_id: newId(),
  };
}

/** The same work without any promise: one row, ready made, one INSERT, one commit. */
export function plainInsert(tenant: string, sequence: number): Statement {
  const event = sampleEvent();
  const id = newId();
  const text = JSON.stringify({
    ...event,
    id,
    tenantId: tenant,
    grammarDigest: digest,
    ingestedBy: { principalId: 'alice', principalType: 'user' },
  });
  return sql`insert into plain.event (tenant_id, sequence, received_at, event_hash, row_hash, id, type, grammar,
      occurred_at, causal_id, correlation_id, principals, event)
    values (${tenant}, ${sequence}, ${event['occurred_at']}, ${hash}, ${hash}, ${id}, ${event['type']},
      ${event['grammar']}, ${event['occurred_at']}, ${null}, ${event['correlation_id']}, ${['user:alice']}, ${text})`;
}

const hash = randomBytes(32);
const digest = hash.toString('hex');
