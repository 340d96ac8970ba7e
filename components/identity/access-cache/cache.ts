import type { Caller } from '@steward/access';
import type { Clock } from '@steward/kernel';

/** Answers a promise only when something must be read. */
export type Cached<T> = (caller: Caller, tenant: string) => T | undefined | Promise<T | undefined>;

export interface AccessCache<T> {
  readonly get: Cached<T>;
  /** One tenant, or all. */
  forget(tenant: string | undefined): void;
}

export interface AccessCacheOptions<T> {
  /** May depend on the tenant, and on the caller's `subject` and `agentId` alone: those are the key. */
  readonly load: (caller: Caller, tenant: string) => Promise<T | undefined>;
  /** Milliseconds since the epoch. */
  readonly validUntil: (value: T) => number;
  readonly current: () => boolean;
  readonly clock: Clock;
  /** Entries at most, over all tenants. */
  readonly capacity?: number;
}

interface Entry<T> {
  readonly value: T | undefined;
  readonly until: number;
  readonly pending: Promise<T | undefined> | undefined;
}

/**
 * What callers may do, by tenant. A load puts its answer into the map it found at its start: a tenant that was
 * forgotten meanwhile has another map by then, so what was read before a change is never kept after it.
 */
export function createAccessCache<T>(options: AccessCacheOptions<T>): AccessCache<T> {
  const { load, validUntil, current, clock, capacity = 50_000 } = options;
  const tenants = new Map<string, Map<string, Entry<T>>>();
  let count = 0;

  const forget = (tenant: string | undefined): void => {
    if (tenant === undefined) {
      tenants.clear();
      count = 0;
      return;
    }
    count -= tenants.get(tenant)?.size ?? 0;
    tenants.delete(tenant);
  };
  const entriesOf = (tenant: string): Map<string, Entry<T>> => {
    const found = tenants.get(tenant) ?? new Map<string, Entry<T>>();
    tenants.set(tenant, found);
    return found;
  };
  const put = (tenant: string, entries: Map<string, Entry<T>>, key: string, entry: Entry<T> | undefined): void => {
    const before = entries.size;
    if (entry === undefined) entries.delete(key);
    else entries.set(key, entry);
    if (tenants.get(tenant) !== entries) return;
    count += entries.size - before;
    if (entries.size === 0) tenants.delete(tenant);
    for (const oldest of tenants.keys()) {
      if (count <= capacity) break;
      forget(oldest);
    }
  };
  const fill = async (caller: Caller, tenant: string, key: string): Promise<T | undefined> => {
    const entries = entriesOf(tenant);
    const pending = load(caller, tenant);
    put(tenant, entries, key, { value: undefined, until: 0, pending });
    try {
      const value = await pending;
      const kept = value === undefined ? undefined : { value, until: validUntil(value), pending: undefined };
      put(tenant, entries, key, kept);
      return value;
    } catch (error) {
      put(tenant, entries, key, undefined);
      throw error;
    }
  };

  return {
    forget,
    get: (caller, tenant) => {
      // Without confirmation from the feed, nothing kept may be used and nothing is kept.
      if (!current()) return load(caller, tenant);
      const key = keyOf(caller);
      const found = tenants.get(tenant)?.get(key);
      if (found?.pending !== undefined) return found.pending;
      if (found !== undefined && found.until > clock()) return found.value;
      return fill(caller, tenant, key);
    },
  };
}

const keys = new WeakMap<Caller, string>();

/** Ids hold no control characters, so a line feed separates them for certain. */
function keyOf(caller: Caller): string {
  let key = keys.get(caller);
  if (key === undefined) {
    key = `${caller.subject.type}\n${caller.subject.id}\n${caller.agentId ?? ''}`;
    keys.set(caller, key);
  }
  return key;
}
