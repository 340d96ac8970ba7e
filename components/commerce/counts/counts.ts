import type { Log } from '@steward/kernel';
import { sql, type SqlPool } from '@steward/sql';
import type { SiteKey, Storefront } from '@steward/studio';
import { createFlusher, type Worker } from '@steward/work';
import { publishedForms } from '../refusals/published.ts';

const happenings = ['reads', 'starts', 'refused', 'submitted'] as const;
/** What happens to a form at its door. */
export type Happening = (typeof happenings)[number];
const none = { reads: 0, starts: 0, refused: 0, submitted: 0 };

/** Forms of a tenant that are counted at once: none fills the memory of others. */
const mostForms = 1_000;
const flushEvery = 10_000;

interface Count extends Record<Happening, number> {
  readonly key: SiteKey;
  readonly formId: string;
  /** Of UTC, on which it happened. */
  readonly day: string;
}

export interface CountPorts {
  readonly pool: SqlPool;
  readonly storefront: Pick<Storefront, 'published'>;
  readonly log: Log;
  /** When what is done here happened, where that is not now. Milliseconds since the epoch. */
  readonly happenedAt?: (() => number | undefined) | undefined;
}

/** How often forms are read, begun, refused and submitted, by day. */
export interface FormCounts extends Worker {
  /** What is refused counts where the key's site has published the form: its id may be guessed. The rest happens to forms that are there alone. */
  note(key: SiteKey, formId: string, what: Happening): void;
  /** Writes what is not written yet. */
  flush(): Promise<void>;
}

/**
 * Counts in memory, so that the door of a form waits for nothing, and adds to the day every ten seconds and at the end. A process that is killed
 * loses what it counted in ten seconds at most. Where a form's counts cannot be written they are given up, as nobody knows whether they were;
 * those of the others wait for the next time.
 */
export function createFormCounts({ pool, storefront, log, happenedAt }: CountPorts): FormCounts {
  const published = publishedForms(storefront);
  /** By tenant, then by form, mode and day. */
  let counts = new Map<string, Map<string, Count>>();

  const add = ({ key, formId, day, ...times }: Count): void => {
    const own = counts.get(key.tenant) ?? new Map<string, Count>();
    counts.set(key.tenant, own);
    const name = `${key.siteId}${formId}${key.mode}${day}`;
    const count = own.get(name) ?? { key, formId, day, ...none };
    if (!own.has(name) && own.size >= mostForms) return;
    own.set(name, count);
    for (const what of happenings) count[what] += times[what];
  };
  const write = async ({ key, formId, day, reads, starts, refused, submitted }: Count): Promise<void> => {
    await pool.queryAll([
      sql`select set_config('app.tenant_id', ${key.tenant}, true)`,
      sql`insert into commerce.form_day as d (tenant_id, form_id, day, mode, reads, starts, refused, submitted)
        values (${key.tenant}::uuid, ${formId}::uuid, ${day}::date, ${key.mode}, ${reads}::bigint, ${starts}::bigint,
          ${refused}::bigint, ${submitted}::bigint)
        on conflict (tenant_id, form_id, day, mode) do update set reads = d.reads + excluded.reads, starts = d.starts + excluded.starts, refused = d.refused + excluded.refused,
          submitted = d.submitted + excluded.submitted`,
    ]);
  };
  const flush = async (): Promise<void> => {
    await published.settled();
    const all = [...counts.values()].flatMap((own) => [...own.values()]);
    counts = new Map();
    for (const [at, one] of all.entries())
      try {
        await write(one);
      } catch (error) {
        const left = Map.groupBy(all.slice(at + 1), ({ key }) => key.tenant === one.key.tenant);
        // This tenant's after all others': what is always refused by the database holds up nobody.
        for (const other of [...(left.get(false) ?? []), ...(left.get(true) ?? [])]) add(other);
        throw error;
      }
  };
  const flusher = createFlusher({
    every: flushEvery,
    flush,
    failed: (error) => log.warn({ err: error }, 'what forms were read and submitted was not counted'),
  });
  return {
    note: (key, formId, what) => {
      const day = new Date(happenedAt?.() ?? Date.now()).toISOString().slice(0, 10);
      const count = (): void => add({ key, formId, day, ...none, [what]: 1 });
      if (what === 'refused') published.when(key, formId, count);
      else count();
    },
    flush,
    ...flusher,
  };
}
