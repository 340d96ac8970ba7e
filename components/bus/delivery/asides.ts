import type { Consumer } from '../consumer.ts';
import type { Ground } from '../ground.ts';
import { catchUp } from './behind.ts';
import type { Pulse } from './follower.ts';
import { retryLetters } from './letters.ts';

/** What is done beside the rounds, until nothing of it is left. */
export interface Asides {
  /** There are tenants that are behind and due. */
  catchUp(): void;
  /** There are dead letters that an operator asked to try again. */
  retryLetters(): void;
  /** Begins nothing new, and resolves once what is under way is done. */
  stop(): Promise<void>;
}

interface Aside {
  /** When its present piece was begun; `performance.now()`. */
  since: number;
  running: Promise<void>;
}

/** Tenants that are behind, at once; as many again beside slow ones. */
const atOnce = 2;

export function createAsides(ground: Ground, consumers: readonly Consumer[], pulse: Pulse): Asides {
  const { log, pace } = ground;
  const catching = new Set<Aside>();
  const retrying = new Set<Aside>();
  const live = { on: true };

  const begin = (asides: Set<Aside>, job: () => Promise<boolean>): void => {
    const own: Aside = { since: performance.now(), running: Promise.resolve() };
    own.running = (async () => {
      try {
        while ((await job()) && live.on) own.since = pulse.lastEvent = performance.now();
      } catch (err) {
        log.warn({ err }, 'bus: what was behind could not be caught up');
      } finally {
        asides.delete(own);
      }
    })();
    asides.add(own);
  };

  return {
    catchUp: () => {
      if (!live.on) return;
      const slow = [...catching].filter(({ since }) => performance.now() - since > pace.patience).length;
      while (catching.size < atOnce + Math.min(slow, atOnce)) begin(catching, async () => catchUp(ground, consumers));
    },
    retryLetters: () => {
      if (live.on && retrying.size === 0) begin(retrying, async () => retryLetters(ground, consumers));
    },
    stop: async () => {
      live.on = false;
      await Promise.all([...catching, ...retrying].map(async ({ running }) => running));
    },
  };
}
