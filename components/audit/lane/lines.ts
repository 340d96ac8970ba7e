import { setTimeout as sleep } from 'node:timers/promises';
import type { SqlPool } from '@steward/sql';
import { flush } from './flush.ts';
import { expire, maxBatch, type FlushOptions, pause, takeBatch, type Waiting } from './queue.ts';

/** Connections that may wait for heads at once; the pool serves others too. */
const maxWaits = 2;

/** Lines before tenants whose heads are locked by others. A line is open until it is empty. */
export interface Lines {
  /** Takes an event whose tenant has a line already. */
  joinOpen(waiting: Waiting): boolean;
  join(waiting: Waiting): void;
}

export function createLines(pool: SqlPool, options: FlushOptions): Lines {
  const lines = new Map<string, Waiting[]>();
  const unserved: string[] = [];
  let waits = 0;

  const serve = async (): Promise<void> => {
    for (let tenant = unserved.shift(); tenant !== undefined; tenant = unserved.shift()) {
      const line = lines.get(tenant) ?? [];
      let failures = 0;
      while (line.length > 0) {
        const batch = takeBatch(line, maxBatch);
        const { again, failure } = await flush((one) => pool.query(one), 'wait', batch, options);
        line.unshift(...expire(again, failure));
        failures = again.length > 0 ? failures + 1 : 0;
        if (failures > 0) await sleep(pause(failures));
      }
      lines.delete(tenant);
    }
    waits -= 1;
  };

  const joinOpen = (waiting: Waiting): boolean => {
    const line = lines.get(waiting.entry.envelope.tenantId);
    line?.push(waiting);
    return line !== undefined;
  };

  return {
    joinOpen,
    join: (waiting) => {
      if (joinOpen(waiting)) return;
      const { tenantId } = waiting.entry.envelope;
      lines.set(tenantId, [waiting]);
      unserved.push(tenantId);
      if (waits >= maxWaits) return;
      waits += 1;
      void serve();
    },
  };
}
