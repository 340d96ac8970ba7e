import { Counter, Gauge, type Metrics } from '@steward/kernel';
import { sql, type SqlPool } from '@steward/sql';

export interface CallbackMetrics {
  received(receiver: string, outcome: string): void;
  refused(receiver: string, code: string): void;
  settled(outcome: string): void;
}

/** What this process did, and what lies in the database whenever metrics are collected. */
export function callbackMetrics({ registry }: Pick<Metrics, 'registry'>, pool: Pick<SqlPool, 'read'>): CallbackMetrics {
  const registers = [registry];
  const received = new Counter({
    name: 'steward_callbacks_received_total',
    help: 'Genuine deliveries of providers, by what they were: new, repeated, conflicting, surplus (one more that conflicts, which is not kept) or unclaimed.',
    labelNames: ['receiver', 'outcome'],
    registers,
  });
  const refused = new Counter({
    name: 'steward_callbacks_refused_total',
    help: 'Requests to the addresses of providers that were refused, by code.',
    labelNames: ['receiver', 'code'],
    registers,
  });
  const settled = new Counter({
    name: 'steward_callbacks_settled_total',
    help: 'Attempts to carry out deliveries, by how they ended.',
    labelNames: ['outcome'],
    registers,
  });
  const waiting: Gauge<'receiver' | 'status'> = new Gauge({
    name: 'steward_callbacks_deliveries',
    help: 'Deliveries in the database that are not carried out.',
    labelNames: ['receiver', 'status'],
    registers,
    collect: async () => {
      try {
        const rows = await pool.read<{ receiver: string; status: string; deliveries: bigint }>(
          sql`select receiver, status, deliveries from callbacks.summary()`,
        );
        waiting.reset();
        for (const { receiver, status, deliveries } of rows) waiting.set({ receiver, status }, Number(deliveries));
      } catch {
        // The other metrics are needed most while the database is away, so this one keeps its last value.
      }
    },
  });
  return {
    received: (receiver, outcome) => received.inc({ receiver, outcome }),
    refused: (receiver, code) => refused.inc({ receiver, code }),
    settled: (outcome) => settled.inc({ outcome }),
  };
}
