import type { Log } from '@steward/kernel';
import type { SqlPool } from '@steward/sql';
import { createLoop, type Worker } from '@steward/work';
import type pg from 'pg';
import { Alarms, daily } from './alarms.ts';
import { hourDue } from '../../hours/statements.ts';
import { createPace } from './pace.ts';
import { SealRefused } from '../refusal.ts';
import type { SealOutcome, Sealer } from '../sealer.ts';
import { dueDays, firstSealedDay, lastOver, lastPlatformDay } from '../statements.ts';
import { dayAfter, daysBetween } from '../calendar.ts';

export interface BackgroundDeps {
  readonly pool: SqlPool;
  readonly sealer: Sealer;
  readonly log: Log;
  /** How long after its end a day is sealed, so that what is late by a little is in it. */
  readonly graceMinutes: number;
  /** Whether this process appends at the moment. */
  readonly busy: () => boolean;
  /** Asks the archive what it can promise: a bad one is said at start, not at midnight. */
  readonly probe: () => Promise<void>;
  readonly report: (report: Report) => void;
}

/** What a look or a run came to. */
export interface Report {
  /** How many days the tenant furthest behind, or the platform, is behind. */
  readonly unsealedDays: number;
  /** Undefined where nothing was tried. */
  readonly refusedTenants?: number;
  readonly lastDay: string | undefined;
  readonly run?: { readonly seconds: number; readonly outcome: SealOutcome };
}

const minute = 60_000;
/** Days that are refused mend seldom; the archive or the database come back soon. */
const waits = {
  again: 1_000,
  elsewhere: minute,
  refused: 15 * minute,
  atMost: 10 * minute,
  failed: { first: 250, longest: 5 * minute },
  /** For a stop: an upload of a large day may not be waited for. */
  parting: 2_000,
};

/** Seals what is due: at once, then whenever a day is over. One process at a time, which only saves work. What a stop cuts off is left to the next run. */
export function createBackground(deps: BackgroundDeps): Worker {
  const { log } = deps;
  const alarms = new Alarms(log);
  const hourAlarms = new Alarms(log);
  let reportedAt = -Infinity;
  let probed = false;
  return createLoop({
    round: async (stopping) => {
      try {
        if (!probed) await deps.probe();
        probed = true;
        await hour(deps, hourAlarms);
        return await look(deps, stopping, alarms);
      } catch (error) {
        if (stopping.aborted) return 0;
        throw error;
      }
    },
    failed: (err) => {
      if (performance.now() - reportedAt <= daily) return;
      log.error({ err }, 'sealing stands still, and is tried again');
      reportedAt = performance.now();
    },
    recovered: () => {
      log.info('sealing goes on');
      reportedAt = -Infinity;
    },
    retry: waits.failed,
    patience: waits.parting,
  });
}

/** @returns how long to wait before the next look, in milliseconds */
async function look(deps: BackgroundDeps, signal: AbortSignal, alarms: Alarms): Promise<number> {
  const { pool, sealer, busy, report, graceMinutes } = deps;
  const { day: through, untilNext } = await lastOver(pool, graceMinutes);
  const before = await standing(pool, through);
  report(before);
  const idle = Math.min(untilNext + 1_000, waits.atMost, untilNextHour());
  if (before.unsealedDays === 0) return idle;
  return pool.withClient(async (client) => {
    await using held = await lock(client);
    if (held === undefined) return waits.elsewhere;
    const began = performance.now();
    const outcome = await sealer.seal({
      through,
      turn: createPace(busy, signal),
      batch: () => (busy() ? 32 : 500),
    });
    const seconds = (performance.now() - began) / 1000;
    const refusedTenants = outcome.refused.filter(({ owner }) => owner !== 'platform').length;
    report({ ...(await standing(pool, through)), refusedTenants, run: { seconds, outcome } });
    alarms.raise(outcome.refused);
    return outcome.refused.length > 0 ? Math.min(waits.refused, idle) : waits.again;
  });
}

/** One process at a time asks for it; the others would write the same. */
async function hour({ pool, sealer }: BackgroundDeps, alarms: Alarms): Promise<void> {
  if (!(await hourDue(pool))) return alarms.raise([]);
  await pool.withClient(async (client) => {
    await using held = await lock(client);
    if (held === undefined) return;
    try {
      await sealer.checkpoint();
    } catch (error) {
      // Days are sealed all the same.
      if (!(error instanceof SealRefused)) throw error;
      alarms.raise([error]);
    }
  });
}

/** A second behind the turn of the hour by this machine's clock; the database's clock decides. */
const untilNextHour = (): number => 3_600_000 - (Date.now() % 3_600_000) + 1_000;

async function standing(pool: SqlPool, through: string): Promise<Report> {
  const [due] = await dueDays(pool, through, undefined);
  const platform = await lastPlatformDay(pool);
  // Tenants may be through while the platform's day was cut off.
  const next = platform === undefined ? await firstSealedDay(pool) : dayAfter(platform.day);
  const [first] = [due?.day, next].filter((day) => day !== undefined && day <= through).toSorted();
  return {
    unsealedDays: first === undefined ? 0 : daysBetween(first, through) + 1,
    lastDay: platform?.day,
    ...(first === undefined ? { refusedTenants: 0 } : {}),
  };
}

/** How often a lock that is held is shown to be: well before the server ends a transaction that says nothing. */
const heartbeat = 10_000;

/**
 * A lock of a transaction, not of a session: a pooler gives sessions away, and a machine that is gone loses it within half a
 * minute. Nothing else happens in that transaction, so it holds back neither vacuum nor the bus.
 * @returns undefined where another process has it
 */
async function lock(client: pg.Client): Promise<AsyncDisposable | undefined> {
  await client.query('begin');
  const { rows } = await client.query<{ got: boolean }>(
    "select pg_try_advisory_xact_lock(hashtext('audit.sealer')) as got",
  );
  const got = rows[0]?.got === true;
  // A process that loses it anyway only works beside another: both write the same bytes.
  const beat = setInterval(() => void client.query('select 1').catch(() => undefined), heartbeat).unref();
  const release = async (): Promise<void> => {
    clearInterval(beat);
    await client.query('rollback').catch(() => undefined);
  };
  if (got) return { [Symbol.asyncDispose]: release };
  await release();
  return undefined;
}
