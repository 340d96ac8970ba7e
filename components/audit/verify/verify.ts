import pg from 'pg';
import { jobRole, quote } from '@steward/sql';
import { type Finding, Findings } from './finding.ts';
import { compareKeys, leftKeys } from './keys.ts';
import { type EventRow, eventQuery, type HeadRow, headQuery, type KeyRow, keyQuery, Rows } from './rows.ts';
import { Walk } from './walk.ts';

export interface VerifyOptions {
  /** The owner's login, or any that may act as the verifier role. */
  readonly ownerUrl: string;
  /** Only this tenant. */
  readonly tenant?: string;
  /** Tenants that must have a chain, from a source of their own: without it a tenant deleted whole is not missed. */
  readonly expected?: readonly string[];
  readonly onProgress?: (progress: { readonly tenants: number; readonly events: number }) => void;
  readonly signal?: AbortSignal;
}

export interface Verdict {
  readonly ok: boolean;
  readonly tenants: number;
  readonly events: number;
  readonly findings: readonly Finding[];
  /** There is more wrong than is listed. */
  readonly truncated: boolean;
}

const progressEvery = 10_000;

/**
 * Recomputes every chain in one snapshot: text, hashes, order, completeness up to the head, search columns, keys.
 * It reads as it goes and holds a few hundred rows at most. What it cannot see without anchors outside the database: a
 * chain recomputed to its head, a tail cut together with head and keys, a restored backup.
 */
export async function verifyChains(options: VerifyOptions): Promise<Verdict> {
  const client = new pg.Client({ connectionString: options.ownerUrl, application_name: 'steward-audit-verify' });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>('select current_database() as name');
    await client.query('begin isolation level repeatable read read only');
    await client.query(`set local role ${quote(jobRole(rows[0]?.name ?? '', 'audit_verifier'))}`);
    await client.query(
      "set local timezone = 'UTC'; set local statement_timeout = 0; set local cursor_tuple_fraction = 1",
    );
    return await verifyAll(client, options);
  } finally {
    await client.end();
  }
}

async function verifyAll(
  client: pg.Client,
  { tenant: only, expected, onProgress, signal }: VerifyOptions,
): Promise<Verdict> {
  const heads = await Rows.open<HeadRow>(client, 'heads', headQuery, only);
  const rows = await Rows.open<EventRow>(client, 'rows', eventQuery, only);
  const keys = await Rows.open<KeyRow>(client, 'keys', keyQuery, only);
  const findings = new Findings();
  const missing = new Set(expected);
  let tenants = 0;
  let events = 0;
  for (let tenant = first(heads, rows, keys); tenant !== undefined; tenant = first(heads, rows, keys)) {
    const head = await heads.take(tenant);
    const walk = new Walk(tenant, findings);
    for (let row = await rows.take(tenant); row !== undefined; row = await rows.take(tenant)) {
      signal?.throwIfAborted();
      const envelope = walk.row(row);
      const told = envelope === undefined ? null : envelope.idempotencyKey;
      await compareKeys(keys, tenant, BigInt(row.sequence), told, findings);
      events += 1;
      if (events % progressEvery === 0) onProgress?.({ tenants, events });
    }
    walk.end(head);
    const end = head === undefined ? walk.last : BigInt(head.sequence);
    await leftKeys(keys, tenant, end, findings);
    if (head !== undefined) missing.delete(tenant);
    tenants += 1;
  }
  for (const tenant of missing) findings.add(tenant, 'no_chain', 0n, 'the tenant has no chain');
  onProgress?.({ tenants, events });
  const { list, truncated } = findings;
  return { ok: list.length === 0, tenants, events, findings: list, truncated };
}

/** The smallest tenant that any of the sorted streams stands at. */
function first(...streams: readonly Rows<{ readonly tenant: string }>[]): string | undefined {
  let least: string | undefined;
  for (const { next } of streams) {
    if (next !== undefined && (least === undefined || next.tenant < least)) least = next.tenant;
  }
  return least;
}
