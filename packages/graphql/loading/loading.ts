import type { Batch, GraphContext } from '../context.ts';

/** The `load` of one request's context. */
export function createLoad(context: () => GraphContext): GraphContext['load'] {
  let queues: Map<unknown, unknown> | undefined;
  return async <K, V>(batch: Batch<K, V>, key: K): Promise<V | undefined> => {
    queues ??= new Map();
    let queue = queues.get(batch) as Queue<K, V> | undefined;
    if (queue === undefined) {
      queue = new Queue((keys) => batch(keys, context()));
      queues.set(batch, queue);
    }
    return queue.load(key);
  };
}

class Queue<K, V> {
  readonly #read: (keys: readonly K[]) => Promise<ReadonlyMap<K, V>>;
  readonly #known = new Map<K, Promise<V | undefined>>();
  #waiting: K[] = [];
  #flight: Promise<ReadonlyMap<K, V>> | undefined;

  constructor(read: (keys: readonly K[]) => Promise<ReadonlyMap<K, V>>) {
    this.#read = read;
  }

  async load(key: K): Promise<V | undefined> {
    let value = this.#known.get(key);
    if (value === undefined) {
      this.#waiting.push(key);
      this.#flight ??= this.#depart();
      value = this.#flight.then((values) => values.get(key));
      this.#known.set(key, value);
    }
    return value;
  }

  async #depart(): Promise<ReadonlyMap<K, V>> {
    // A tick queued from a microtask runs once all microtasks have: siblings that resolve now board the same flight.
    await Promise.resolve();
    await new Promise<void>((resolve) => {
      process.nextTick(resolve);
    });
    const keys = this.#waiting;
    this.#waiting = [];
    this.#flight = undefined;
    return this.#read(keys);
  }
}
