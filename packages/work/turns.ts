/** One at a time: of those who wait, whoever's turns took the least time lately is next, however many the others ask for. */
export interface Turns {
  /**
   * Waits for a turn, which lasts until the function that is answered is called, once.
   * @param of whose turn it is
   * @param until `deadline` of `performance.now()`; `left` is aborted once nobody wants the turn any more
   * @returns undefined where the deadline passed, or as many of its owner wait as may
   * @throws the reason of `left`
   */
  take(
    of: string,
    until?: { readonly deadline?: number; readonly left?: AbortSignal },
  ): Promise<(() => void) | undefined>;
}

/** Of those who had a turn, so many are remembered. */
const remembered = 1_000;

/**
 * Start-time fair queueing (Goyal, Vin and Cheng, 1996) of one server: an owner's next turn is due as much later as this one took, and who does not ask
 * saves up no time.
 * @param most how many of one owner may wait
 */
export function createTurns({ most = Infinity, now = () => performance.now() } = {}): Turns {
  const waiting = new Map<string, Set<() => void>>();
  /** When the next turn of each is due, in the virtual time of `time`. */
  const due = new Map<string, number>();
  const dueOf = (of: string): number => due.get(of) ?? 0;
  let time = 0;
  let busy = false;

  const begin = (of: string): (() => void) => {
    busy = true;
    time = Math.max(time, dueOf(of));
    const [start, began] = [time, now()];
    return () => {
      busy = false;
      due.set(of, start + now() - began);
      if (due.size > remembered) for (const [one, at] of due) if (at <= time) due.delete(one);
      next();
    };
  };
  const next = (): void => {
    const [first] = [...waiting.keys()].toSorted((a, b) => dueOf(a) - dueOf(b));
    const [admit] = (first === undefined ? undefined : waiting.get(first)) ?? [];
    admit?.();
  };
  return {
    take: async (of, { deadline, left } = {}) => {
      left?.throwIfAborted();
      if (!busy) return begin(of);
      const own = waiting.get(of) ?? new Set();
      if (own.size >= most) return undefined;
      waiting.set(of, own);
      const { promise, resolve, reject } = Promise.withResolvers<(() => void) | undefined>();
      const leave = (): void => {
        own.delete(admit);
        if (own.size === 0) waiting.delete(of);
      };
      const admit = (): void => {
        leave();
        resolve(begin(of));
      };
      own.add(admit);
      const late = (): void => {
        leave();
        resolve(undefined);
      };
      const gone = (): void => {
        leave();
        reject(left?.reason as Error);
      };
      const timer = deadline === undefined ? undefined : setTimeout(late, Math.max(0, deadline - performance.now()));
      left?.addEventListener('abort', gone, { once: true });
      try {
        return await promise;
      } finally {
        clearTimeout(timer);
        left?.removeEventListener('abort', gone);
      }
    },
  };
}
