import { fail } from '@steward/kernel';
import type { SqlPool } from '@steward/sql';
import type { Entry } from '../appending/entry.ts';
import type { AppendRow } from '../appending/statement.ts';
import { overloaded, retryAfter } from './flush.ts';
import type { Waiting } from './waiting.ts';
import { createTurns } from './turns.ts';

export interface GroupCommitOptions {
  readonly pool: SqlPool;
  /** Events that may wait at once; 503 beyond. */
  readonly maxWaiting?: number;
  /** Characters of event text that may wait at once; 503 beyond. */
  readonly maxCharacters?: number;
  /** Milliseconds within which a caller is answered, by 503 if need be. */
  readonly patience?: number;
  /** Milliseconds after which a database that says nothing is held for lost. */
  readonly silence?: number;
  readonly onFlush?: (events: number, seconds: number) => void;
}

/** Group commit: the events of all callers and tenants of this process, one batch after the other. */
export interface GroupCommit {
  /** @throws Problem `unavailable` (503) when full, stopping, or the database stays away */
  submit(entry: Entry): Promise<AppendRow>;
  /** Takes nothing new and resolves when every caller has been answered. */
  stop(): Promise<void>;
  /** Events that wait or are under way. */
  readonly size: number;
}

/** How long callers still wait once the group commit stops. Milliseconds. */
const parting = 2_000;

export function createGroupCommit(options: GroupCommitOptions): GroupCommit {
  const { pool, maxWaiting = 10_000, maxCharacters = 64 * 1_048_576, patience = 15_000 } = options;
  const take = createTurns(pool, { onFlush: options.onFlush, silence: options.silence ?? 20_000 });
  const all = new Set<Waiting>();
  let characters = 0;
  let stopping = false;
  let emptied: (() => void) | undefined;

  return {
    get size() {
      return all.size;
    },
    submit: async (entry) => {
      if (stopping || all.size >= maxWaiting || characters >= maxCharacters)
        throw fail('unavailable', overloaded, { headers: retryAfter });
      const waiting: Waiting = { entry, deadline: performance.now() + patience, busy: 0, unsure: false };
      all.add(waiting);
      characters += entry.text.length;
      try {
        return await take(waiting);
      } finally {
        all.delete(waiting);
        characters -= entry.text.length;
        if (all.size === 0) emptied?.();
      }
    },
    stop: async () => {
      stopping = true;
      if (all.size === 0) return;
      // A database that is away now will not be back before the process is gone.
      for (const waiting of all) waiting.deadline = Math.min(waiting.deadline, performance.now() + parting);
      await new Promise<void>((resolve) => {
        emptied = resolve;
      });
    },
  };
}
