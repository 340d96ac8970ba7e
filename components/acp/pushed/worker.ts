import { randomUUID } from 'node:crypto';
import type { Log } from '@steward/kernel';
import { sql, type SqlPool } from '@steward/sql';
import { createLoop, createSemaphore, type Worker } from '@steward/work';
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
  const turns = new Set<Held>();
  const busy = (): string[] => {
    const tenants = Map.groupBy(turns, ({ tenant }) => tenant);
    return [...tenants].flatMap(([tenant, own]) => (own.length >= most.tenant ? [tenant] : []));
  };
  const claiming = createSemaphore(1);
  /** One after the other, so that each counts what the one before it claimed. */
  const claim = async (): Promise<Held | undefined> => {
    await claiming.acquire();
    try {
      const token = randomUUID();
      const [row] = await pool.query<{ tenant_id: string; feed_id: string }>(sql`
        select tenant_id, feed_id from acp.claim_feed(${token}::uuid, make_interval(secs => ${lease}::double precision / 1000), ${busy()}::uuid[])`);
      if (row === undefined) return undefined;
      const held = { tenant: row.tenant_id, feedId: row.feed_id, lease: token };
      turns.add(held);
      return held;
    } finally {
      claiming.release();
    }
  };
  const loops = Array.from({ length: most.process }, () =>
    createLoop({
      round: async (stopping) => {
        const held = await claim();
        if (held === undefined) return poll;
        try {
          await turnOf(ports, held, stopping);
        } finally {
          turns.delete(held);
        }
        return 0;
      },
      // Somebody takes it up once the lease is over.
      failed: (err) => log.warn({ err }, 'a product feed was not pushed; it is tried again'),
      retry: { first: poll, longest: 30_000 },
      patience,
    }),
  );
  return {
    start: () => {
      for (const loop of loops) loop.start();
    },
    wake: () => {
      for (const loop of loops) loop.wake(timings.gather);
    },
    stop: async () => {
      await Promise.all(loops.map(async (loop) => loop.stop()));
    },
  };
}
