import type pg from 'pg';
import { searchName } from '@steward/audit/chain';
import type { Envelope } from '@steward/audit';
import type { SourceFinding } from '../log/finding.ts';

/**
 * Compares legal holds, how far archived rows have expired, and destroyed keys with the events that record them. Row and event
 * are written in one transaction, so they agree.
 */
export async function compareRetention(client: pg.Client, tenant: string | undefined): Promise<SourceFinding[]> {
  const expected = new Map<string, Expected>();
  for await (const event of retentionEvents(client, tenant)) collect(expected, event);
  return [
    ...(await compareHolds(client, tenant, expected)),
    ...(await compareExpiries(client, tenant, expected)),
    ...(await compareErasures(client, tenant, expected)),
  ];
}

/** What the table must hold, by the events of one chain. */
interface Expected {
  readonly holds: Map<string, { placed: string; at: string; released?: string; releasedAt?: string }>;
  /** The last day, `YYYY-MM-DD`. */
  expired: string;
  /** Key ids, and when that was. */
  readonly erased: Map<string, string>;
}

interface Event {
  readonly tenant: string;
  readonly envelope: Envelope;
}

const types = ['audit.hold.placed', 'audit.hold.released', 'audit.days.expired', 'audit.subject.erased'];
const page = 500;

/**
 * Few among many, found by the index on types of each tenant: the types must be a constant of the query, or PostgreSQL takes them for as common
 * as any and reads whole chains. The chain itself is proved elsewhere.
 */
async function* retentionEvents(client: pg.Client, tenant: string | undefined): AsyncGenerator<Event> {
  await client.query(
    `declare retention_events no scroll cursor for
     select e.tenant_id as tenant, e.event from audit.head h join audit.event e on e.tenant_id = h.tenant_id and e.type = any($2::text[])
     where $1::uuid is null or h.tenant_id = $1 order by e.tenant_id, e.sequence`,
    [tenant ?? null, types],
  );
  for (;;) {
    const { rows } = await client.query<{ tenant: string; event: string }>(`fetch ${page} from retention_events`);
    for (const { tenant: whose, event } of rows) {
      const envelope = parse(event);
      // What is no event any more is named by the walk over the chain.
      if (envelope !== undefined) yield { tenant: whose, envelope };
    }
    if (rows.length < page) break;
  }
  await client.query('close retention_events');
}

function parse(text: string): Envelope | undefined {
  try {
    const parsed = JSON.parse(text) as Partial<Envelope> | null;
    return typeof parsed?.payload === 'object' && parsed.ingestedBy !== undefined ? (parsed as Envelope) : undefined;
  } catch {
    return undefined;
  }
}

function collect(all: Map<string, Expected>, { tenant, envelope }: Event): void {
  const { type, payload, ingestedBy, occurredAt } = envelope;
  const own = all.get(tenant) ?? { holds: new Map(), expired: '', erased: new Map() };
  all.set(tenant, own);
  const by = searchName(ingestedBy);
  const hold = String(payload['hold_id']);
  const standing = own.holds.get(hold);
  if (type === 'audit.hold.placed')
    own.holds.set(hold, { placed: JSON.stringify([payload['reason'], by]), at: occurredAt });
  else if (type === 'audit.hold.released' && standing !== undefined)
    Object.assign(standing, { released: by, releasedAt: occurredAt });
  else if (type === 'audit.days.expired' && String(payload['through']) > own.expired)
    own.expired = String(payload['through']);
  else if (type === 'audit.subject.erased' && Array.isArray(payload['key_ids']))
    for (const key of payload['key_ids']) own.erased.set(String(key), occurredAt);
}

/** Clocks of processes and database differ, and transactions take their time. */
const apart = 24 * 60 * 60 * 1000;

const isAbout = (stored: Date | null, expected: string | undefined): boolean =>
  stored === null || expected === undefined
    ? stored === null && expected === undefined
    : Math.abs(Number(stored) - Date.parse(expected)) < apart;

const finding = (tenant: string, detail: string): SourceFinding => ({ tenant, kind: 'record', sequence: 0, detail });

async function compareHolds(
  client: pg.Client,
  tenant: string | undefined,
  all: ReadonlyMap<string, Expected>,
): Promise<SourceFinding[]> {
  const { rows } = await client.query<{
    tenant: string;
    hold: string;
    reason: string;
    by: string;
    released: string | null;
    at: Date;
    releasedAt: Date | null;
  }>(
    `select tenant_id as tenant, hold_id as hold, reason, placed_by as by, released_by as released,
       placed_at as at, released_at as "releasedAt"
     from audit.legal_hold where $1::uuid is null or tenant_id = $1`,
    [tenant ?? null],
  );
  const stored = new Map(rows.map((row) => [`${row.tenant} ${row.hold}`, row]));
  const found: SourceFinding[] = [];
  for (const [whose, { holds: expected }] of all)
    for (const [hold, { placed, at, released, releasedAt }] of expected) {
      const row = stored.get(`${whose} ${hold}`);
      stored.delete(`${whose} ${hold}`);
      const same =
        row !== undefined &&
        JSON.stringify([row.reason, row.by]) === placed &&
        row.released === (released ?? null) &&
        isAbout(row.at, at) &&
        isAbout(row.releasedAt, releasedAt);
      if (!same) found.push(finding(whose, `the legal hold ${hold} is not what its events say`));
    }
  for (const { tenant: whose, hold } of stored.values())
    found.push(finding(whose, `no event tells of the legal hold ${hold}`));
  return found;
}

async function compareExpiries(
  client: pg.Client,
  tenant: string | undefined,
  all: ReadonlyMap<string, Expected>,
): Promise<SourceFinding[]> {
  const { rows } = await client.query<{ tenant: string; through: string }>(
    `select tenant_id as tenant, to_char(through, 'YYYY-MM-DD') as through from audit.expiry
     where $1::uuid is null or tenant_id = $1`,
    [tenant ?? null],
  );
  const stored = new Map(rows.map((row) => [row.tenant, row.through]));
  const owners = new Set([...stored.keys(), ...all.keys()]);
  return [...owners].flatMap((whose) => {
    const [marked = '', expected = ''] = [stored.get(whose), all.get(whose)?.expired];
    const detail = `archived rows are marked as expired up to ${marked || 'no day'}, and by the events up to ${expected || 'no day'}`;
    return marked === expected ? [] : [finding(whose, detail)];
  });
}

/** A key that was destroyed and lives again, or that is gone and nobody destroyed. */
async function compareErasures(
  client: pg.Client,
  tenant: string | undefined,
  all: ReadonlyMap<string, Expected>,
): Promise<SourceFinding[]> {
  const { rows } = await client.query<{ tenant: string; key: string; at: Date }>(
    `select tenant_id as tenant, key_id as key, erased_at as at from audit.subject_key
     where erased_at is not null and ($1::uuid is null or tenant_id = $1)`,
    [tenant ?? null],
  );
  const erased = Map.groupBy(rows, (row) => row.tenant);
  const owners = new Set([...erased.keys(), ...all.keys()]);
  return [...owners].flatMap((whose) => {
    const expected = all.get(whose)?.erased ?? new Map<string, string>();
    const stored = new Map(erased.get(whose)?.map(({ key, at }) => [key, at]));
    const alive = [...expected.keys()].filter((key) => !stored.has(key));
    const silent = [...stored].filter(([key, at]) => !isAbout(at, expected.get(key))).map(([key]) => key);
    return [
      ...(alive.length === 0 ? [] : [finding(whose, `${alive.length} keys were destroyed, and are not: ${alive[0]}`)]),
      ...(silent.length === 0
        ? []
        : [finding(whose, `no event tells of ${silent.length} destroyed keys: ${silent[0]}`)]),
    ];
  });
}
