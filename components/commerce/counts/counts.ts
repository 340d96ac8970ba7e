import type { Log } from '@steward/kernel';
import { sql, type SqlPool } from '@steward/sql';
import type { SiteKey, Storefront } from '@steward/studio';
import { createFlusher, type Worker } from '@steward/work';

/** What happens to a form at its door. */
export type Happening = 'reads' | 'refused' | 'submitted';

/** Forms that are counted at once: ids may be guessed, and only those that are there are written. */
const mostForms = 5_000;
const flushEvery = 10_000;

interface Count extends Record<Happening, number> {
  readonly key: SiteKey;
  readonly formId: string;
}

export interface CountPorts {
  readonly pool: SqlPool;
  readonly storefront: Pick<Storefront, 'published'>;
  readonly log: Log;
  /** Milliseconds since the epoch. */
  readonly clock?: () => number;
}

/** How often forms are read, refused and submitted, by day. */
export interface FormCounts extends Worker {
  note(key: SiteKey, formId: string, what: Happening): void;
  /** Writes what is not written yet. */
  flush(): Promise<void>;
}

/**
 * Counts in memory, so that the door of a form waits for nothing, and adds to the day every ten seconds and at the end. A process that is killed,
 * or that cannot write, loses what it counted in ten seconds at most.
 */
export function createFormCounts({ pool, storefront, log, clock = Date.now }: CountPorts): FormCounts {
  let counts = new Map<string, Count>();

  const write = async ({ key, formId, reads, refused, submitted }: Count): Promise<void> => {
    // Nobody fills a table by guessing ids.
    if ((await storefront.published(key, formId)) === undefined) return;
    await pool.queryAll([
      sql`select set_config('app.tenant_id', ${key.tenant}, true)`,
      sql`insert into commerce.form_day as d (tenant_id, form_id, day, mode, reads, refused, submitted)
        values (${key.tenant}::uuid, ${formId}::uuid, ${new Date(clock()).toISOString().slice(0, 10)}::date, ${key.mode}, ${reads}::bigint,
          ${refused}::bigint, ${submitted}::bigint)
        on conflict (tenant_id, form_id, day, mode) do update set reads = d.reads + excluded.reads, refused = d.refused + excluded.refused,
          submitted = d.submitted + excluded.submitted`,
    ]);
  };
  const flush = async (): Promise<void> => {
    const all = counts;
    counts = new Map();
    for (const one of all.values()) await write(one);
  };
  const flusher = createFlusher({
    every: flushEvery,
    flush,
    failed: (error) => log.warn({ err: error }, 'what forms were read and submitted was not counted'),
  });
  return {
    note: (key, formId, what) => {
      const name = `${key.siteId}${formId}${key.mode}`;
      let count = counts.get(name);
      if (count === undefined) {
        if (counts.size >= mostForms) return;
        count = { key, formId, reads: 0, refused: 0, submitted: 0 };
        counts.set(name, count);
      }
      count[what] += 1;
    },
    flush,
    ...flusher,
  };
}
