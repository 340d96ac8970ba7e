/** Failures in a row after which nothing is asked for a while. */
const failuresToOpen = 5;
const firstPause = 1_000;
const longestPause = 60_000;

/** One call that was let through. Exactly one of its ends is told. */
export interface Attempt {
  /** Answers whether the breaker was open. */
  answered(): boolean;
  /** @param hold milliseconds for which the provider asks to be left alone. Answers whether the breaker opened because of it */
  failed(now: number, hold?: number): boolean;
  /** The caller gave up, which says nothing about the provider. */
  abandoned(): void;
}

/**
 * Keeps from asking an address that fails: after five failures in a row for a second, and twice as long after each probe that fails too, up
 * to a minute. After a pause one call is let through, and others are not until it ended.
 */
export interface Breaker {
  /** The call, or the milliseconds until it may be worth trying again. */
  enter(now: number): Attempt | number;
}

export function createBreaker(): Breaker {
  let failures = 0;
  let pause = firstPause;
  let openUntil: number | undefined;
  let probe: Attempt | undefined;
  const begin = (): Attempt => {
    const attempt: Attempt = {
      answered: () => {
        const wasOpen = openUntil !== undefined;
        [failures, pause, openUntil, probe] = [0, firstPause, undefined, undefined];
        return wasOpen;
      },
      failed: (now, hold = 0) => {
        failures += 1;
        const isProbe = probe === attempt;
        if (isProbe) {
          probe = undefined;
          pause = Math.min(pause * 2, longestPause);
        } else if (failures < failuresToOpen || openUntil !== undefined) return false;
        openUntil = now + Math.min(Math.max(pause, hold), longestPause);
        return !isProbe;
      },
      abandoned: () => {
        if (probe === attempt) probe = undefined;
      },
    };
    return attempt;
  };
  return {
    enter: (now) => {
      if (openUntil === undefined) return begin();
      if (now < openUntil) return openUntil - now;
      if (probe !== undefined) return pause;
      return (probe = begin());
    },
  };
}
