import type { Log } from '@steward/kernel';
import { sql, type SqlPool } from '@steward/sql';
import { createFlusher, type Worker } from '@steward/work';

const flushEvery = 10_000;
/** Keys remembered between two flushes; a note that is lost is made with the key's next use. */
const most = 10_000;

export interface KeyUse extends Worker {
  note(key: { tenant: string; keyId: string }): void;
}

/** When keys were last used: remembered here, written by one statement every ten seconds, and at a stop. */
export function createKeyUse(pool: Pick<SqlPool, 'query'>, log: Log): KeyUse {
  let used = new Map<string, string>();

  const flush = async (): Promise<void> => {
    if (used.size === 0) return;
    const batch = used;
    used = new Map();
    await pool.query(sql`select studio.note_key_use(${[...batch.values()]}::uuid[], ${[...batch.keys()]}::uuid[])`);
  };
  const flusher = createFlusher({
    every: flushEvery,
    flush,
    failed: (error) => log.warn({ err: error }, 'the last use of keys was not noted'),
  });
  return {
    note: ({ tenant, keyId }) => {
      if (used.size < most) used.set(keyId, tenant);
    },
    ...flusher,
  };
}
