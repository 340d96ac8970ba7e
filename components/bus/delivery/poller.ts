import { sql } from '@steward/sql';
import { createLoop, type Worker } from '@steward/work';
import type { Consumer } from '../consumer.ts';
import type { Ground } from '../ground.ts';
import { createAsides } from './asides.ts';
import { carrierOf, createFollower, type Carrier, type Follower, type Pulse } from './follower.ts';
import { createLanes } from './lanes.ts';
import { lookBack } from './passed-over.ts';

/** Looks where the outbox ends, and has followers and asides do what there is to do. */
export interface Poller extends Worker {
  /** These were published in this process; all sorts, where they are not said. */
  wake(events?: readonly { readonly type: string }[]): void;
  /** Whether the last look at the outbox was answered. */
  readonly healthy: boolean;
}

interface Look extends Record<string, unknown> {
  readonly head: bigint;
  readonly names: string[] | null;
  readonly positions: bigint[] | null;
  readonly generations: number[] | null;
  readonly behind: boolean;
  readonly letters: boolean;
}

/** After a look that failed. Milliseconds. */
const setback = 500;
/** How long after the last event looks stay frequent. Milliseconds. */
const brisk = 2_000;

export function createPoller(ground: Ground, consumers: readonly Consumer[], transports: readonly Carrier[]): Poller {
  const { log, pace } = ground;
  const { pool } = ground.tenancy;
  let enrolled = false;
  let head = 0n;
  let lookedBack = -Infinity;
  let healthy = true;
  const pulse: Pulse = {
    get enrolled() {
      return enrolled;
    },
    lastEvent: 0,
    lookWithin: (milliseconds) => loop.wake(milliseconds),
  };
  const lanes = createLanes(pace.lanes);
  const carriers = [...consumers.map((consumer) => carrierOf(ground, consumer)), ...transports];
  const names = carriers.map(({ name }) => name);
  const followers = new Map<string, Follower>(
    carriers.map((carrier) => [carrier.name, createFollower(ground, lanes, carrier, pulse)]),
  );
  const asides = createAsides(ground, consumers, pulse);

  const enroll = async (): Promise<void> => {
    for (const { name, types } of carriers) {
      const [row] = await pool.query<{ well: boolean }>(sql`select bus.enroll(${name}, ${types}::text[]) as well`);
      if (row?.well === true) followers.get(name)?.trust();
    }
    enrolled = true;
  };
  const look = async (): Promise<void> => {
    if (!enrolled) await enroll();
    if (performance.now() - lookedBack > pace.lookBack) {
      await lookBack(ground, names);
      lookedBack = performance.now();
    }
    const [found] = await pool.query<Look>(
      sql`select head, names, positions, generations, behind, letters from bus.poll(${names})`,
    );
    if (found === undefined) return;
    // An operator took away the place of a consumer that this process has: without one, its events could be pruned unseen.
    const forgotten = names.filter((name) => !(found.names?.includes(name) ?? false));
    if (forgotten.length > 0) {
      for (const name of forgotten) followers.get(name)?.beginAnew();
      enrolled = false;
      return;
    }
    found.names?.forEach((name, index) => {
      followers.get(name)?.note(found.positions?.[index] ?? 0n, found.generations?.[index] ?? 1);
    });
    head = found.head;
    for (const follower of followers.values()) follower.follow(head);
    if (found.behind) asides.catchUp();
    if (found.letters) asides.retryLetters();
  };
  const loop = createLoop({
    round: async () => {
      await look();
      healthy = true;
      const busy =
        performance.now() - pulse.lastEvent < brisk || [...followers.values()].some((one) => one.isBehind(head));
      return busy ? pace.look : pace.idle;
    },
    failed: (err) => {
      if (healthy) log.warn({ err }, 'bus: the outbox cannot be read');
      healthy = false;
    },
    retry: { first: setback, longest: setback },
  });

  return {
    start: () => {
      if (carriers.length === 0) return;
      for (const follower of followers.values()) follower.start();
      loop.start();
    },
    stop: async () => {
      await Promise.all([loop, ...followers.values(), asides].map(async (one) => one.stop()));
      await lanes.idle();
      // Where the database is away, the next process is careful for nothing.
      if (enrolled) await pool.query(sql`select bus.let_go(${names})`).catch(() => undefined);
      enrolled = false;
    },
    wake: (events) => {
      for (const follower of followers.values()) follower.wake(events);
    },
    get healthy() {
      return healthy;
    },
  };
}
