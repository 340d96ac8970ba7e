import type pg from 'pg';
import { mostFindings, type SourceFinding } from '../log/finding.ts';
import type { Check } from '../log/verify-log.ts';

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
  /** What an event says, as a query from `e`, which has `id`, `tenant_id`, `type`, `payload` and `chain`: `key`, and `says`, null for gone. */
  readonly told: string;
}

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
  const { rows } = await client.query<{ tenant: string; key: string; held: string | null; told: string | null }>(
    `with held as materialized (
         select h.tenant_id, h.key, h.says from (${held}) h where $1::uuid is null or h.tenant_id = $1::uuid
       ), told as materialized (
         select distinct on (e.tenant_id, t.key) e.tenant_id, t.key, t.says
         from (
           select v.tenant_id, v.sequence, v.id, v.type, v.event::jsonb -> 'payload' as payload, v.event::jsonb -> 'principalChain' as chain
           from audit.event v where v.type = any ($2::text[]) and ($1::uuid is null or v.tenant_id = $1::uuid)) e
         cross join lateral (${told}) t
         order by e.tenant_id, t.key, e.sequence desc
       )
       select coalesce(h.tenant_id, t.tenant_id)::text as tenant, coalesce(h.key, t.key) as key, h.says as held, t.says as told
       from held h full join told t on t.tenant_id = h.tenant_id and t.key = h.key
       where h.says is distinct from t.says order by 1, 2 limit ${mostFindings}`,
    [tenant ?? null, types],
  );
  return rows.map((row) =>
    finding(
      row.tenant,
      'no_event',
      row.told === null
        ? `${what} ${row.key}: no event tells of it`
        : row.held === null
          ? `${what} ${row.key}: an event tells of it, and it is not there`
          : `${what} ${row.key}: it says ${row.held}, and the newest event about it ${row.told}`,
    ),
  );
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
  return rows.map((row) =>
    finding(
      row.tenant,
      'sum',
      row.due === null
        ? `${what} ${row.key}: ${from} make none`
        : row.held === null
          ? `${what} ${row.key}: ${from} make ${row.due}, and it is not there`
          : `${what} ${row.key}: it says ${row.held}, and ${from} make ${row.due}`,
    ),
  );
}

const finding = (tenant: string, kind: 'no_event' | 'sum', detail: string): SourceFinding => ({
  tenant,
  kind,
  sequence: 0,
  detail: detail.slice(0, 500),
});

/** Checks that rows of other components agree with the log or follow from rows that do, and that no recorded row is missing. */
export const eventsOfRows =
  (recorded: readonly (RecordedRows | DerivedRows)[]): Check =>
  async ({ client, tenant }) =>
    compareRecorded(client, recorded, tenant);
