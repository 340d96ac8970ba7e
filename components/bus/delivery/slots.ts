import { createSemaphore } from '@steward/work';

/** Room for so many tenants at once, over all consumers of a process. */
export interface Slots {
  /** Waits for room and works; undefined after the deadline (of `performance.now()`), while `work` continues. */
  run<T>(deadline: number, work: () => Promise<T>): Promise<T | undefined>;
  /** Once nothing works any more. */
  idle(): Promise<void>;
}

/** @param size slots; work past its deadline gives its slot to others, `size` times at once at most */
export function createSlots(size: number): Slots {
  const slots = createSemaphore(size);
  let overdue = 0;
  const working = new Set<Promise<unknown>>();
  return {
    run: async (deadline, work) => {
      if (!(await slots.acquire(deadline))) return undefined;
      let within = true;
      const begun = work();
      const settled = begun
        .catch(() => undefined)
        .finally(() => {
          working.delete(settled);
          if (within) slots.release();
          else overdue -= 1;
        });
      working.add(settled);
      const { promise: late, resolve } = Promise.withResolvers<undefined>();
      const timer = setTimeout(
        () => {
          if (overdue < size) {
            within = false;
            overdue += 1;
            slots.release();
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
