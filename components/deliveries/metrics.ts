import { Counter, Gauge, Histogram, type Metrics } from '@steward/kernel';
import type { SqlPool } from '@steward/sql';
import { summarize } from './operating/summarize.ts';

export interface DeliveriesMetrics {
  readonly attempted: (outcome: 'delivered' | 'failed' | 'given_up', seconds: number) => void;
  readonly streams: (change: 1 | -1) => void;
}

/** What this process did, and what lies in the database whenever metrics are collected. */
export function deliveriesMetrics(
  { registry }: Pick<Metrics, 'registry'>,
  pool: Pick<SqlPool, 'query'>,
): DeliveriesMetrics {
  const registers = [registry];
  const attempts = new Counter({
    name: 'steward_webhook_attempts_total',
    help: 'Requests to webhooks, by outcome: delivered, failed (tried again), given_up.',
    labelNames: ['outcome'],
    registers,
  });
  const seconds = new Histogram({
    name: 'steward_webhook_request_seconds',
    help: 'Time from a request to the end of its answer.',
    buckets: [0.005, 0.02, 0.1, 0.5, 2, 10],
    registers,
  });
  const streams = new Gauge({ name: 'steward_event_streams', help: 'Streams of events that are open.', registers });
  const waiting = new Gauge({
    name: 'steward_webhook_waiting',
    help: 'Events that wait for active webhooks and were not tried yet; at most 10,000 of each are counted.',
    registers,
  });
  const oldest = new Gauge({
    name: 'steward_webhook_oldest_seconds',
    help: 'How long the oldest of them has waited.',
    registers,
  });
  const endpoints: Gauge<'status'> = new Gauge({
    name: 'steward_webhooks',
    help: 'Webhooks by status: active, failing, paused, disabled.',
    labelNames: ['status'],
    registers,
    collect: async () => {
      try {
        const all = await summarize(pool);
        const of = (status: string) => all.filter((one) => one.status === status);
        const sum = (rows: typeof all, member: 'endpoints' | 'failing' | 'waiting'): number =>
          rows.reduce((total, row) => total + row[member], 0);
        const active = of('active');
        endpoints.set({ status: 'active' }, sum(active, 'endpoints') - sum(active, 'failing'));
        endpoints.set({ status: 'failing' }, sum(active, 'failing'));
        for (const status of ['paused', 'disabled']) endpoints.set({ status }, sum(of(status), 'endpoints'));
        waiting.set(sum(active, 'waiting'));
        const first = Math.min(...active.map(({ oldest_at }) => oldest_at?.getTime() ?? Infinity));
        oldest.set(first === Infinity ? 0 : Math.max(0, (Date.now() - first) / 1_000));
      } catch {
        // The other metrics are needed most while the database is away, so these keep their last values.
      }
    },
  });
  return {
    attempted: (outcome, took) => {
      attempts.inc({ outcome });
      seconds.observe(took);
    },
    streams: (change) => streams.inc(change),
  };
}
