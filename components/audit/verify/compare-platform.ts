import type pg from 'pg';
import type { DayManifest, PlatformManifest } from '../archive/manifest.ts';
import { dayPaths } from '../archive/paths.ts';
import { dayBefore } from '../sealing/calendar.ts';
import type { Archive } from './archive.ts';
import { archiveFinding, type Finding, type Told } from './finding.ts';
import { readSignedDay } from './signed-day.ts';
import { readSmall } from './trust.ts';

export interface PlatformWish {
  readonly keys: readonly string[];
  readonly acceptIncarnation: number;
  /** Only this tenant. */
  readonly tenant?: string | undefined;
}

export interface ComparedPlatform {
  readonly source: readonly Told[];
  readonly archive: readonly Finding[];
  readonly notes: readonly string[];
}

/**
 * Compares the platform's days: what the database remembers of them with what was signed, and the tenants of the newest one
 * with those that the database has. So a tenant that was deleted whole is missed.
 */
export async function comparePlatform(
  client: pg.Client,
  archive: Archive,
  wish: PlatformWish,
): Promise<ComparedPlatform> {
  const source: Told[] = [];
  const missing: Finding[] = [];
  const notes: string[] = [];
  const days = await platformDays(archive);
  const { rows } = await client.query<{ day: string; sha256: string }>(
    `select to_char(day, 'YYYY-MM-DD') as day, encode(manifest_sha256, 'hex') as sha256 from audit.platform_day order by 1`,
  );
  for (const { day, sha256 } of rows) {
    if (!days.has(day)) {
      missing.push(archiveFinding('missing', 'platform', 'the day was sealed, and the archive does not have it', day));
      continue;
    }
    const signed = await readSignedDay<PlatformManifest>(archive, 'platform', day, wish.keys);
    if (signed !== undefined && signed.manifestSha256 !== sha256)
      source.push({
        tenant: 'platform',
        kind: 'record',
        sequence: 0,
        day,
        detail: 'what the database remembers of the sealed day is not what was signed: manifest_sha256',
      });
  }
  for (const [tenant, listedIn] of await lostTenants(client, archive, days, wish)) {
    const { last, incarnation } = await lastDay(archive, tenant, wish.keys);
    const restored = await wasRestored(client, tenant);
    // A day that was signed after the restore and lists the tenant gives such an excuse the lie.
    const excused = restored !== undefined && restored > listedIn;
    if (excused && restored <= wish.acceptIncarnation) {
      notes.push(`${tenant}: the tenant was lost with a restored backup, which is known`);
      continue;
    }
    source.push({
      tenant,
      kind: excused ? 'restored' : 'no_chain',
      sequence: last === undefined || last.lastSequence === 0 ? 0 : 1,
      through: last?.lastSequence ?? 0,
      ...(last === undefined ? {} : { day: last.day }),
      detail: `the archive has the tenant, up to ${last?.day ?? 'no day'} in incarnation ${incarnation}, and the database does not`,
    });
  }
  return { source, archive: missing, notes };
}

/** Days of the platform of which the archive has anything. */
async function platformDays(archive: Archive): Promise<Set<string>> {
  const days = new Set<string>();
  for await (const path of archive.list('platform/')) {
    const [, ...date] = /^platform\/(\d{4})\/(\d\d)\/(\d\d)\.(?:jsonl|manifest\.json|checkpoint)$/.exec(path) ?? [];
    if (date.length === 3) days.add(date.join('-'));
  }
  return days;
}

/**
 * Tenants that the database does not have and that the newest signed day of the platform lists, with the incarnation of that
 * day, or of which it says itself that a restored backup lost them, with 0.
 */
async function lostTenants(
  client: pg.Client,
  archive: Archive,
  days: ReadonlySet<string>,
  { keys, tenant: only }: PlatformWish,
): Promise<Map<string, number>> {
  const { rows } = await client.query<{ tenant: string }>(
    `select distinct tenant_id as tenant from audit.restored_chain r
     where sequence = 0 and not exists (select from audit.head h where h.tenant_id = r.tenant_id)`,
  );
  const lost = new Map(rows.map(({ tenant }) => [tenant, 0]));
  for (const day of [...days].toSorted().toReversed()) {
    const signed = await readSignedDay<PlatformManifest>(archive, 'platform', day, keys);
    if (signed === undefined) continue;
    const lines = (await readSmall(archive, dayPaths('platform', day).rows))?.toString() ?? '';
    const heads = await client.query<{ tenant: string }>('select tenant_id as tenant from audit.head');
    const there = new Set(heads.rows.map(({ tenant }) => tenant));
    for (const [, tenant = ''] of lines.matchAll(/"tenant":"([0-9a-f-]{36})"/g))
      if (!there.has(tenant)) lost.set(tenant, signed.manifest.incarnation);
    break;
  }
  return new Map([...lost].filter(([tenant]) => (only ?? tenant) === tenant));
}

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

/** Going back from the newest day that is there. */
async function lastDay(
  archive: Archive,
  tenant: string,
  keys: readonly string[],
): Promise<{ last: DayManifest | undefined; incarnation: number }> {
  let newest: string | undefined;
  for await (const path of archive.list(`${tenant}/`)) {
    const [, ...date] = /^[^/]+\/(\d{4})\/(\d\d)\/(\d\d)\.manifest\.json$/.exec(path) ?? [];
    if (date.length === 3) newest = date.join('-');
  }
  for (let day = newest, tries = 0; day !== undefined && tries < 3; day = dayBefore(day), tries += 1) {
    const signed = await readSignedDay<DayManifest>(archive, tenant, day, keys);
    if (signed !== undefined) return { last: signed.manifest, incarnation: signed.manifest.incarnation };
  }
  return { last: undefined, incarnation: 1 };
}

/** The incarnation in which the sealer noticed that a restored backup did not have the tenant. */
async function wasRestored(client: pg.Client, tenant: string): Promise<number | undefined> {
  const { rows } = await client.query<{ incarnation: number }>(
    'select incarnation from audit.restored_chain where tenant_id = $1 and sequence = 0 order by incarnation desc limit 1',
    [tenant],
  );
  return rows[0]?.incarnation;
}
