import type { Caller } from '@steward/access';
import type { Clock } from '@steward/kernel';

/** Answers a promise only when something must be read. */
export type Cached<T> = (caller: Caller, tenant: string) => T | undefined | Promise<T | undefined>;

export interface StandingCache<T> {
  readonly get: Cached<T>;
  /** One tenant, or all. */
  forget(tenant: string | undefined): void;
}

export interface StandingCacheOptions<T> {
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
 * What callers may do, by tenant. A load puts its answer into the room it found at its start: a tenant that was
 * forgotten meanwhile has another room by then, so what was read before a change is never kept after it.
 */
export function createStandingCache<T>(options: StandingCacheOptions<T>): StandingCache<T> {
  const { load, validUntil, current, clock, capacity = 50_000 } = options;
  const rooms = new Map<string, Map<string, Entry<T>>>();
  let count = 0;

  const forget = (tenant: string | undefined): void => {
    if (tenant === undefined) {
      rooms.clear();
      count = 0;
      return;
    }
    count -= rooms.get(tenant)?.size ?? 0;
    rooms.delete(tenant);
  };
  const roomOf = (tenant: string): Map<string, Entry<T>> => {
    const found = rooms.get(tenant) ?? new Map<string, Entry<T>>();
    rooms.set(tenant, found);
    return found;
  };
  const put = (tenant: string, room: Map<string, Entry<T>>, key: string, entry: Entry<T> | undefined): void => {
    const before = room.size;
    if (entry === undefined) room.delete(key);
    else room.set(key, entry);
    if (rooms.get(tenant) !== room) return;
    count += room.size - before;
    if (room.size === 0) rooms.delete(tenant);
    for (const oldest of rooms.keys()) {
      if (count <= capacity) break;
      forget(oldest);
    }
  };
  const fill = async (caller: Caller, tenant: string, key: string): Promise<T | undefined> => {
    const room = roomOf(tenant);
    const pending = load(caller, tenant);
    put(tenant, room, key, { value: undefined, until: 0, pending });
    try {
      const value = await pending;
      const kept = value === undefined ? undefined : { value, until: validUntil(value), pending: undefined };
      put(tenant, room, key, kept);
      return value;
    } catch (error) {
      put(tenant, room, key, undefined);
      throw error;
    }
  };

  return {
    forget,
    get: (caller, tenant) => {
      // Without confirmation from the feed, nothing kept may be used and nothing is kept.
      if (!current()) return load(caller, tenant);
      const key = keyOf(caller);
      const found = rooms.get(tenant)?.get(key);
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
