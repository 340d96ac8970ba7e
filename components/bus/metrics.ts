import { Counter, Gauge, type Log, type Metrics } from '@steward/kernel';
import { sql, type SqlPool } from '@steward/sql';

export interface BusMetrics {
  /** Events by what became of them. */
  readonly count: (consumer: string, outcome: 'handled' | 'failed' | 'dead' | 'sent', events?: number) => void;
}

export interface ConsumerState extends Record<string, unknown> {
  readonly name: string;
  readonly pos: bigint;
  readonly head: bigint;
  /** At most 10,000 are counted. */
  readonly waiting: number;
  readonly oldest_at: Date | null;
  readonly moved_at: Date;
  /** Tenants that follow at their own pace. */
  readonly behind: number;
  readonly behind_since: Date | null;
  readonly parked: number;
  readonly dead_letters: number;
  /** Events found below the cursor that were not handed over, until an operator acknowledges them. */
  readonly passed_over: bigint;
}

export const selectState = sql`
  select name, pos, head, waiting, oldest_at, moved_at, behind, behind_since, parked, dead_letters, passed_over
  from bus.state()`;

/** Seconds since the oldest event that a consumer has not handled, parked tenants aside; 0 where there is none. */
export const lagSeconds = ({ oldest_at, behind_since }: ConsumerState, now = Date.now()): number =>
  Math.max(0, ...[oldest_at, behind_since].flatMap((at) => (at === null ? [] : [(now - at.getTime()) / 1000])));

/** The gauges ask the database when they are collected; while it cannot be reached they keep what they last said. */
export function busMetrics({ registry }: Pick<Metrics, 'registry'>, pool: SqlPool, log: Log): BusMetrics {
  const registers = [registry];
  const labelNames = ['consumer'];
  const events = new Counter({
    name: 'steward_bus_attempts_total',
    help: 'Events handed to consumers, by outcome: handled, failed, dead (gone on without), sent (to a transport).',
    labelNames: ['consumer', 'outcome'],
    registers,
  });
  let asked: Promise<ConsumerState[]> | undefined;
  /** One question for all gauges of a collection. */
  const states = async (): Promise<ConsumerState[]> => {
    asked ??= pool.query<ConsumerState>(selectState).finally(() => (asked = undefined));
    return asked;
  };
  const gauge = (name: string, help: string, value: (state: ConsumerState) => number): void => {
    const one: Gauge = new Gauge({
      name,
      help,
      labelNames,
      registers,
      collect: async () => {
        try {
          for (const state of await states()) one.set({ consumer: state.name }, value(state));
        } catch (err) {
          log.warn({ err, gauge: name }, 'bus: its state could not be read');
        }
      },
    });
  };
  gauge('steward_bus_lag_events', 'Events above the cursor; at most 10,000 are counted.', (s) => s.waiting);
  gauge('steward_bus_lag_seconds', 'Age of the oldest event that is not handled.', (s) => lagSeconds(s));
  gauge('steward_bus_tenants_behind', 'Tenants that failed or were slow, and are tried again.', (s) => s.behind);
  gauge('steward_bus_tenants_parked', 'Tenants that wait for an operator.', (s) => s.parked);
  gauge('steward_bus_dead_letters', 'Events that the consumer went on without.', (s) => s.dead_letters);
  gauge('steward_bus_passed_over', 'Events that a cursor had passed over, found again; until acknowledged.', (s) =>
    Number(s.passed_over),
  );
  return { count: (consumer, outcome, many = 1) => events.inc({ consumer, outcome }, many) };
}
