import { backoff, type Backoff } from './backoff.ts';

export interface LoopOptions {
  /**
   * Does what is due, and answers how long to rest before the next round, in milliseconds; 0 where there is more to do.
   * @param stopping aborted once the loop is to end
   */
  readonly round: (stopping: AbortSignal) => Promise<number>;
  /** Called with each failed round, and how many failed before it. */
  readonly failed: (error: unknown, failures: number) => void;
  /** Called after the first round that succeeds after failures. */
  readonly recovered?: () => void;
  /** The rest after failures. */
  readonly retry: Backoff;
  /** How long a stop waits for the round under way; as long as it takes, unless it is said. Milliseconds. */
  readonly patience?: number;
}

/** Something in the background that is started once and stopped once. */
export interface Worker {
  start(): void;
  /** Begins nothing new, and resolves once what is under way is done. */
  stop(): Promise<void>;
}

/** Rounds of one job, never two at once, of which none that fails is the last. What is claimed for how long is the job's affair. */
export interface Loop extends Worker {
  /** Begins the next round within so many milliseconds, at once by default; after the one under way. */
  wake(milliseconds?: number): void;
}

/** What a timer of Node can wait for. Milliseconds. */
const longestTimer = 2 ** 31 - 1;

export function createLoop({ round, failed, recovered, retry, patience }: LoopOptions): Loop {
  const stopped = new AbortController();
  const { signal } = stopped;
  let ended: Promise<void> | undefined;
  let due = 0;
  let lookAgain = (): void => undefined;

  const rest = async (): Promise<void> => {
    // Timers know whole milliseconds: what is left of one is not waited for.
    for (let left = due - performance.now(); left >= 1 && !signal.aborted; left = due - performance.now()) {
      const { promise, resolve } = Promise.withResolvers<void>();
      lookAgain = resolve;
      const timer = setTimeout(resolve, Math.min(left, longestTimer)).unref();
      await promise;
      clearTimeout(timer);
    }
  };
  const wake = (milliseconds = 0): void => {
    due = Math.min(due, performance.now() + milliseconds);
    lookAgain();
  };
  const run = async (): Promise<void> => {
    let failures = 0;
    while (!signal.aborted) {
      due = Infinity;
      try {
        wake(await round(signal));
        if (failures > 0) recovered?.();
        failures = 0;
      } catch (error) {
        failures += 1;
        failed(error, failures);
        wake(backoff(retry, failures));
      }
      await rest();
    }
  };
  return {
    start: () => {
      ended ??= run();
    },
    wake,
    stop: async () => {
      stopped.abort();
      lookAgain();
      if (patience === undefined) return ended;
      const late = Promise.withResolvers<void>();
      const timer = setTimeout(late.resolve, patience);
      await Promise.race([ended, late.promise]);
      clearTimeout(timer);
    },
  };
}
