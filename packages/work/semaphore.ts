/** So many turns at once; who waits goes first come, first served. */
export interface Semaphore {
  /**
   * Waits for a turn, which `release` gives back, once; false where none is free by the deadline.
   * @param deadline of `performance.now()`; none by default
   */
  acquire(deadline?: number): Promise<boolean>;
  release(): void;
}

export function createSemaphore(turns: number): Semaphore {
  let free = turns;
  const waiting = new Set<() => void>();
  return {
    acquire: async (deadline) => {
      if (free > 0) {
        free -= 1;
        return true;
      }
      const { promise, resolve } = Promise.withResolvers<boolean>();
      const admit = (): void => resolve(true);
      waiting.add(admit);
      if (deadline === undefined) return promise;
      const giveUp = (): void => {
        if (waiting.delete(admit)) resolve(false);
      };
      const timer = setTimeout(giveUp, Math.max(0, deadline - performance.now()));
      try {
        return await promise;
      } finally {
        clearTimeout(timer);
      }
    },
    release: () => {
      const [admit] = waiting;
      if (admit === undefined) {
        free += 1;
        return;
      }
      waiting.delete(admit);
      admit();
    },
  };
}
