import { BoundedMap, type Log, type Problem } from '@steward/kernel';
import { sql, type SqlPool } from '@steward/sql';
import type { Source } from './candidates.ts';

/** Whoever knows an address causes no more writes than this by it, in a process. */
const pause = 10_000;

/** Notes at a connection why what came to its address was refused. Whoever sent it is answered whether that is noted or not. */
export function createRefusals({ pool, log }: { readonly pool: Pick<SqlPool, 'read'>; readonly log: Log }) {
  const noted = new BoundedMap<string, number>(10_000);
  return async ({ tenant, connectionId }: Source, { message }: Problem): Promise<void> => {
    const now = performance.now();
    if (now - (noted.get(connectionId) ?? -pause) < pause) return;
    noted.set(connectionId, now);
    try {
      await pool.read(
        sql`select callbacks.note_refusal(${tenant}::uuid, ${connectionId}::uuid, ${message.slice(0, 500)})`,
      );
    } catch (err) {
      log.warn({ err, connection: connectionId }, 'it was not noted that a request to a connection was refused');
    }
  };
}
