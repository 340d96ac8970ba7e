import { setTimeout as sleep } from 'node:timers/promises';
import type { SqlPool } from '@steward/sql';
import { flush, type Send } from './flush.ts';
import { createLines } from './lines.ts';
import { expire, type FlushOptions, pause, takeBatch, type Waiting } from './queue.ts';

/** A head that was found locked this often is waited for, apart from the rest. */
const busyLimit = 3;
/** A batch below this is not worth halving. */
const leastHalf = 8;

/**
 * Who is flushed when. Two batches travel on one connection, so that this process prepares one while the database
 * commits the other; they take whatever heads are free. Tenants whose head others keep locked are waited for apart,
 * and hold up nobody else.
 */
export function createTurns(pool: SqlPool, options: FlushOptions): { add(waiting: Waiting): void } {
  const free: Waiting[] = [];
  const lines = createLines(pool, options);
  let scheduled = false;
  let turning = false;
  let failures = 0;
  let pump: (() => void) | undefined;

  const settle = async (send: Send, batch: Waiting[]): Promise<boolean> => {
    const { busy, again, failure } = await flush(send, 'skip', batch, options);
    free.unshift(...expire(again, failure));
    for (const waiting of busy) {
      waiting.busy += 1;
      if (busy.length === batch.length || waiting.busy >= busyLimit) lines.join(waiting);
      else free.unshift(waiting);
    }
    return again.length === 0;
  };

  /** One connection until nothing is left to do, or it fails. */
  const travel = async (send: Send): Promise<void> =>
    new Promise<void>((resolve) => {
      let flights = 0;
      let flying = 0;
      const trouble = { met: false };
      const carry = async (batch: Waiting[]): Promise<void> => {
        const settled = await settle(send, batch);
        trouble.met ||= !settled;
        flights -= 1;
        flying -= batch.length;
        next();
      };
      const next = (): void => {
        while (!trouble.met && flights < 2 && free.length > 0 && (flights === 0 || free.length * 2 >= flying)) {
          const batch = takeBatch(free, Math.max(leastHalf, Math.ceil((free.length + flying) / 2)));
          flights += 1;
          flying += batch.length;
          void carry(batch);
        }
        if (flights > 0) return;
        pump = undefined;
        failures = trouble.met ? failures + 1 : 0;
        resolve();
      };
      pump = next;
      next();
    });

  const turn = async (): Promise<void> => {
    while (free.length > 0) {
      try {
        await pool.pipeline(travel);
      } catch (failure) {
        failures += 1;
        free.splice(0, free.length, ...expire(free, failure));
      }
      if (failures > 0 && free.length > 0) await sleep(pause(failures));
    }
    turning = false;
  };

  return {
    add: (waiting) => {
      if (lines.joinOpen(waiting)) return;
      free.push(waiting);
      if (scheduled) return;
      scheduled = true;
      // After the other callers of this tick, so that they share the commit.
      setImmediate(() => {
        scheduled = false;
        pump?.();
        if (turning) return;
        turning = true;
        void turn();
      });
    },
  };
}
