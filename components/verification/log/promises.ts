import type pg from 'pg';
import { searchName } from '@steward/audit/chain';
import type { Envelope } from '@steward/audit';
import type { Told } from './finding.ts';

/**
 * What was promised to a tenant and is kept beside its chain, compared with the events that tell of it: legal holds, how far
 * archived rows have expired, and keys that were destroyed. Record and event are written in one transaction, so they agree.
 */
export async function comparePromises(client: pg.Client, tenant: string | undefined): Promise<Told[]> {
  const told = new Map<string, Expected>();
  for await (const event of promising(client, tenant)) learn(told, event);
  return [
    ...(await holds(client, tenant, told)),
    ...(await expiries(client, tenant, told)),
    ...(await erasures(client, tenant, told)),
  ];
}

/** What the events of a chain promise. */
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

/** Few among many: found by the index on types, of each tenant. The chain itself is proved elsewhere. */
async function* promising(client: pg.Client, tenant: string | undefined): AsyncGenerator<Event> {
  await client.query(
    `declare promises no scroll cursor for
     select h.tenant_id as tenant, e.event from audit.head h cross join unnest($2::text[]) with ordinality t (type, at)
     cross join lateral (select e.event, e.sequence from audit.event e
       where e.tenant_id = h.tenant_id and e.type = t.type order by e.sequence) e
     where $1::uuid is null or h.tenant_id = $1 order by h.tenant_id, t.at, e.sequence`,
    [tenant ?? null, types],
  );
  for (;;) {
    const { rows } = await client.query<{ tenant: string; event: string }>(`fetch ${page} from promises`);
    for (const { tenant: whose, event } of rows) {
      const envelope = parse(event);
      // What is no event any more is named by the walk over the chain.
      if (envelope !== undefined) yield { tenant: whose, envelope };
    }
    if (rows.length < page) break;
  }
  await client.query('close promises');
}

function parse(text: string): Envelope | undefined {
  try {
    const told = JSON.parse(text) as Partial<Envelope> | null;
    return typeof told?.payload === 'object' && told.ingestedBy !== undefined ? (told as Envelope) : undefined;
  } catch {
    return undefined;
  }
}

function learn(told: Map<string, Expected>, { tenant, envelope }: Event): void {
  const { type, payload, ingestedBy, occurredAt } = envelope;
  const own = told.get(tenant) ?? { holds: new Map(), expired: '', erased: new Map() };
  told.set(tenant, own);
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

const isAbout = (stored: Date | null, told: string | undefined): boolean =>
  stored === null || told === undefined
    ? stored === null && told === undefined
    : Math.abs(Number(stored) - Date.parse(told)) < apart;

const finding = (tenant: string, detail: string): Told => ({ tenant, kind: 'record', sequence: 0, detail });

async function holds(
  client: pg.Client,
  tenant: string | undefined,
  told: ReadonlyMap<string, Expected>,
): Promise<Told[]> {
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
  const found: Told[] = [];
  for (const [whose, { holds: expected }] of told)
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

async function expiries(
  client: pg.Client,
  tenant: string | undefined,
  told: ReadonlyMap<string, Expected>,
): Promise<Told[]> {
  const { rows } = await client.query<{ tenant: string; through: string }>(
    `select tenant_id as tenant, to_char(through, 'YYYY-MM-DD') as through from audit.expiry
     where $1::uuid is null or tenant_id = $1`,
    [tenant ?? null],
  );
  const stored = new Map(rows.map((row) => [row.tenant, row.through]));
  const owners = new Set([...stored.keys(), ...told.keys()]);
  return [...owners].flatMap((whose) => {
    const [marked = '', expected = ''] = [stored.get(whose), told.get(whose)?.expired];
    const detail = `archived rows are marked as expired up to ${marked || 'no day'}, and by the events up to ${expected || 'no day'}`;
    return marked === expected ? [] : [finding(whose, detail)];
  });
}

/** A key that was destroyed and lives again, or that is gone and nobody destroyed. */
async function erasures(
  client: pg.Client,
  tenant: string | undefined,
  told: ReadonlyMap<string, Expected>,
): Promise<Told[]> {
  const { rows } = await client.query<{ tenant: string; key: string; at: Date }>(
    `select tenant_id as tenant, key_id as key, erased_at as at from audit.subject_key
     where erased_at is not null and ($1::uuid is null or tenant_id = $1)`,
    [tenant ?? null],
  );
  const erased = Map.groupBy(rows, (row) => row.tenant);
  const owners = new Set([...erased.keys(), ...told.keys()]);
  return [...owners].flatMap((whose) => {
    const expected = told.get(whose)?.erased ?? new Map<string, string>();
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
