/** What a load answers; `lives`: milliseconds for which it may be kept, where that is less than all may be. */
export interface Loaded<T> {
  readonly value: T | undefined;
  readonly lives?: number | undefined;
}

export interface FreshCache<T> {
  /** The kept value, else the answer of `load`; callers that come meanwhile wait for the same load. */
  get(key: string, load: () => Promise<Loaded<T>>): T | undefined | Promise<T | undefined>;
  /** What is kept and not too old, without a load. */
  peek(key: string): T | undefined;
  /** Forgets what matches, all that was found missing, and whatever is being loaded: it may be older than the change. */
  forget(matches: (value: T) => boolean): void;
  /** Entries held, for tests and metrics. */
  readonly size: number;
}

export interface FreshOptions<T> {
  /** How old an answer may be, counted from the moment it was asked for. */
  readonly milliseconds: number;
  /** What all entries may weigh together; an entry weighs 1 where `weigh` says nothing else. */
  readonly capacity: number;
  readonly weigh?: (value: T) => number;
  /** Keys at most that are remembered as missing; they never push out what was found. */
  readonly missing: number;
  readonly now?: () => number;
}

/** A small memory of the last moment. Bounded, and swept as it is filled: the oldest entry is the first to be too old. */
export function createFreshCache<T>(options: FreshOptions<T>): FreshCache<T> {
  const { milliseconds, capacity, missing, weigh = () => 1, now = () => performance.now() } = options;
  const kept = createShelf<T>(capacity);
  const absent = createShelf<undefined>(missing);
  const pending = new Map<string, Promise<T | undefined>>();

  const keep = (key: string, { value, lives }: Loaded<T>, asked: number): void => {
    const until = asked + Math.min(milliseconds, lives ?? milliseconds);
    kept.delete(key);
    absent.delete(key);
    if (value === undefined) absent.put(key, { value: undefined, until, weight: 1 }, now());
    else kept.put(key, { value, until, weight: weigh(value) }, now());
  };
  const fill = (key: string, load: () => Promise<Loaded<T>>): Promise<T | undefined> => {
    const asked = now();
    const loading: Promise<T | undefined> = load().then(
      (loaded) => {
        // A load that was forgotten meanwhile answers those who asked before the change, and nobody after it.
        if (pending.get(key) === loading) {
          pending.delete(key);
          keep(key, loaded, asked);
        }
        return loaded.value;
      },
      (error: unknown) => {
        if (pending.get(key) === loading) pending.delete(key);
        throw error;
      },
    );
    pending.set(key, loading);
    return loading;
  };
  return {
    peek: (key) => {
      const found = kept.get(key);
      return found !== undefined && found.until > now() ? found.value : undefined;
    },
    get: (key, load) => {
      const found = kept.get(key) ?? absent.get(key);
      if (found !== undefined && found.until > now()) return found.value;
      return pending.get(key) ?? fill(key, load);
    },
    forget: (matches) => {
      kept.deleteWhere(matches);
      absent.deleteWhere(() => true);
      pending.clear();
    },
    get size() {
      return kept.size + absent.size + pending.size;
    },
  };
}

interface Entry<V> {
  readonly value: V;
  readonly until: number;
  readonly weight: number;
}

/** Entries in the order in which they came, up to a weight. */
function createShelf<V>(capacity: number) {
  const entries = new Map<string, Entry<V>>();
  let weight = 0;
  const drop = (key: string): void => {
    weight -= entries.get(key)?.weight ?? 0;
    entries.delete(key);
  };
  return {
    get: (key: string) => entries.get(key),
    delete: drop,
    deleteWhere: (matches: (value: V) => boolean): void => {
      for (const [key, { value }] of entries) if (matches(value)) drop(key);
    },
    put: (key: string, entry: Entry<V>, now: number): void => {
      for (const [oldest, { until }] of entries) {
        if (weight + entry.weight <= capacity && until > now) break;
        drop(oldest);
      }
      if (entry.weight > capacity) return;
      entries.set(key, entry);
      weight += entry.weight;
    },
    get size() {
      return entries.size;
    },
  };
}
