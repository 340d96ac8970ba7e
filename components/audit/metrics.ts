import { Counter, Gauge, Histogram, type Metrics } from '@steward/kernel';

export interface AuditMetrics {
  readonly appended: (outcome: string, count: number) => void;
  readonly flushed: (events: number, seconds: number) => void;
  readonly denied: (outcome: string) => void;
}

/** `waiting`: how many events are in the group commit, read when metrics are collected. */
export function auditMetrics({ registry }: Pick<Metrics, 'registry'>, waiting: () => number): AuditMetrics {
  const registers = [registry];
  const events = new Counter({
    name: 'steward_audit_events_total',
    help: 'Events by what became of them: recorded by verbs, ingested, replayed.',
    labelNames: ['outcome'],
    registers,
  });
  const flushes = new Histogram({
    name: 'steward_audit_flush_seconds',
    help: 'Time of one group commit.',
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.05, 0.25, 1, 5],
    registers,
  });
  const batch = new Histogram({
    name: 'steward_audit_flush_events',
    help: 'Events in one group commit.',
    buckets: [1, 4, 16, 64, 256],
    registers,
  });
  const denials = new Counter({
    name: 'steward_audit_denials_total',
    help: 'Denied calls: recorded one by one, summed, or of callers without any standing.',
    labelNames: ['outcome'],
    registers,
  });
  const gauge: Gauge = new Gauge({
    name: 'steward_audit_waiting_events',
    help: 'Events waiting for their commit.',
    registers,
    collect: () => gauge.set(waiting()),
  });
  return {
    appended: (outcome, count) => events.inc({ outcome }, count),
    flushed: (count, seconds) => {
      flushes.observe(seconds);
      batch.observe(count);
    },
    denied: (outcome) => denials.inc({ outcome }),
  };
}
