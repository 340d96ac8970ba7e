import { fail } from '@steward/kernel';
import type { SqlPool } from '@steward/sql';
import { sql } from '@steward/sql';

export interface Limit {
  /** Names the policy in the `RateLimit` fields, such as `signup-address`. */
  readonly name: string;
  readonly allowed: number;
  readonly windowSeconds: number;
}

/**
 * Counts one use of `key` against a limit that all processes share; a fixed window from the first use.
 * @returns the `RateLimit` and `RateLimit-Policy` fields (IETF draft-ietf-httpapi-ratelimit-headers)
 * @throws Problem `rate_limited` (429) with `Retry-After`
 */
export async function spend(pool: SqlPool, limit: Limit, key: string): Promise<Record<string, string>> {
  const bucket = `${limit.name}:${key}`.slice(0, 300);
  // Counted twice at worst.
  const [row] = await pool.read<{ spent: number; seconds: number }>(
    sql`select spent, greatest(1, ceil(extract(epoch from resets_at - clock_timestamp())))::int as seconds
        from platform.spend(${bucket}, make_interval(secs => ${limit.windowSeconds}))`,
  );
  const spent = row?.spent ?? 0;
  const seconds = row?.seconds ?? limit.windowSeconds;
  const fields = limitFields(limit, Math.max(0, limit.allowed - spent), seconds);
  if (spent <= limit.allowed) return fields;
  throw fail(
    'rate_limited',
    `This limit is ${limit.allowed} in ${limit.windowSeconds} seconds: try again in ${seconds} seconds.`,
    {
      headers: { ...fields, 'retry-after': String(seconds) },
    },
  );
}

export const limitFields = (limit: Limit, remaining: number, seconds: number): Record<string, string> => ({
  'ratelimit-policy': `"${limit.name}";q=${limit.allowed};w=${limit.windowSeconds}`,
  ratelimit: `"${limit.name}";r=${remaining};t=${seconds}`,
});
