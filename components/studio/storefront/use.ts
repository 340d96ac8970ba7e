import type { Log } from '@steward/kernel';
import { sql, type SqlPool } from '@steward/sql';

const flushEvery = 10_000;
/** Keys remembered between two flushes; a note that is lost is made with the key's next use. */
const most = 10_000;

export interface KeyUse {
  note(key: { tenant: string; keyId: string }): void;
  flush(): Promise<void>;
  start(): void;
  stop(): Promise<void>;
}

/** When keys were last used: remembered here, written by one statement every ten seconds, and at a stop. */
export function createKeyUse(pool: Pick<SqlPool, 'query'>, log: Log): KeyUse {
  let used = new Map<string, string>();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();

  const flush = async (): Promise<void> => {
    if (used.size === 0) return;
    const batch = used;
    used = new Map();
    try {
      await pool.query(sql`select studio.note_key_use(${[...batch.values()]}::uuid[], ${[...batch.keys()]}::uuid[])`);
    } catch (error) {
      log.warn({ err: error }, 'the last use of keys was not noted');
    }
  };
  return {
    note: ({ tenant, keyId }) => {
      if (used.size < most) used.set(keyId, tenant);
    },
    flush,
    start: () => {
      timer ??= setInterval(() => {
        running = running.then(flush);
      }, flushEvery).unref();
    },
    stop: async () => {
      clearInterval(timer);
      timer = undefined;
      await running;
      await flush();
    },
  };
}
