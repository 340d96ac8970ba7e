import { Counter, newId, timeOfId, type FieldError, type Log, type Metrics, type Problem } from '@steward/kernel';
import { sql, type SqlPool } from '@steward/sql';
import type { SiteKey, Storefront } from '@steward/studio';
import { createFlusher, type Worker } from '@steward/work';
import { publishedForms } from './published.ts';

/** Kinds of faults that are stored for each form and minute; only the metric counts the rest. */
const kindsPerMinute = 10;
/** Forms that are followed at once. */
const mostForms = 5_000;
/** What a form keeps, the newest. */
const kept = 200;
const flushEvery = 2_000;

interface Kind {
  readonly id: string;
  readonly status: number;
  readonly code: string;
  readonly faults: string;
  times: number;
  lastAt: number;
  unwritten: boolean;
}

interface Form {
  readonly key: SiteKey;
  readonly formId: string;
  readonly minute: number;
  readonly kinds: Map<string, Kind>;
}

export interface RefusalPorts {
  readonly pool: SqlPool;
  readonly storefront: Pick<Storefront, 'published'>;
  readonly log: Log;
  readonly metrics: Pick<Metrics, 'registry'>;
  /** Milliseconds since the epoch. */
  readonly clock?: () => number;
}

/** Why submissions were refused, so that whoever builds the page can see it. Collected in memory and written separately. */
export interface RefusalNotes extends Worker {
  note(key: SiteKey, formId: string, problem: Problem): void;
  /** Writes what is not written yet. */
  flush(): Promise<void>;
}

/**
 * A flood of refusals costs no more than ten kinds for each form and minute: equal refusals are one row with a count.
 * It stores only the place of a fault in the form and its code, never a value, and nothing about the sender.
 */
export function createRefusalNotes({ pool, storefront, log, metrics, clock = Date.now }: RefusalPorts): RefusalNotes {
  const published = publishedForms(storefront);
  const forms = new Map<string, Form>();
  const counter = new Counter({
    name: 'steward_storefront_refusals_total',
    help: 'Submissions refused after their key was known, by code.',
    labelNames: ['code'],
    registers: [metrics.registry],
  });

  const formOf = (key: SiteKey, formId: string, minute: number): Form | undefined => {
    const name = `${key.siteId}${formId}`;
    const known = forms.get(name);
    if (known?.minute === minute) return known;
    if (known === undefined && forms.size >= mostForms) return undefined;
    // What the last flush of the minute before has not written is given up: at most two seconds of counts.
    const form: Form = { key, formId, minute, kinds: new Map() };
    forms.set(name, form);
    return form;
  };

  const keep = (key: SiteKey, formId: string, { status, code, errors = [] }: Problem): void => {
    const now = clock();
    const form = formOf(key, formId, Math.floor(now / 60_000));
    if (form === undefined) return;
    const faults = JSON.stringify(errors.slice(0, 20).map(placeOf));
    const name = `${code}${faults}`;
    let kind = form.kinds.get(name);
    if (kind === undefined) {
      if (form.kinds.size >= kindsPerMinute) return;
      kind = { id: newId(), status, code, faults, times: 0, lastAt: now, unwritten: true };
      form.kinds.set(name, kind);
    }
    kind.times += 1;
    kind.lastAt = Math.max(now, Date.parse(timeOfId(kind.id)));
    kind.unwritten = true;
  };

  const write = async ({ key, formId, kinds }: Form): Promise<void> => {
    const rows = [...kinds.values()].filter(({ unwritten }) => unwritten);
    if (rows.length === 0) return;
    for (const row of rows) row.unwritten = false;
    const sent = rows.map(({ id, status, code, faults, times, lastAt }) => ({
      id,
      status,
      code,
      faults,
      times,
      last_at: new Date(lastAt),
    }));
    await pool.queryAll([
      sql`select set_config('app.tenant_id', ${key.tenant}, true)`,
      sql`insert into commerce.refusal as r (tenant_id, form_id, refusal_id, status, code, faults, times, last_at)
        select ${key.tenant}::uuid, ${formId}::uuid, id, status, code, faults, times, last_at
        from json_to_recordset(${JSON.stringify(sent)}::json) as row
          (id uuid, status int, code text, faults text, times int, last_at timestamptz)
        on conflict (tenant_id, form_id, refusal_id) do update set times = excluded.times, last_at = excluded.last_at`,
      sql`delete from commerce.refusal where tenant_id = ${key.tenant}::uuid and form_id = ${formId}::uuid and refusal_id <= (
          select refusal_id from commerce.refusal where tenant_id = ${key.tenant}::uuid and form_id = ${formId}::uuid
          order by refusal_id desc offset ${kept}::int limit 1)`,
    ]);
  };
  const flush = async (): Promise<void> => {
    await published.settled();
    const minute = Math.floor(clock() / 60_000);
    for (const [name, form] of forms) {
      await write(form);
      if (form.minute < minute && forms.get(name) === form) forms.delete(name);
    }
  };
  const flusher = createFlusher({
    every: flushEvery,
    flush,
    failed: (error) => log.warn({ err: error }, 'refused submissions were not noted'),
  });
  return {
    note: (key, formId, problem) => {
      counter.inc({ code: problem.code });
      // A form that is not this site's, or not there, has no log: nobody fills one by guessing ids.
      published.when(key, formId, () => keep(key, formId, problem));
    },
    flush,
    ...flusher,
  };
}

/** A place in the form: field names are the form's own, deeper steps and other names a visitor may have made up. */
function placeOf({ pointer, code }: FieldError): { pointer: string; code: string } {
  if (pointer === '') return { pointer, code };
  const [first = '', second, ...deeper] = pointer.split('/').slice(1);
  const plain = (one: string): string => (/^[A-Za-z][\w-]{0,63}$/.test(one) ? one : '…');
  const steps = [first, ...(second === undefined ? [] : [second])].map(plain);
  return { pointer: `/${steps.join('/')}${deeper.length > 0 ? '/…' : ''}`, code };
}
