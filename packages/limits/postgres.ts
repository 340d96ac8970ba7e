import { hash } from 'node:crypto';
import type { SqlPool } from '@steward/sql';
import { statement } from '@steward/sql';
import type { LimitStore, Spent, Use } from './window.ts';

/** Counts in the platform's own database, shared by every process on it: one round trip, exact. */
export function postgresLimits(pool: SqlPool): LimitStore {
  return {
    take: async (uses) => {
      const [row] = await pool.query<Record<string, number | null>>(
        statement(textFor(uses.length), uses.flatMap(valuesOf).slice(0, -1)),
      );
      return uses.flatMap((_use, at): Spent[] => {
        const spent = row?.[`spent${at}`] ?? null;
        return spent === null ? [] : [{ spent, endsIn: row?.[`ends${at}`] ?? 0 }];
      });
    },
    close: async () => undefined,
  };
}

/** No bucket follows the last one, so its own allowance does not matter. */
const valuesOf = ({ limit, key }: Use): unknown[] => [
  `${limit.name}:${hash('sha256', key, 'base64url')}`,
  limit.windowSeconds,
  limit.allowed,
];

/** Spends from a bucket only if the one before it had room: without a row before it, a lateral join calls nothing. */
function textFor(uses: number): string {
  const numbers = Array.from({ length: uses }, (_use, at) => at);
  const columns = numbers.map(
    (at) =>
      `b${at}.spent as spent${at}, (extract(epoch from b${at}.resets_at - clock_timestamp()) * 1000)::float8 as ends${at}`,
  );
  const room = (at: number): string => (at < 0 ? 'true' : `b${at}.spent <= $${at * 3 + 3}::int`);
  const buckets = numbers.map(
    (at) => `left join lateral (select s.spent, s.resets_at from (select 1 where ${room(at - 1)}) open
      cross join lateral platform.spend($${at * 3 + 1}::text, make_interval(secs => $${at * 3 + 2}::int)) s offset 0) b${at} on true`,
  );
  return `select ${columns.join(', ')} from (select 1) one ${buckets.join(' ')}`;
}
