import type pg from 'pg';
import { type DayManifest, type PlatformManifest, dayPaths, dayBefore } from '@steward/archive/format';
import { genesis } from '@steward/audit/chain';
import type { Archive } from '../archive/archive.ts';
import { type ArchiveIndex, indexedDays, signedBit } from '../archive/index.ts';
import type { Unrecorded } from './compare-days.ts';
import { recordDifferences } from './compare-record.ts';
import type { Cut } from './cuts.ts';
import { archiveFinding, type Finding, type SourceFinding } from '../log/finding.ts';
import { platformDays } from './sealed-days.ts';
import { readSignedDay, readSignedDays, type SignedDay } from '../archive/signed-day.ts';
import { readSmall } from '../archive/trust.ts';
import { isThere, unfinished } from '../archive/unfinished.ts';

export interface PlatformOptions {
  readonly keys: readonly string[];
  readonly acceptIncarnation: number;
  /** Where chains go on after rows were lost, as signed claims of the archive say. */
  readonly claimed: ReadonlyMap<string, readonly Cut[]>;
  /** The files of the archive before the database was read. */
  readonly index: ArchiveIndex;
  /** The UTC day. */
  readonly today: string;
  /** Only this tenant. */
  readonly tenant?: string | undefined;
}

export interface ComparedPlatform {
  readonly source: readonly SourceFinding[];
  readonly archive: readonly Finding[];
  readonly notes: readonly string[];
  readonly unrecorded: readonly Unrecorded[];
  /** The highest that is signed. */
  readonly incarnation: number;
}

type SignedPlatform = ReadonlyMap<string, SignedDay<PlatformManifest>>;

/**
 * Compares the platform's days: what the database remembers of them with what was signed, and the tenants of the archive with
 * those that the database has. So a tenant that was deleted whole is missed.
 */
export async function comparePlatform(
  client: pg.Client,
  archive: Archive,
  options: PlatformOptions,
): Promise<ComparedPlatform> {
  const { keys, index, today } = options;
  const source: SourceFinding[] = [];
  const found: Finding[] = [];
  const notes: string[] = [];
  const unrecorded: Unrecorded[] = [];
  const records = new Map((await platformDays(client)).map((one) => [one.day, one]));
  const archived = indexedDays(index, 'platform');
  const days = [...new Set([...records.keys(), ...archived.keys()])].toSorted();
  const signedDays = await readSignedDays<PlatformManifest>(archive, 'platform', days, keys);
  for (const day of days) {
    const [record, signed] = [records.get(day), signedDays.get(day)];
    if (record === undefined && signed === undefined) {
      const wrong = await unfinished(archive, 'platform', day, { digest: undefined, today, keys });
      if (wrong !== undefined) found.push(archiveFinding('obstructed', 'platform', wrong, day));
    } else if (record === undefined) {
      if ((archived.get(day) ?? 0) & signedBit) unrecorded.push({ owner: 'platform', day });
    } else if (signed === undefined) {
      const detail = 'the day was sealed, and the archive does not have what was signed of it';
      if (!(await isThere(archive, 'platform', day))) found.push(archiveFinding('missing', 'platform', detail, day));
    } else {
      const differing = await recordDifferences(archive, 'platform', record, signed);
      if (differing.length > 0)
        source.push({
          tenant: 'platform',
          kind: 'record',
          sequence: 0,
          day,
          detail: `what the database remembers of the sealed day is not what was signed: ${differing.join(', ')}`,
        });
    }
  }
  const lost = await lostTenants(client, archive, signedDays, options);
  const lostBy = await lostWith(archive, signedDays, lost, options.claimed);
  source.push(...(await unborne(client, options.tenant, lostBy)));
  for (const tenant of lost) {
    const last = await lastDay(archive, index, tenant, keys);
    const begun = lostBy.get(tenant);
    // Nothing signed names the tenant: the archive's own verifier judges these files.
    if (last === undefined && begun === undefined) continue;
    if (typeof begun === 'number' && begun <= options.acceptIncarnation) {
      notes.push(`${tenant}: the tenant was lost with a restored backup, which is known`);
      continue;
    }
    source.push({
      tenant,
      kind: typeof begun === 'number' ? 'restored' : 'no_chain',
      sequence: last === undefined || last.lastSequence === 0 ? 0 : 1,
      through: last?.lastSequence ?? 0,
      ...(last === undefined ? {} : { day: last.day }),
      detail: `the archive has the tenant, up to ${last?.day ?? 'no day'} in incarnation ${last?.incarnation ?? 1}, and the database does not`,
    });
  }
  const incarnation = Math.max(1, ...[...signedDays.values()].map(({ manifest }) => manifest.incarnation));
  return { source, archive: found, notes, unrecorded, incarnation };
}

/** Tenants of the archive, or of the newest signed day of the platform, that the database does not have. */
async function lostTenants(
  client: pg.Client,
  archive: Archive,
  signedDays: SignedPlatform,
  { index, tenant: only }: PlatformOptions,
): Promise<string[]> {
  const { rows } = await client.query<{ tenant: string }>('select tenant_id as tenant from audit.head');
  const there = new Set(rows.map(({ tenant }) => tenant));
  const newest = [...signedDays.keys()].at(-1);
  const listed = newest === undefined ? [] : await tenantsOn(archive, signedDays, newest);
  return [...new Set([...index.owners.keys(), ...listed])]
    .filter((owner) => owner !== 'platform' && !there.has(owner) && (only ?? owner) === owner)
    .toSorted();
}

/** What the database remembers of tenants that were lost with a restored backup must be what the signed days show. */
async function unborne(
  client: pg.Client,
  only: string | undefined,
  lostBy: ReadonlyMap<string, number | 'dropped'>,
): Promise<SourceFinding[]> {
  const { rows } = await client.query<{ tenant: string; sequence: string }>(
    `select tenant_id as tenant, max(sequence) as sequence from audit.restored_chain r
     where not exists (select from audit.head h where h.tenant_id = r.tenant_id) and ($1::uuid is null or tenant_id = $1)
     group by 1 order by 1`,
    [only ?? null],
  );
  const detail =
    'the database remembers that a restored backup lost the tenant, and neither a signed day nor a claim bears it out';
  return rows
    .filter(({ tenant, sequence }) => Number(sequence) > 0 || typeof lostBy.get(tenant) !== 'number')
    .map(({ tenant }) => ({ tenant, kind: 'record', sequence: 0, detail }));
}

async function tenantsOn(archive: Archive, signedDays: SignedPlatform, day: string): Promise<Set<string>> {
  const signed = signedDays.get(day);
  if (signed === undefined) return new Set();
  const lines = (await readSmall(archive, dayPaths('platform', day).rows, signed.manifest.bytes))?.toString() ?? '';
  return new Set([...lines.matchAll(/"tenant":"([0-9a-f-]{36})"/g)].map(([, tenant = '']) => tenant));
}

/**
 * With which restored backup the platform's signed days lost each tenant: the incarnation of the first day that does not list it
 * any more, where that begins one, or that of a claim that says so, as long as no day was signed after it; `dropped` where it went, or
 * stays, otherwise. Not there: no day lists it. What the database remembers of it excuses nothing.
 */
async function lostWith(
  archive: Archive,
  signedDays: SignedPlatform,
  tenants: readonly string[],
  claimed: ReadonlyMap<string, readonly Cut[]>,
): Promise<Map<string, number | 'dropped'>> {
  const lost = new Map<string, number | 'dropped'>();
  let next: PlatformManifest | undefined;
  for (const { manifest } of [...signedDays.values()].toReversed()) {
    if (lost.size === tenants.length) break;
    const listed = await tenantsOn(archive, signedDays, manifest.day);
    const begun = next !== undefined && next.incarnation > manifest.incarnation ? next.incarnation : 'dropped';
    const claim = (tenant: string): number | undefined =>
      claimed.get(tenant)?.find((cut) => isWhole(tenant, cut) && cut.incarnation > manifest.incarnation)?.incarnation;
    for (const tenant of tenants)
      if (listed.has(tenant) && !lost.has(tenant))
        lost.set(tenant, next === undefined ? (claim(tenant) ?? begun) : begun);
    next = manifest;
  }
  return lost;
}

/** Whether the chain was lost from its beginning on. */
const isWhole = (tenant: string, { sequence, rowHash }: Cut): boolean =>
  sequence === 0 && rowHash === genesis(tenant).toString('hex');

/** Whether a new incarnation begins with this day of the platform; which one. */
export async function beginsIncarnation(
  archive: Archive,
  day: string,
  keys: readonly string[],
): Promise<number | undefined> {
  const [before, there] = await Promise.all(
    [dayBefore(day), day].map(async (one) => readSignedDay<PlatformManifest>(archive, 'platform', one, keys)),
  );
  const [old, present] = [before?.manifest.incarnation, there?.manifest.incarnation];
  return old !== undefined && present !== undefined && present > old ? present : undefined;
}

/** The newest that is signed, of the last few that are there. */
async function lastDay(
  archive: Archive,
  index: ArchiveIndex,
  tenant: string,
  keys: readonly string[],
): Promise<DayManifest | undefined> {
  for (const day of [...indexedDays(index, tenant).keys()].toReversed().slice(0, 3)) {
    const signed = await readSignedDay<DayManifest>(archive, tenant, day, keys);
    if (signed !== undefined) return signed.manifest;
  }
  return undefined;
}
