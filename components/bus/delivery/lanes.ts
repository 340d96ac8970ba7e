import { createSemaphore } from '@steward/work';

/** Room for so many tenants at once, over all consumers of a process. */
export interface Lanes {
  /** Waits for room and works; undefined once the deadline (of `performance.now()`) is over, while `work` goes on alone. */
  run<T>(deadline: number, work: () => Promise<T>): Promise<T | undefined>;
  /** Once nothing works any more. */
  idle(): Promise<void>;
}

/** @param size lanes; work past its deadline gives its lane to others, `size` times at once at most */
export function createLanes(size: number): Lanes {
  const lanes = createSemaphore(size);
  let aside = 0;
  const working = new Set<Promise<unknown>>();
  return {
    run: async (deadline, work) => {
      if (!(await lanes.enter(deadline))) return undefined;
      let within = true;
      const begun = work();
      const settled = begun
        .catch(() => undefined)
        .finally(() => {
          working.delete(settled);
          if (within) lanes.leave();
          else aside -= 1;
        });
      working.add(settled);
      const { promise: late, resolve } = Promise.withResolvers<undefined>();
      const timer = setTimeout(
        () => {
          if (aside < size) {
            within = false;
            aside += 1;
            lanes.leave();
          }
          resolve(undefined);
        },
        Math.max(0, deadline - performance.now()),
      );
      try {
        return await Promise.race([begun, late]);
      } finally {
        clearTimeout(timer);
      }
    },
    idle: async () => {
      while (working.size > 0) await Promise.all(working);
    },
  };
}
