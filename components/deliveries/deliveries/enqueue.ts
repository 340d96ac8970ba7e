import type { Consumer } from '@steward/bus';
import { sql } from '@steward/sql';
import { tested } from '../words.ts';
import { bodyOf } from './body.ts';

/**
 * Puts every event into the queue of each webhook that wants it, in the transaction that moves the consumer's place: none is lost, and
 * none is there twice. Nothing in an event can fail it, so a tenant waits rather than that an event is left out.
 */
export const enqueuer = (types: readonly string[], queued: (tenant: string) => void): Consumer => ({
  name: 'deliveries',
  types,
  onFailure: 'park',
  // Under load many events share a round; one after a pause is queued at once.
  gathers: 30,
  handle: async (tx, event) => {
    const { id, tenant, type, subject = null, sequence, data } = event;
    const onlyFor = type === tested ? String(data['webhookId']) : null;
    tx.later(sql`
      select deliveries.enqueue(${BigInt(sequence)}::bigint, ${id}::uuid, ${type}, ${subject}, ${bodyOf(event)}, ${onlyFor}::uuid, null)`);
    tx.afterCommit(() => queued(tenant));
  },
});
