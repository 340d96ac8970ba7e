import { createFreshCache, fail, type FreshCache } from '@steward/kernel';
import type { SqlPool } from '@steward/sql';
import { freshFor } from '../doors/find.ts';
import { type Holder, holderFrom, selectHolder } from './holder.ts';

/** Names that strangers send are asked for in the database, and its connections are everybody's. */
const mostAtOnce = 16;

export interface Hosts {
  /** Who has a host, at most a second ago. Not a promise when known. @throws Problem `unavailable` (503) */
  find(host: string): Holder | undefined | Promise<Holder | undefined>;
  readonly cache: Pick<FreshCache<Holder>, 'forget'>;
}

export function createHosts(pool: Pick<SqlPool, 'read'>): Hosts {
  const cache = createFreshCache<Holder>({ milliseconds: freshFor, capacity: 10_000, missing: 10_000 });
  let under = 0;
  return {
    cache,
    find: (host) =>
      cache.get(host, async () => {
        if (under >= mostAtOnce)
          throw fail('unavailable', 'Too many hosts are being looked up.', { headers: { 'retry-after': '1' } });
        under += 1;
        try {
          const [row] = await pool.read(selectHolder(host));
          return { value: holderFrom(row) };
        } finally {
          under -= 1;
        }
      }),
  };
}
