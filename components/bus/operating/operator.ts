import { openPool, sql, type SqlPool } from '@steward/sql';
import { type ConsumerState, lagSeconds, selectState } from '../metrics.ts';

/** How far a consumer is, for people. */
export interface ConsumerStatus {
  readonly consumer: string;
  /** At most 10,000 are counted. */
  readonly waiting: number;
  readonly lagSeconds: number;
  readonly behind: number;
  readonly parked: number;
  readonly deadLetters: number;
  /** Events that the cursor skipped and that were found again; until acknowledged. */
  readonly passedOver: number;
  /** RFC 3339. */
  readonly movedAt: string;
}

/** An event that was given up (`dead`), or that holds its tenant (`parked`). */
export interface Stuck {
  readonly kind: 'dead' | 'parked';
  readonly consumer: string;
  readonly tenant: string;
  readonly event: string;
  readonly type: string;
  readonly attempts: number;
  readonly code: string;
  readonly since: string;
}

/** Where a replay begins. */
export type Start = { readonly beginning: true } | { readonly time: string } | { readonly event: string };

/** What is done to the bus by hand, with the owner's login. */
export interface Operator extends AsyncDisposable {
  status(): Promise<ConsumerStatus[]>;
  stuck(of: { consumer?: string | undefined; tenant?: string | undefined }, most: number): Promise<Stuck[]>;
  /**
   * Gives a consumer the events from `start` on again, of all tenants or of one; a running server delivers them.
   * @returns how many events are delivered again
   * @throws RangeError where there is no such consumer or event
   */
  replay(consumer: string, start: Start, tenant?: string): Promise<bigint>;
  /**
   * Makes a running server try dead letters again and continue parked tenants.
   * @throws RangeError where there is no such consumer
   */
  retry(
    consumer: string,
    of: { tenant?: string | undefined; event?: string | undefined },
  ): Promise<{ letters: number; tenants: number }>;
  /**
   * Acknowledges the events that a consumer's cursor skipped, which ends the alarm.
   * @returns how many events that were
   * @throws RangeError where there is no such consumer
   */
  acknowledge(consumer: string): Promise<bigint>;
  /**
   * Removes events before a moment.
   * @param time RFC 3339
   * @throws RangeError naming who still needs one of them; then nothing was removed
   */
  prune(time: string): Promise<number>;
  /**
   * Removes a consumer's position, its dead letters and its memory. A running server that has this consumer starts it again.
   * @throws RangeError where there is no such consumer
   */
  forget(consumer: string): Promise<void>;
}

const chunk = 10_000;

/** @param ownerUrl login that owns the schema */
export function openOperator(ownerUrl: string): Operator {
  // The owner may take its time; the application's limits are for requests.
  const pool = openPool({ url: ownerUrl, size: 1, statementMilliseconds: 0 });
  const close = async (): Promise<void> => pool.close();
  return {
    status: async () => (await pool.query<ConsumerState>(selectState)).map(present),
    stuck: async ({ consumer = null, tenant = null }, most) => stuck(pool, consumer, tenant, most),
    replay: async (consumer, start, tenant) => {
      const after = await positionOf(pool, start, tenant ?? null);
      const [row] = await pool.query<{ events: bigint | null }>(
        sql`select bus.replay(${consumer}, ${after}, ${tenant ?? null}) as events`,
      );
      if (row === undefined || row.events === null) throw noConsumer(consumer);
      if (row.events < 0n)
        throw new RangeError(`${consumer} can only be replayed for all tenants: leave out the tenant.`);
      return row.events;
    },
    retry: async (consumer, { tenant = null, event = null }) => {
      const [row] = await pool.query<{ letters: number; tenants: number }>(
        sql`select letters, tenants from bus.retry(${consumer}, ${tenant}, ${event})`,
      );
      const done = row ?? { letters: 0, tenants: 0 };
      if (done.letters + done.tenants === 0) {
        const known = await pool.query<ConsumerState>(selectState);
        if (!known.some(({ name }) => name === consumer)) throw noConsumer(consumer);
      }
      return done;
    },
    acknowledge: async (consumer) => {
      const [row] = await pool.query<{ events: bigint | null }>(sql`select bus.acknowledge(${consumer}) as events`);
      if (row === undefined || row.events === null) throw noConsumer(consumer);
      return row.events;
    },
    prune: async (time) => prune(pool, time),
    forget: async (consumer) => {
      const [row] = await pool.query<{ gone: boolean }>(sql`select bus.forget(${consumer}) as gone`);
      if (row?.gone !== true) throw noConsumer(consumer);
    },
    [Symbol.asyncDispose]: close,
  };
}

const noConsumer = (name: string): RangeError =>
  new RangeError(`There is no consumer ${JSON.stringify(name)}: \`steward bus status\` lists the consumers.`);

const present = (state: ConsumerState): ConsumerStatus => ({
  consumer: state.name,
  waiting: state.waiting,
  lagSeconds: lagSeconds(state),
  behind: state.behind,
  parked: state.parked,
  deadLetters: state.dead_letters,
  passedOver: Number(state.passed_over),
  movedAt: state.moved_at.toISOString(),
});

async function stuck(pool: SqlPool, consumer: string | null, tenant: string | null, most: number): Promise<Stuck[]> {
  const rows = await pool.query<{
    kind: Stuck['kind'];
    consumer: string;
    tenant_id: string;
    event_id: string | null;
    type: string | null;
    attempts: number;
    error_code: string | null;
    since: Date;
  }>(sql`
    select kind, consumer, tenant_id, event_id, type, attempts, error_code, since
    from bus.stuck(${consumer}, ${tenant}, ${most})`);
  return rows.map((row) => ({
    kind: row.kind,
    consumer: row.consumer,
    tenant: row.tenant_id,
    event: row.event_id ?? '',
    type: row.type ?? '',
    attempts: row.attempts,
    code: row.error_code ?? '',
    since: row.since.toISOString(),
  }));
}

async function positionOf(pool: SqlPool, start: Start, tenant: string | null): Promise<bigint> {
  if ('beginning' in start) return 0n;
  const [row] = await pool.query<{ after: bigint | null }>(
    'time' in start
      ? sql`select bus.position_before(${start.time}) as after`
      : sql`select bus.position_of(${start.event}, ${tenant}) as after`,
  );
  if (row === undefined || row.after === null) throw new RangeError('The outbox has no such event: check its id.');
  return row.after;
}

async function prune(pool: SqlPool, time: string): Promise<number> {
  const [row] = await pool.query<{ through: bigint }>(sql`select bus.position_before(${time}) as through`);
  const through = row?.through ?? 0n;
  const needed = await pool.query<{ consumer: string; what: string }>(
    sql`select consumer, what from bus.needed(${through})`,
  );
  if (needed.length > 0) {
    const who = needed.map(({ consumer, what }) => `${consumer} (${what})`).join(', ');
    throw new RangeError(
      `Nothing was removed, because ${who} still needs events before ${time}. Wait until it catches up, or use retry, ` +
        'replay or forget.',
    );
  }
  let removed = 0;
  for (;;) {
    const [gone] = await pool.query<{ n: number }>(sql`select bus.prune(${through}, ${chunk}) as n`);
    removed += gone?.n ?? 0;
    if ((gone?.n ?? 0) < chunk) return removed;
  }
}
