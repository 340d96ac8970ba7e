import { sql } from '@steward/sql';
import { createLoop, type Worker } from '@steward/work';
import type { Consumer } from '../consumer.ts';
import type { Deps } from '../deps.ts';
import { createCatchUps } from './catch-ups.ts';
import { sinkOf, createFollower, type Sink, type Follower, type Activity } from './follower.ts';
import { createSlots } from './slots.ts';
import { findPassedOver } from './passed-over.ts';

/** Looks where the outbox ends, and has followers and catch-ups do what there is to do. */
export interface Poller extends Worker {
  /** These were published in this process; all sorts, where they are not said. */
  wake(events?: readonly { readonly type: string }[]): void;
  /** Whether the last poll of the outbox was answered. */
  readonly healthy: boolean;
}

interface Polled extends Record<string, unknown> {
  readonly head: bigint;
  readonly names: string[] | null;
  readonly positions: bigint[] | null;
  readonly generations: number[] | null;
  readonly behind: boolean;
  readonly letters: boolean;
}

/** After a poll that failed. Milliseconds. */
const failureRest = 500;
/** How long after the last event looks stay frequent. Milliseconds. */
const brisk = 2_000;

export function createPoller(deps: Deps, consumers: readonly Consumer[], transports: readonly Sink[]): Poller {
  const { log, timings } = deps;
  const { pool } = deps.tenancy;
  let enrolled = false;
  let head = 0n;
  let lastLookBack = -Infinity;
  let healthy = true;
  const activity: Activity = {
    get enrolled() {
      return enrolled;
    },
    lastEvent: 0,
    pollWithin: (milliseconds) => loop.wake(milliseconds),
  };
  const slots = createSlots(timings.slots);
  const sinks = [...consumers.map((consumer) => sinkOf(deps, consumer)), ...transports];
  const names = sinks.map(({ name }) => name);
  const followers = new Map<string, Follower>(
    sinks.map((sink) => [sink.name, createFollower(deps, slots, sink, activity)]),
  );
  const catchUps = createCatchUps(deps, consumers, activity);

  const enroll = async (): Promise<void> => {
    for (const { name, types } of sinks) {
      const [row] = await pool.query<{ well: boolean }>(sql`select bus.enroll(${name}, ${types}::text[]) as well`);
      if (row?.well === true) followers.get(name)?.trust();
    }
    enrolled = true;
  };
  const poll = async (): Promise<void> => {
    if (!enrolled) await enroll();
    if (performance.now() - lastLookBack > timings.recheck) {
      await findPassedOver(deps, names);
      lastLookBack = performance.now();
    }
    const [found] = await pool.query<Polled>(
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
    if (found.behind) catchUps.catchUp();
    if (found.letters) catchUps.retryDeadLetters();
  };
  const loop = createLoop({
    round: async () => {
      await poll();
      healthy = true;
      const busy =
        performance.now() - activity.lastEvent < brisk || [...followers.values()].some((one) => one.isLagging(head));
      return busy ? timings.poll : timings.idle;
    },
    failed: (err) => {
      if (healthy) log.warn({ err }, 'bus: the outbox cannot be read');
      healthy = false;
    },
    retry: { first: failureRest, longest: failureRest },
  });

  return {
    start: () => {
      if (sinks.length === 0) return;
      for (const follower of followers.values()) follower.start();
      loop.start();
    },
    stop: async () => {
      await Promise.all([loop, ...followers.values(), catchUps].map(async (one) => one.stop()));
      await slots.idle();
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
