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
 * Counts in this process. Memory is bounded: buckets stand in two generations, and the older one is let go when the younger
 * is full or its windows have passed. So a flood of addresses forgives those who were quiet longest, and locks nobody out.
 * @param clock milliseconds, never backwards
 */
export function localLimits(clock: () => number = () => performance.now(), capacity = most): LocalLimits {
  let young = new Map<string, Bucket>();
  let old = new Map<string, Bucket>();
  let turnsAt = 0;
  const bucketOf = (name: string, seconds: number, now: number): Bucket => {
    const known = young.get(name);
    if (known !== undefined && known.ends > now) return known;
    const kept = old.get(name);
    const bucket = kept !== undefined && kept.ends > now ? kept : { spent: 0, ends: now + seconds * 1000 };
    if (known === undefined && (young.size >= capacity || now >= turnsAt)) {
      old = young;
      young = new Map();
      turnsAt = now + seconds * 1000;
    }
    young.set(name, bucket);
    return bucket;
  };
  return {
    get size() {
      return young.size + old.size;
    },
    take: (uses) => {
      const now = clock();
      const answer: Spent[] = [];
      for (const { limit, key } of uses) {
        const bucket = bucketOf(`${limit.name}:${key}`, limit.windowSeconds, now);
        bucket.spent += 1;
        answer.push({ spent: bucket.spent, endsIn: bucket.ends - now });
        if (bucket.spent > limit.allowed) break;
      }
      return answer;
    },
    close: async () => undefined,
  };
}
