/** What a load answers; `lives`: milliseconds for which it may be kept, where that is less than all may be. */
export interface Loaded<T> {
  readonly value: T | undefined;
  readonly lives?: number | undefined;
}

export interface FreshCache<T> {
  /** What is kept, else what `load` answers; whoever asks meanwhile waits for the same load. */
  get(key: string, load: () => Promise<Loaded<T>>): T | undefined | Promise<T | undefined>;
  /** Forgets what matches, all that was found missing, and whatever is being loaded: it may be older than the change. */
  forget(matches: (value: T) => boolean): void;
  /** Entries held, for tests and metrics. */
  readonly size: number;
}

export interface FreshOptions {
  /** How old an answer may be, counted from the moment it was asked for. */
  readonly milliseconds: number;
  /** Entries at most. */
  readonly capacity: number;
  /** Keys at most that are remembered as missing; they never push out what was found. */
  readonly missing: number;
  readonly now?: () => number;
}

/** A small memory of the last moment. Bounded, and the oldest goes first: every entry lives equally long. */
export function createFreshCache<T>(options: FreshOptions): FreshCache<T> {
  const { milliseconds, capacity, missing, now = () => performance.now() } = options;
  const kept = new Map<string, { readonly value: T; readonly until: number }>();
  const absent = new Map<string, number>();
  const pending = new Map<string, Promise<T | undefined>>();

  const keep = (key: string, { value, lives }: Loaded<T>, asked: number): void => {
    const until = asked + Math.min(milliseconds, lives ?? milliseconds);
    kept.delete(key);
    absent.delete(key);
    if (value === undefined) put(absent, key, until, missing);
    else put(kept, key, { value, until }, capacity);
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
    get: (key, load) => {
      const found = kept.get(key);
      if (found !== undefined && found.until > now()) return found.value;
      const gone = absent.get(key);
      if (gone !== undefined && gone > now()) return undefined;
      return pending.get(key) ?? fill(key, load);
    },
    forget: (matches) => {
      for (const [key, { value }] of kept) if (matches(value)) kept.delete(key);
      absent.clear();
      pending.clear();
    },
    get size() {
      return kept.size + absent.size + pending.size;
    },
  };
}

function put<V>(map: Map<string, V>, key: string, value: V, capacity: number): void {
  for (const oldest of map.keys()) {
    if (map.size < capacity) break;
    map.delete(oldest);
  }
  map.set(key, value);
}
