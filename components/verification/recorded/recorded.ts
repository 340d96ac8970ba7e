import type pg from 'pg';
import { mostFindings, type SourceFinding } from '../log/finding.ts';
import type { Check } from '../log/verify-log.ts';
import { differing } from './differing.ts';

/**
 * Rows of a component that the log records too, each compared with the newest event about it. The SQL is the
 * component's own and so trusted.
 */
export interface RecordedRows {
  /** What a row is called, such as `ledger entry`. */
  readonly what: string;
  /** The types of the events about them. */
  readonly types: readonly string[];
  /** A query of all rows: `tenant_id`, `key` (text) and `says` (text). */
  readonly held: string;
  /**
   * What an event says, as a query from `e`, which has `id`, `tenant_id`, `type`, `payload`, `chain`, `caller`, `client`, `cause`, `workflow`,
   * `occurred_at` and `received_at`: `key`, and `says`, null for gone.
   */
  readonly told: string;
}

/** The row that an event `e` is about, as `r`, whether it is there or not. @param key SQL: its id in the event */
export const rowOf = (table: string, id: string, key: string): string =>
  `from (select) o left join ${table} r on r.tenant_id = e.tenant_id and r.${id} = ${key}`;

/**
 * An instant that a row was given in the transaction of its event: as it stands in the row where that is within an hour of when the event
 * was received, since both are the database's clock, or where it is exactly when the event says that it happened; else when it was received.
 */
export const instantOf = (column: string): string =>
  `case when r.${column} = e.occurred_at or r.${column} between e.received_at - interval '1 hour' and e.received_at + interval '1 hour'
    then r.${column} else e.received_at end`;

/** Rows that were made in the transaction of an event, by when that was. @param key SQL: the id in the event */
export const madeAt = (
  what: string,
  type: string,
  {
    table,
    id,
    column,
    key,
  }: { readonly table: string; readonly id: string; readonly column: string; readonly key: string },
): RecordedRows => ({
  what: `time of ${what}`,
  types: [type],
  held: `select tenant_id, ${id}::text as key, ${column}::text as says from ${table}`,
  // Whether a row may be gone is told elsewhere.
  told: `select r.${id}::text as key, (${instantOf(column)})::text as says from ${table} r where r.tenant_id = e.tenant_id and r.${id} = ${key}`,
});

/** SQL for the digest of some values, as SQL, of one version of a format: what an event holds of what it does not say in words. */
export const digestOf = (json: string): string =>
  `translate(encode(sha256(convert_to(jsonb_build_array(${json})::text, 'UTF8')), 'base64'), '+/=', '-_')`;

/** Who an event says acted: the person, or machine, that it was for. */
export const actor = { type: `e.chain -> 0 ->> 'principalType'`, id: `e.chain -> 0 ->> 'principalId'` } as const;

/** Rows that follow from other rows, which the log records: sums. */
export interface DerivedRows extends Pick<RecordedRows, 'what' | 'held'> {
  /** What they follow from, such as `its postings`. */
  readonly from: string;
  /** A query of the same columns: the rows as they must be. */
  readonly due: string;
}

/**
 * Rows without an event, rows that differ from the newest event about them, and events whose rows are gone. One
 * pass over the events of those types and over the rows.
 * @param client sees the log and the rows of every tenant, at one moment
 */
async function compareRecorded(
  client: pg.Client,
  recorded: readonly (RecordedRows | DerivedRows)[],
  tenant: string | undefined,
): Promise<SourceFinding[]> {
  const found: SourceFinding[] = [];
  for (const rows of recorded)
    found.push(
      ...('due' in rows ? await compareDue(client, rows, tenant) : await compareWithEvents(client, rows, tenant)),
    );
  return found;
}

async function compareWithEvents(
  client: pg.Client,
  { what, types, held, told }: RecordedRows,
  tenant: string | undefined,
): Promise<SourceFinding[]> {
  // From the heads, so that a tenant is part of the condition: without one, PostgreSQL reads the index on types of all tenants, as a whole.
  const { rows } = await client.query<{ tenant: string; key: string; held: string | null; told: string | null }>(
    `with held as materialized (
         select h.tenant_id, h.key, h.says from (${held}) h where $1::uuid is null or h.tenant_id = $1::uuid
       ), told as materialized (
         select distinct on (e.tenant_id, t.key) e.tenant_id, t.key, t.says
         from (
           select v.tenant_id, v.sequence, v.id, v.type, v.occurred_at, v.received_at, v.causal_id as cause, v.correlation_id as workflow, t.event -> 'payload' as payload,
             t.event -> 'principalChain' as chain, t.event -> 'ingestedBy' as caller, case
               when t.event #>> '{principalChain,-1,principalType}' in ('agent', 'service') then t.event #>> '{principalChain,-1,principalId}'
               else t.event #>> '{dimensionalTags,client}' end as client
           from audit.head c join audit.event v on v.tenant_id = c.tenant_id and v.type = any ($2::text[])
             cross join lateral (select v.event::jsonb as event) t
           where $1::uuid is null or c.tenant_id = $1::uuid) e
         cross join lateral (${told}) t
         order by e.tenant_id, t.key, e.sequence desc
       )
       select coalesce(h.tenant_id, t.tenant_id)::text as tenant, coalesce(h.key, t.key) as key, h.says as held, t.says as told
       from held h full join told t on t.tenant_id = h.tenant_id and t.key = h.key
       where h.says is distinct from t.says order by 1, 2 limit ${mostFindings}`,
    [tenant ?? null, types],
  );
  return rows.map(({ tenant: of, key, held: says, told: tells }) => {
    if (tells === null) return finding(of, 'no_event', what, key, 'no event tells of it');
    if (says === null) return finding(of, 'no_event', what, key, 'an event tells of it, and it is not there');
    const [has, due] = differing(says, tells);
    return finding(of, 'no_event', what, key, `it says ${has}, and the newest event about it ${due}`);
  });
}

async function compareDue(
  client: pg.Client,
  { what, from, held, due }: DerivedRows,
  tenant: string | undefined,
): Promise<SourceFinding[]> {
  // Tables that have no statistics yet, as of a restored database, would be compared each row with each. What that does to estimated costs
  // would have each query compiled, which takes longer than the query.
  await client.query('set local enable_nestloop = off; set local jit = off');
  const { rows } = await client.query<{ tenant: string; key: string; held: string | null; due: string | null }>(
    `select coalesce(h.tenant_id, d.tenant_id)::text as tenant, coalesce(h.key, d.key) as key, h.says as held, d.says as due
     from (select * from (${held}) a where $1::uuid is null or tenant_id = $1::uuid) h
     full join (select * from (${due}) b where $1::uuid is null or tenant_id = $1::uuid) d on d.tenant_id = h.tenant_id and d.key = h.key
     where h.says is distinct from d.says order by 1, 2 limit ${mostFindings}`,
    [tenant ?? null],
  );
  await client.query('set local enable_nestloop = on');
  return rows.map(({ tenant: of, key, held: says, due: make }) => {
    if (make === null) return finding(of, 'sum', what, key, `${from} make none`);
    if (says === null) return finding(of, 'sum', what, key, `${from} make ${make.slice(0, 200)}, and it is not there`);
    const [has, must] = differing(says, make);
    return finding(of, 'sum', what, key, `it says ${has}, and ${from} make ${must}`);
  });
}

const finding = (
  tenant: string,
  kind: 'no_event' | 'sum',
  what: string,
  key: string,
  wrong: string,
): SourceFinding => ({ tenant, kind, sequence: 0, detail: `${what} ${key.slice(0, 300)}: ${wrong}` });

/** Checks that rows of other components agree with the log or follow from rows that do, and that no recorded row is missing. */
export const eventsOfRows =
  (recorded: readonly (RecordedRows | DerivedRows)[]): Check =>
  async ({ client, tenant }) =>
    compareRecorded(client, recorded, tenant);
