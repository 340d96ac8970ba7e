import { Counter, Gauge, type Metrics } from '@steward/kernel';
import type { SqlPool } from '@steward/sql';
import { summarizeMail } from './emails/operate.ts';

export interface MailMetrics {
  readonly sent: () => void;
  readonly failed: (reason: string) => void;
  readonly dead: (reason: string) => void;
}

/** What this process did, and what lies in the database whenever metrics are collected. */
export function mailMetrics({ registry }: Pick<Metrics, 'registry'>, pool: Pick<SqlPool, 'query'>): MailMetrics {
  const registers = [registry];
  const sent = new Counter({ name: 'steward_mail_sent_total', help: 'Letters that the mail server took.', registers });
  const failed = new Counter({
    name: 'steward_mail_failed_total',
    help: 'Attempts that failed, by reason.',
    labelNames: ['reason'],
    registers,
  });
  const dead = new Counter({
    name: 'steward_mail_dead_total',
    help: 'Letters given up after an attempt, by reason.',
    labelNames: ['reason'],
    registers,
  });
  const oldest = new Gauge({
    name: 'steward_mail_oldest_seconds',
    help: 'How long the oldest letter has been due.',
    registers,
  });
  const letters: Gauge<'state'> = new Gauge({
    name: 'steward_mail_letters',
    help: 'Letters in the database: queued, or dead until they are forgotten.',
    labelNames: ['state'],
    registers,
    collect: async () => {
      try {
        const counts = await summarizeMail(pool);
        for (const state of ['queued', 'dead'] as const) {
          const count = counts.filter((one) => one.state === state).reduce((sum, one) => sum + one.letters, 0);
          letters.set({ state }, count);
        }
        const first = counts.find(({ state }) => state === 'queued')?.first_at?.getTime();
        oldest.set(first === undefined ? 0 : Math.max(0, (Date.now() - first) / 1000));
      } catch {
        // The other metrics are needed most while the database is away, so this one keeps its last value.
      }
    },
  });
  return {
    sent: () => sent.inc(),
    failed: (reason) => failed.inc({ reason }),
    dead: (reason) => dead.inc({ reason }),
  };
}
