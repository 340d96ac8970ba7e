import type { Consumer } from '../consumer.ts';
import type { Deps } from '../deps.ts';
import { catchUp } from './catch-up.ts';
import type { Activity } from './follower.ts';
import { retryDeadLetters } from './dead-letters.ts';

/** What is done beside the rounds, until nothing of it is left. */
export interface CatchUps {
  /** There are tenants that are behind and due. */
  catchUp(): void;
  /** There are dead letters that an operator asked to try again. */
  retryDeadLetters(): void;
  /** Begins nothing new, and resolves once what is under way is done. */
  stop(): Promise<void>;
}

interface Job {
  /** When its present piece was begun; `performance.now()`. */
  since: number;
  running: Promise<void>;
}

/** Tenants that are behind, at once; as many again beside slow ones. */
const atOnce = 2;

export function createCatchUps(deps: Deps, consumers: readonly Consumer[], activity: Activity): CatchUps {
  const { log, timings } = deps;
  const catching = new Set<Job>();
  const retrying = new Set<Job>();
  const live = { on: true };

  const begin = (catchUps: Set<Job>, job: () => Promise<boolean>): void => {
    const own: Job = { since: performance.now(), running: Promise.resolve() };
    own.running = (async () => {
      try {
        while ((await job()) && live.on) own.since = activity.lastEvent = performance.now();
      } catch (err) {
        log.warn({ err }, 'bus: what was behind could not be caught up');
      } finally {
        catchUps.delete(own);
      }
    })();
    catchUps.add(own);
  };

  return {
    catchUp: () => {
      if (!live.on) return;
      const slow = [...catching].filter(({ since }) => performance.now() - since > timings.patience).length;
      while (catching.size < atOnce + Math.min(slow, atOnce)) begin(catching, async () => catchUp(deps, consumers));
    },
    retryDeadLetters: () => {
      if (live.on && retrying.size === 0) begin(retrying, async () => retryDeadLetters(deps, consumers));
    },
    stop: async () => {
      live.on = false;
      await Promise.all([...catching, ...retrying].map(async ({ running }) => running));
    },
  };
}
