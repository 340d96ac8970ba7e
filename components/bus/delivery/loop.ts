import { sql } from '@steward/sql';
import type { Consumer } from '../consumer.ts';
import type { Ground } from '../ground.ts';
import { catchUp } from './behind.ts';
import type { Seen } from './claim.ts';
import { createLanes, type Lanes } from './lanes.ts';
import { retryLetters } from './letters.ts';
import { lookBack } from './passed-over.ts';
import { playRound, type Reached } from './round.ts';

/** What a loop moves: a consumer of this database, or a transport to elsewhere. */
export interface Carrier {
  readonly name: string;
  /** Null: all. */
  readonly types: readonly string[] | null;
  /** Whether there is anybody to carry to; always, where it is not said. */
  readonly ready?: () => boolean;
  /** One portion above what was seen, of `most` events. Undefined where another process has it in hand. */
  round(lanes: Lanes, seen: Seen, most: number, careful: boolean): Promise<Reached | undefined>;
}

export const carrierOf = (ground: Ground, consumer: Consumer): Carrier => ({
  name: consumer.name,
  types: consumer.types,
  round: async (lanes, seen, most, careful) => playRound(ground, lanes, consumer, seen, most, careful),
});

export interface Loop {
  start(): void;
  /** Resolves once what was begun is done. */
  stop(): Promise<void>;
  /** These were published in this process; all sorts, where they are not said. */
  wake(events?: readonly { readonly type: string }[]): void;
  /** Whether the last look at the outbox was answered. */
  readonly healthy: boolean;
}

interface Progress {
  position: bigint;
  /** Where the database had it at last, in this generation. */
  written: bigint;
  generation: number;
  /** Events in the next round. */
  most: number;
  /** Where the last process may have ended in a round, the next one leaves every tenant to those who go one by one. */
  careful: boolean;
  /** Not before, of `performance.now()`. */
  notBefore: number;
  /** The rest after a round that found nothing: somebody else has it in hand, or has not committed yet. */
  vain: number;
  /** Something was published, or a transport was found, that no round has looked for yet. */
  wanted: boolean;
  timer: NodeJS.Timeout | undefined;
  running: Promise<void> | undefined;
}

interface Aside {
  /** When its present tenant was begun. */
  since: number;
  running: Promise<void>;
}

interface Look extends Record<string, unknown> {
  readonly head: bigint;
  readonly names: string[] | null;
  readonly positions: bigint[] | null;
  readonly generations: number[] | null;
  readonly behind: boolean;
  readonly letters: boolean;
}

/** After a failure of the round itself, such as of a database or broker that is away. Milliseconds. */
const setback = 500;
/** Tenants that are behind, at once; as many again beside slow ones. */
const followers = 2;
/** Events in a round from which on throughput counts more than the time of each. */
const crowd = 50;
/** Events in a round, at first and at least. */
const usual = 500;
const fewest = 50;
/** Between two rounds. Milliseconds. */
const longestRest = { few: 25, crowd: 100 };

/** How long after the last event the loop stays brisk. Milliseconds. */
const brisk = 2_000;

/**
 * Resting longer than working leaves the machine to those who publish, and what comes meanwhile goes together; a few events
 * cost little by themselves and are not kept waiting.
 * @param took milliseconds of the round
 */
function restAfter(events: number, took: number): number {
  const share = events / crowd;
  return Math.min(took * Math.min(share, 3), share > 1 ? longestRest.crowd : longestRest.few);
}

export function createLoop(ground: Ground, consumers: readonly Consumer[], transports: readonly Carrier[]): Loop {
  const { tenancy, log, pace } = ground;
  const { pool } = tenancy;
  const carriers = [...consumers.map((consumer) => carrierOf(ground, consumer)), ...transports];
  const names = carriers.map(({ name }) => name);
  const lanes = createLanes(pace.lanes);
  const beginning = { position: -1n, written: -1n, generation: 0, most: Math.min(usual, pace.batch), careful: true };
  const progress = new Map<string, Progress>(
    names.map((name) => [
      name,
      { ...beginning, notBefore: 0, vain: 0, wanted: false, timer: undefined, running: undefined },
    ]),
  );
  const catching = new Set<Aside>();
  const retrying = new Set<Aside>();
  const live = { on: false };
  let timer: NodeJS.Timeout | undefined;
  let due = 0;
  let enrolled = false;
  let looking: Promise<void> | undefined;
  let head = 0n;
  let lastEvent = 0;
  let lookedBack = -Infinity;
  let healthy = true;

  const schedule = (milliseconds: number): void => {
    if (!live.on) return;
    const at = performance.now() + milliseconds;
    if (timer !== undefined && due <= at) return;
    clearTimeout(timer);
    due = at;
    timer = setTimeout(tick, milliseconds);
  };
  const wake: Loop['wake'] = (events) => {
    for (const carrier of carriers) {
      const { types } = carrier;
      if (events !== undefined && types !== null && !events.some(({ type }) => types.includes(type))) continue;
      const own = progress.get(carrier.name) as Progress;
      own.wanted = true;
      soon(carrier, own);
    }
  };
  /** What this process published needs no look at the outbox: a round begins as soon as the last one's rest is over. */
  const soon = (carrier: Carrier, own: Progress): void => {
    if (!live.on || !enrolled || own.running !== undefined || own.timer !== undefined) return;
    own.timer = setTimeout(
      () => {
        own.timer = undefined;
        if (live.on && own.running === undefined && (carrier.ready?.() ?? true)) play(carrier, own);
      },
      Math.max(0, own.notBefore - performance.now()),
    );
  };
  function tick(): void {
    timer = undefined;
    if (looking !== undefined) return;
    looking = lookAgain().finally(() => (looking = undefined));
  }
  const lookAgain = async (): Promise<void> => {
    try {
      await look();
      healthy = true;
      schedule(performance.now() - lastEvent < brisk || waiting() ? pace.look : pace.idle);
    } catch (err) {
      if (healthy) log.warn({ err }, 'bus: the outbox cannot be read');
      healthy = false;
      schedule(setback);
    }
  };

  /** Whether a consumer is not where the outbox ended at the last look. */
  const waiting = (): boolean =>
    carriers.some(({ name, ready }) => (progress.get(name)?.position ?? head) < head && (ready?.() ?? true));
  const look = async (): Promise<void> => {
    if (!enrolled) {
      for (const { name, types } of carriers) {
        const [row] = await pool.query<{ well: boolean }>(sql`select bus.enroll(${name}, ${types}::text[]) as well`);
        if (row?.well === true) (progress.get(name) as Progress).careful = false;
      }
      enrolled = true;
    }
    if (performance.now() - lookedBack > pace.lookBack) {
      await lookBack(ground, names);
      lookedBack = performance.now();
    }
    const [found] = await pool.query<Look>(
      sql`select head, names, positions, generations, behind, letters from bus.poll(${names})`,
    );
    if (found === undefined) return;
    const forgotten = names.filter((name) => !(found.names?.includes(name) ?? false));
    if (forgotten.length > 0) {
      for (const name of forgotten) beginAnew(name);
      enrolled = false;
      return;
    }
    found.names?.forEach((name, index) => {
      note(name, found.positions?.[index] ?? 0n, found.generations?.[index] ?? 1);
    });
    head = found.head;
    const now = performance.now();
    for (const carrier of carriers) {
      const own = progress.get(carrier.name) as Progress;
      if (
        (own.position < head || own.wanted) &&
        own.running === undefined &&
        own.notBefore <= now &&
        (carrier.ready?.() ?? true)
      )
        play(carrier, own);
    }
    if (found.behind) {
      const slow = [...catching].filter(({ since }) => performance.now() - since > pace.patience).length;
      while (catching.size < followers + Math.min(slow, followers))
        aside(catching, async () => catchUp(ground, consumers));
    }
    if (found.letters && retrying.size === 0) aside(retrying, async () => retryLetters(ground, consumers));
  };

  /** An operator took away the place of a consumer that this process has: without one, its events could be pruned unseen. */
  const beginAnew = (name: string): void => {
    log.warn({ consumer: name }, 'bus: a consumer that this server has was forgotten: it begins anew');
    Object.assign(progress.get(name) as Progress, beginning);
  };

  /** What the database says counts where it is further, where somebody asked for a replay, and where it has lost the cursor. */
  const note = (name: string, position: bigint, generation: number): void => {
    const own = progress.get(name);
    if (own === undefined || own.running !== undefined) return;
    if (own.generation !== generation || position > own.position || position < own.written) own.position = position;
    own.generation = generation;
    own.written = position;
  };

  const play = (carrier: Carrier, own: Progress): void => {
    clearTimeout(own.timer);
    own.timer = undefined;
    own.running = (async () => {
      for (;;) {
        own.wanted = false;
        const { generation, position, written, most } = own;
        const began = performance.now();
        const reached = await carrier.round(lanes, { generation, position, written }, most, own.careful);
        const took = performance.now() - began;
        // Unless it began anew meanwhile.
        if (own.generation === generation && reached !== undefined) {
          own.generation = reached.generation;
          own.position = reached.position;
          own.written = reached.written;
        }
        if (reached === undefined || (reached.generation === generation && reached.position <= position)) {
          own.vain = Math.min(own.vain * 2 || pace.round, reached === undefined ? pace.look : pace.idle);
          own.notBefore = performance.now() + own.vain;
          schedule(own.vain);
          return;
        }
        own.vain = 0;
        if (reached.events > 0) {
          own.careful = false;
          lastEvent = performance.now();
        }
        // What a tenant's transaction costs is shared by its events: who is behind takes larger portions, as long as they are
        // done well within the patience that tenants have.
        if (took > pace.patience / 4) own.most = Math.max(most >> 1, fewest);
        else if (reached.events >= most && took < pace.patience / 8) own.most = Math.min(most << 1, pace.batch);
        own.notBefore = performance.now() + Math.max(pace.round, restAfter(reached.events, took));
        if (!reached.more || !live.on) return;
      }
    })()
      .catch((err: unknown) => {
        own.notBefore = performance.now() + setback;
        log.warn({ err, consumer: carrier.name }, 'bus: a round failed');
      })
      .finally(() => {
        own.running = undefined;
        if (own.wanted) soon(carrier, own);
      });
  };

  /** Does a job until there is nothing to do. */
  const aside = (jobs: Set<Aside>, job: () => Promise<boolean>): void => {
    const own: Aside = { since: performance.now(), running: Promise.resolve() };
    own.running = (async () => {
      try {
        while ((await job()) && live.on) own.since = lastEvent = performance.now();
      } catch (err) {
        log.warn({ err }, 'bus: what was behind could not be caught up');
      } finally {
        jobs.delete(own);
      }
    })();
    jobs.add(own);
  };

  return {
    start: () => {
      if (live.on || carriers.length === 0) return;
      live.on = true;
      schedule(0);
    },
    stop: async () => {
      live.on = false;
      clearTimeout(timer);
      for (const own of progress.values()) {
        clearTimeout(own.timer);
        own.timer = undefined;
      }
      await looking;
      await Promise.all([...progress.values()].map(async ({ running }) => running));
      await Promise.all([...catching, ...retrying].map(async ({ running }) => running));
      await lanes.idle();
      // Where the database is away, the next process is careful for nothing.
      if (enrolled) await pool.query(sql`select bus.let_go(${names})`).catch(() => undefined);
      enrolled = false;
    },
    wake,
    get healthy() {
      return healthy;
    },
  };
}
