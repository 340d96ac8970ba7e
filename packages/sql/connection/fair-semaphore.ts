/** For whom a connection is: whose work it is, and whether it is of the kind that takes long. */
export interface Workload {
  /** Undefined: the platform's own work. */
  readonly tenant?: string;
  /** Imports, exports, reports: kept apart from what is answered at once. */
  readonly heavy?: boolean;
}

interface Waiter {
  readonly workload: Workload;
  admit(): void;
}

/** How many may wait in one tenant's name; more are refused at once. */
const mostWaiting = 1_000;

/** Thrown where a turn did not come in time. */
export class TurnTimeout extends Error {
  override readonly name = 'TurnTimeout';
}

/**
 * Turns at a number of connections. Whose tenant holds fewest goes first, in order within a tenant; a tenant holds three
 * quarters at most, even where nobody waits: what it began may take long. Heavy work holds half at most, a quarter for one tenant.
 */
export class FairSemaphore {
  readonly #size: number;
  readonly #waiting = new Map<string, Waiter[]>();
  readonly #held = new Map<string, number>();
  readonly #heavy = new Map<string, number>();
  #taken = 0;
  #heavyTaken = 0;

  constructor(size: number) {
    this.#size = size;
  }

  /** How many hold a turn, and how many wait for one. */
  get counts(): { readonly held: number; readonly waiting: number } {
    return { held: this.#taken, waiting: [...this.#waiting.values()].reduce((sum, { length }) => sum + length, 0) };
  }

  /**
   * Waits for a turn, which `release` gives back, once.
   * @throws TurnTimeout where it does not come within `milliseconds`, or too many wait already
   */
  async acquire(workload: Workload, milliseconds: number): Promise<void> {
    if (this.#admits(workload) && !this.#waiting.has(keyOf(workload))) {
      this.#take(workload, 1);
      return;
    }
    const queue = this.#waiting.get(keyOf(workload)) ?? [];
    if (queue.length >= mostWaiting) throw new TurnTimeout('too many wait for a connection already');
    this.#waiting.set(keyOf(workload), queue);
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => {
        queue.splice(queue.indexOf(waiter), 1);
        if (queue.length === 0) this.#waiting.delete(keyOf(workload));
        reject(new TurnTimeout('no connection was free in time'));
      }, milliseconds).unref();
      const waiter: Waiter = {
        workload,
        admit: () => {
          clearTimeout(timer);
          resolve();
        },
      };
      queue.push(waiter);
    });
  }

  release(workload: Workload): void {
    this.#take(workload, -1);
    this.#next();
  }

  #next(): void {
    while (this.#taken < this.#size) {
      let best: string | undefined;
      for (const [key, [first]] of this.#waiting) {
        if (first === undefined || !this.#admits(first.workload)) continue;
        if (best === undefined || this.#holds(key) < this.#holds(best)) best = key;
      }
      if (best === undefined) return;
      const queue = this.#waiting.get(best) ?? [];
      const waiter = queue.shift();
      // Behind all others from now on, so that equals take turns.
      this.#waiting.delete(best);
      if (queue.length > 0) this.#waiting.set(best, queue);
      if (waiter === undefined) return;
      this.#take(waiter.workload, 1);
      waiter.admit();
    }
  }

  #admits({ tenant, heavy = false }: Workload): boolean {
    if (this.#taken >= this.#size) return false;
    if (heavy && this.#heavyTaken >= part(this.#size, 1 / 2)) return false;
    if (tenant === undefined) return true;
    if (heavy && (this.#heavy.get(tenant) ?? 0) >= part(this.#size, 1 / 4)) return false;
    // Of two or fewer, none can be spared.
    return this.#size <= 2 || (this.#held.get(tenant) ?? 0) < part(this.#size, 3 / 4);
  }

  #holds(key: string): number {
    return this.#held.get(key.slice(1)) ?? 0;
  }

  #take({ tenant = '', heavy = false }: Workload, one: 1 | -1): void {
    this.#taken += one;
    count(this.#held, tenant, one);
    if (!heavy) return;
    this.#heavyTaken += one;
    count(this.#heavy, tenant, one);
  }
}

const part = (size: number, share: number): number => Math.max(1, Math.floor(size * share));

/** Heavy work waits in a queue of its own: it may not be passed on where light work may. */
const keyOf = ({ tenant = '', heavy = false }: Workload): string => `${heavy ? 'h' : 'l'}${tenant}`;

function count(counts: Map<string, number>, key: string, one: 1 | -1): void {
  const now = (counts.get(key) ?? 0) + one;
  if (now === 0) counts.delete(key);
  else counts.set(key, now);
}
