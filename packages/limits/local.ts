import type { LimitStore, Spent, Use } from './window.ts';

interface Bucket {
  spent: number;
  readonly ends: number;
}

export interface LocalLimits extends LimitStore {
  take(uses: readonly Use[]): readonly Spent[];
  /** Buckets held. */
  readonly size: number;
}

/** Buckets that one generation holds; two are held. */
const most = 50_000;

/**
 * Counts in this process. Memory is bounded: there are two generations of buckets, and the older one is dropped when the younger
 * is full or its windows have passed. So a flood of addresses forgets those that were quiet longest, and locks nobody out.
 * @param clock milliseconds, never backwards
 */
export function localLimits(clock: () => number = () => performance.now(), capacity = most): LocalLimits {
  let young = generation();
  let old = generation();
  let turnsAt = 0;
  const bucketOf = ({ limit: { name, windowSeconds }, key }: Use, now: number): Bucket => {
    const known = young.get(name, key);
    if (known !== undefined && known.ends > now) return known;
    const kept = old.get(name, key);
    const bucket = kept !== undefined && kept.ends > now ? kept : { spent: 0, ends: now + windowSeconds * 1000 };
    if (known === undefined && (young.size >= capacity || now >= turnsAt)) {
      old = young;
      young = generation();
      turnsAt = now + windowSeconds * 1000;
    }
    young.set(name, key, bucket);
    return bucket;
  };
  return {
    get size() {
      return young.size + old.size;
    },
    take: (uses) => {
      const now = clock();
      const answer: Spent[] = [];
      for (const use of uses) {
        const bucket = bucketOf(use, now);
        bucket.spent += 1;
        // What is added to a fraction of a millisecond and taken off again may be more than it was.
        answer.push({ spent: bucket.spent, endsIn: Math.min(bucket.ends - now, use.limit.windowSeconds * 1000) });
        if (bucket.spent > use.limit.allowed) break;
      }
      return answer;
    },
    close: async () => undefined,
  };
}

/** By limit, then by key: one text of both would have to be built and hashed for every request. */
function generation() {
  const limits = new Map<string, Map<string, Bucket>>();
  let size = 0;
  return {
    get: (limit: string, key: string) => limits.get(limit)?.get(key),
    set: (limit: string, key: string, bucket: Bucket): void => {
      const buckets = limits.get(limit) ?? new Map<string, Bucket>();
      if (!buckets.has(key)) size += 1;
      limits.set(limit, buckets.set(key, bucket));
    },
    get size() {
      return size;
    },
  };
}
