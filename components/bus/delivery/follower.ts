import { createLoop, type Worker } from '@steward/work';
import type { Consumer } from '../consumer.ts';
import type { Deps } from '../deps.ts';
import type { Seen } from './claim.ts';
import type { Slots } from './slots.ts';
import { runRound, type Reached } from './round.ts';

/** What rounds move: a consumer of this database, or a transport to elsewhere. */
export interface Sink {
  readonly name: string;
  /** Null: all. */
  readonly types: readonly string[] | null;
  /** Milliseconds from one round to the next at least. */
  readonly gathers?: number | undefined;
  /** Whether there is anybody to send to; always, where it is not said. */
  readonly ready?: () => boolean;
  /** One batch above what was seen, of `most` events. Undefined where another process has claimed it. */
  round(slots: Slots, seen: Seen, most: number, careful: boolean): Promise<Reached | undefined>;
}

export const sinkOf = (deps: Deps, consumer: Consumer): Sink => ({
  name: consumer.name,
  types: consumer.types,
  gathers: consumer.gathers,
  round: async (slots, seen, most, careful) => runRound(deps, slots, consumer, seen, most, careful),
});

/** What followers and catch-ups share with the poller of their process. */
export interface Activity {
  /** Whether the database knows all consumers of this process. */
  readonly enrolled: boolean;
  /** When events were handed over last; `performance.now()`. */
  lastEvent: number;
  /** Has the outbox looked at within so many milliseconds. */
  pollWithin(milliseconds: number): void;
}

/** One sink's place in the outbox, as far as this process knows, and its rounds. */
export interface Follower extends Worker {
  readonly name: string;
  /** Something of these types was published here; of any, where they are not said. No look at the outbox is needed. */
  wake(events?: readonly { readonly type: string }[]): void;
  /** The outbox ends there: a round begins where there is something to do and its rest is over. */
  follow(head: bigint): void;
  /** Whether it has something to do there. */
  isLagging(head: bigint): boolean;
  /** What the database says counts where it is further, where somebody asked for a replay, and where it has lost the cursor. */
  note(position: bigint, generation: number): void;
  /** The last process did not end in a round. */
  trust(): void;
  /** Its place is gone. */
  beginAnew(): void;
}

/** After a failure of the round itself, such as of a database or broker that is away. Milliseconds. */
const failureRest = 500;
/** Events in a round from which on throughput counts more than the time of each. */
const busyRound = 50;
/** Events in a round, at first and at least. */
const usual = 500;
const fewest = 50;
/** Between two rounds. Milliseconds. */
const longestRest = { few: 25, busyRound: 100 };

/**
 * Resting longer than working leaves the machine to those who publish, and what comes meanwhile goes together; a few events
 * cost little by themselves and are not kept waiting.
 * @param took milliseconds of the round
 */
function restAfter(events: number, took: number): number {
  const share = events / busyRound;
  return Math.min(took * Math.min(share, 3), share > 1 ? longestRest.busyRound : longestRest.few);
}

export function createFollower({ log, timings }: Deps, slots: Slots, sink: Sink, activity: Activity): Follower {
  const { name, types } = sink;
  const ready = (): boolean => sink.ready?.() ?? true;
  const beginning = {
    /** `written`: the cursor as the database last had it, in this generation. */
    seen: { generation: 0, position: -1n, written: -1n } as Seen,
    /** Events in the next round. */
    most: Math.min(usual, timings.batch),
    /** Where the last process may have ended in a round, the next one leaves every tenant to those who go one by one. */
    careful: true,
  };
  const own = { ...beginning };
  /** Of `performance.now()`. */
  let notBefore = 0;
  /** The rest after a round that found nothing: somebody else has claimed it, or has not committed yet. */
  let emptyRest = 0;
  /** The same after rounds that found only events of other types: what others publish is looked for less often then. */
  let foreignRest = 0;
  let notFollowedBefore = 0;
  /** Something was published, or a transport was found, that no round has looked for yet. */
  let wanted = false;
  let running = false;

  const rest = (): number => Math.max(0, notBefore - performance.now());
  const loop = createLoop({
    round: async () => {
      if (!wanted || !activity.enrolled || !ready()) return Infinity;
      running = true;
      try {
        return (await runOnce()) ? 0 : wanted ? rest() : Infinity;
      } finally {
        running = false;
      }
    },
    failed: (err) => {
      notBefore = performance.now() + failureRest;
      log.warn({ err, consumer: name }, 'bus: a round failed');
    },
    retry: { first: failureRest, longest: failureRest },
  });
  const begin = (): void => {
    wanted = true;
    if (!running && activity.enrolled) loop.wake(rest());
  };
  /** Whether there is more to do at once. */
  const runOnce = async (): Promise<boolean> => {
    wanted = false;
    const { seen, most } = own;
    const began = performance.now();
    const reached = await sink.round(slots, seen, most, own.careful);
    const took = performance.now() - began;
    // Unless it was reset meanwhile.
    if (own.seen.generation === seen.generation && reached !== undefined) {
      const { generation, position, written } = reached;
      own.seen = { generation, position, written };
    }
    if (reached === undefined || (reached.generation === seen.generation && reached.position <= seen.position)) {
      // Who gathers is in no hurry while others are about to commit.
      const shortest = Math.max(timings.round, (sink.gathers ?? 0) / 4);
      emptyRest = Math.max(shortest, Math.min(emptyRest * 2, reached === undefined ? timings.poll : timings.idle));
      notBefore = performance.now() + emptyRest;
      activity.pollWithin(emptyRest);
      return false;
    }
    emptyRest = 0;
    foreignRest = reached.events > 0 ? 0 : Math.min(foreignRest * 2 || timings.poll, timings.idle);
    notFollowedBefore = performance.now() + foreignRest;
    if (reached.events > 0) {
      own.careful = false;
      activity.lastEvent = performance.now();
    }
    // What a tenant's transaction costs is shared by its events: who is behind takes larger batches, as long as they are
    // done well within the patience that tenants have.
    if (took > timings.patience / 4) own.most = Math.max(most >> 1, fewest);
    else if (reached.events >= most && took < timings.patience / 8) own.most = Math.min(most << 1, timings.batch);
    notBefore = performance.now() + Math.max(timings.round, sink.gathers ?? 0, restAfter(reached.events, took));
    wanted ||= reached.more;
    return reached.more;
  };

  return {
    name,
    start: () => loop.start(),
    stop: async () => loop.stop(),
    wake: (events) => {
      if (events === undefined || types === null || events.some(({ type }) => types.includes(type))) begin();
    },
    follow: (head) => {
      const lags = own.seen.position < head && performance.now() >= notFollowedBefore;
      if (!running && (lags || wanted) && rest() === 0) begin();
    },
    isLagging: (head) => own.seen.position < head && ready(),
    note: (position, generation) => {
      if (running) return;
      const { seen } = own;
      const counts = seen.generation !== generation || position > seen.position || position < seen.written;
      own.seen = { generation, written: position, position: counts ? position : seen.position };
    },
    trust: () => {
      own.careful = false;
    },
    beginAnew: () => {
      log.warn({ consumer: name }, 'bus: a consumer that this server has was forgotten: it begins anew');
      Object.assign(own, beginning);
    },
  };
}
