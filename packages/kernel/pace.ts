import { setImmediate } from 'node:timers/promises';

/** Shares the event loop in work that is long and has no waiting of its own: `if (pace.due()) await pace.rest()` in its loop. */
export interface Pace {
  /** Whether it has run for its while. */
  due(): boolean;
  /** Lets everybody else have a turn. */
  rest(): Promise<void>;
}

/** @param milliseconds at a stretch */
export function createPace(milliseconds = 10): Pace {
  let since = performance.now();
  return {
    due: () => performance.now() - since > milliseconds,
    rest: async () => {
      await setImmediate();
      since = performance.now();
    },
  };
}
