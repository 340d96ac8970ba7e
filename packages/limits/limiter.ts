import { Counter, fail, type Log, type Metrics, type Problem } from '@steward/kernel';
import type { SqlPool } from '@steward/sql';
import { localLimits } from './local.ts';
import { postgresLimits } from './postgres.ts';
import { limitFields, type Limit } from './spend.ts';
import type { LimitStore, Spent, Use } from './window.ts';

export interface LimitAnswer {
  /** `RateLimit` and `RateLimit-Policy` (IETF draft-ietf-httpapi-ratelimit-headers), one item a limit. */
  readonly fields: Readonly<Record<string, string>>;
  /** `rate_limited` (429) with `Retry-After`; undefined: admitted. */
  readonly refusal: Problem | undefined;
}

/** Limits over a window, in a place that all processes share or in this one. */
export interface Limiter {
  /**
   * Counts one use of each bucket in their order, up to the first that is full. Answers at once where counters are in
   * this process.
   */
  take(uses: readonly Use[]): LimitAnswer | Promise<LimitAnswer>;
  stop(): Promise<void>;
}

export interface LimiterOptions {
  /** Empty: in this process. `postgres`: in `pool`. `redis://`, `rediss://`, `valkey://`, `valkeys://`: there. */
  readonly url: string;
  readonly pool: SqlPool;
  readonly log: Log;
  readonly metrics: Pick<Metrics, 'registry'>;
}

/** After a failure of the shared store, this process counts by itself for so long before it asks again. Milliseconds. */
const fallbackFor = 1_000;
/** How often a store that stays away is logged. Milliseconds. */
const warnEvery = 30_000;

/**
 * A shared store that fails does not close the door: each process then counts by itself, so that a limit holds per
 * process until the store is back.
 */
export function createLimiter({ url, pool, log, metrics }: LimiterOptions): Limiter {
  const local = localLimits();
  if (url === '') {
    return { take: (uses) => present(uses, local.take(uses)), stop: async () => undefined };
  }
  const failures = new Counter({
    name: 'steward_limit_store_failures_total',
    help: 'Requests counted by this process alone because the shared store of limits failed.',
    registers: [metrics.registry],
  });
  let fallbackUntil = 0;
  let warnedAt = -Infinity;
  const warn = (error: Error): void => {
    if (performance.now() - warnedAt < warnEvery) return;
    warnedAt = performance.now();
    log.warn({ err: error }, 'the shared store of limits does not answer: this process counts by itself meanwhile');
  };
  const shared = openStore(url, pool, warn);
  return {
    take: async (uses) => {
      if (performance.now() >= fallbackUntil) {
        try {
          return present(uses, await (await shared).take(uses));
        } catch (error) {
          fallbackUntil = performance.now() + fallbackFor;
          warn(error as Error);
        }
      }
      failures.inc();
      return present(uses, local.take(uses));
    },
    stop: async () => (await shared).close(),
  };
}

/** A client of Redis is half of what a process loads: only who has such a server pays for it. */
async function openStore(url: string, pool: SqlPool, onError: (error: Error) => void): Promise<LimitStore> {
  if (url === 'postgres') return postgresLimits(pool);
  const { redisLimits } = await import('./redis.ts');
  return redisLimits(url, onError);
}

/** Of so many limits in this order the text is the same on every answer: it is made once. */
interface Policy {
  readonly text: string;
  readonly next: WeakMap<Limit, Policy>;
}

const none: Policy = { text: '', next: new WeakMap() };

function withLimit(before: Policy, limit: Limit): Policy {
  const known = before.next.get(limit);
  if (known !== undefined) return known;
  const own = limitFields(limit, 0, 0)['ratelimit-policy'] ?? '';
  const made = { text: before === none ? own : `${before.text}, ${own}`, next: new WeakMap<Limit, Policy>() };
  before.next.set(limit, made);
  return made;
}

function present(uses: readonly Use[], counted: readonly Spent[]): LimitAnswer {
  let policy = none;
  let left = '';
  let at = 0;
  for (const { limit } of uses) {
    const { spent, endsIn } = counted[at] ?? { spent: 0, endsIn: 0 };
    const seconds = Math.max(1, Math.ceil(endsIn / 1000));
    policy = withLimit(policy, limit);
    left += `${at === 0 ? '' : ', '}"${limit.name}";r=${Math.max(0, limit.allowed - spent)};t=${seconds}`;
    at += 1;
    if (spent > limit.allowed) {
      const headers = { 'ratelimit-policy': policy.text, ratelimit: left, 'retry-after': String(seconds) };
      const detail = `The limit ${limit.name} is ${limit.allowed} in ${limit.windowSeconds} seconds: try again in ${seconds} seconds.`;
      return { fields: headers, refusal: fail('rate_limited', detail, { headers }) };
    }
  }
  return { fields: { 'ratelimit-policy': policy.text, ratelimit: left }, refusal: undefined };
}
