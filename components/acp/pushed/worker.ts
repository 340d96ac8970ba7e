import { randomUUID } from 'node:crypto';
import type { Log } from '@steward/kernel';
import { sql, type SqlPool } from '@steward/sql';
import { createLoop, type Worker } from '@steward/work';
import { type TurnPorts, turnOf } from './turn.ts';
import type { Held } from './work.ts';

export interface PusherPorts extends TurnPorts {
  readonly pool: Pick<SqlPool, 'query'>;
  readonly log: Log;
}

/** How long a stop waits for requests that are under way. Milliseconds. */
const patience = 5_000;

/** Pushes feeds that are due: some at once, a few of one tenant, and those that wait longest first. */
export function createPusher(ports: PusherPorts): Worker & { wake(): void } {
  const { pool, log, timings } = ports;
  const { most, poll, lease } = timings;
  const turns = new Map<Held, Promise<void>>();
  const busy = (): string[] => {
    const tenants = Map.groupBy(turns.keys(), ({ tenant }) => tenant);
    return [...tenants].flatMap(([tenant, own]) => (own.length >= most.tenant ? [tenant] : []));
  };
  const claim = async (): Promise<Held | undefined> => {
    const token = randomUUID();
    const [row] = await pool.query<{ tenant_id: string; feed_id: string }>(sql`
      select tenant_id, feed_id from acp.claim_feed(${token}::uuid, make_interval(secs => ${lease}::double precision / 1000), ${busy()}::uuid[])`);
    return row === undefined ? undefined : { tenant: row.tenant_id, feedId: row.feed_id, lease: token };
  };
  const take = async (held: Held, stopping: AbortSignal): Promise<void> => {
    try {
      await turnOf(ports, held, stopping);
    } catch (err) {
      // Somebody takes it up once the lease is over.
      log.warn({ err, tenant: held.tenant, feed: held.feedId }, 'a product feed was not pushed; it is tried again');
    } finally {
      turns.delete(held);
      loop.wake();
    }
  };
  const loop = createLoop({
    round: async (stopping) => {
      while (turns.size < most.process && !stopping.aborted) {
        const held = await claim();
        if (held === undefined) return poll;
        turns.set(held, take(held, stopping));
      }
      return poll;
    },
    failed: (err) => log.warn({ err }, 'no product feeds are taken up; it is tried again'),
    retry: { first: poll, longest: 30_000 },
    patience,
  });
  return {
    start: () => loop.start(),
    wake: () => loop.wake(timings.gather),
    stop: async () => {
      await loop.stop();
      const late = Promise.withResolvers<void>();
      const timer = setTimeout(late.resolve, patience);
      await Promise.race([Promise.all(turns.values()), late.promise]);
      clearTimeout(timer);
    },
  };
}
