/** How many requests an endpoint is sent at once, and how often: more the more it takes, half as many after each failure. */
export interface Window {
  /** Requests at once. */
  readonly size: number;
  /** Of `performance.now()`, when the next request may leave. */
  nextAt(now: number): number;
  sent(now: number): void;
  succeeded(): void;
  failed(): void;
  /** One at a time: it does not answer. */
  close(): void;
  limit(perSecond: number | null): void;
}

const first = 4;

export function createWindow(most: number): Window {
  let size = Math.min(first, most);
  let interval = 0;
  let next = 0;
  return {
    get size() {
      return Math.floor(size);
    },
    nextAt: () => next,
    // What was not sent while nothing was there is not made up for, but for a tenth of a second.
    sent: (now) => {
      next = Math.max(next, now - 100) + interval;
    },
    // One more for each success doubles it each round, as long as everything is taken.
    succeeded: () => {
      size = Math.min(most, size + 1);
    },
    failed: () => {
      size = Math.max(1, size / 2);
    },
    close: () => {
      size = 1;
    },
    limit: (perSecond) => {
      interval = perSecond === null ? 0 : 1_000 / perSecond;
    },
  };
}
