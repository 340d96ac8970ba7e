/** So many turns at once; who waits goes first come, first served, and of several the one who had a turn longest ago. */
export interface Semaphore {
  /**
   * Waits for a turn, which `release` gives back, once; false where none is free by the deadline.
   * @param deadline of `performance.now()`; none by default
   * @param of whose turn it is; everybody's alike by default
   */
  acquire(deadline?: number, of?: string): Promise<boolean>;
  release(): void;
}

/** Of those who had a turn, so many are remembered. */
const remembered = 1_000;

export function createSemaphore(turns: number): Semaphore {
  let free = turns;
  let given = 0;
  const waiting = new Map<string, Set<() => void>>();
  /** When each had the last turn: a count. */
  const last = new Map<string, number>();
  const note = (of: string): void => {
    if (last.size >= remembered) last.clear();
    last.set(of, (given += 1));
  };
  const drop = (of: string, admit: () => void): boolean => {
    const own = waiting.get(of);
    const was = own?.delete(admit) === true;
    if (own?.size === 0) waiting.delete(of);
    return was;
  };
  return {
    acquire: async (deadline, of = '') => {
      if (free > 0) {
        free -= 1;
        note(of);
        return true;
      }
      const { promise, resolve } = Promise.withResolvers<boolean>();
      const admit = (): void => resolve(true);
      const own = waiting.get(of) ?? new Set();
      waiting.set(of, own.add(admit));
      if (deadline === undefined) return promise;
      const giveUp = (): void => {
        if (drop(of, admit)) resolve(false);
      };
      const timer = setTimeout(giveUp, Math.max(0, deadline - performance.now()));
      try {
        return await promise;
      } finally {
        clearTimeout(timer);
      }
    },
    release: () => {
      let next: string | undefined;
      for (const of of waiting.keys()) if (next === undefined || (last.get(of) ?? 0) < (last.get(next) ?? 0)) next = of;
      const [admit] = (next === undefined ? undefined : waiting.get(next)) ?? [];
      if (next === undefined || admit === undefined) {
        free += 1;
        return;
      }
      drop(next, admit);
      note(next);
      admit();
    },
  };
}
