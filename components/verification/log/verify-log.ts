import type pg from 'pg';
import type { ArchiveConfig } from '@steward/archive';
import { verifyArchive, type Verdict as ArchiveVerdict } from '../verifier/steward-audit-verify.mjs';
import { type Archive, openArchive, Unreachable } from '../archive/archive.ts';
import { compareHours, listHours } from '../archive/compare-hours.ts';
import { indexArchive } from '../archive/index.ts';
import { compareKeys, registeredKeys } from '../archive/compare-keys.ts';
import type { Cut } from '../days/cuts.ts';
import { beginsIncarnation, comparePlatform } from '../days/compare-platform.ts';
import { archiveFinding, type Finding, Findings, type SourceFinding } from './finding.ts';
import { readFreshness } from './freshness.ts';
import { throughLosses } from './losses.ts';
import { asFinding, merge } from './merge.ts';
import { openReader } from '../parts/reader.ts';
import { compareRetention } from '../days/compare-retention.ts';
import { keyLinks, keysFrom } from '../archive/trust.ts';
import { stillUnrecorded } from '../days/unrecorded.ts';
import { type SourceVerdict, verifySource, type VerifyOptions } from './verify-source.ts';

export interface LogOptions extends Omit<VerifyOptions, 'against'> {
  /** Where sealed days are. */
  readonly archive: ArchiveConfig;
  /** Public keys to trust, `steward/audit+…`; the keys that the database lists where none is given. */
  readonly keys?: readonly string[] | undefined;
  /** Restored backups up to this incarnation are known; 1: none is. */
  readonly acceptIncarnation?: number;
  /** How many days may be over and unsealed: 3. */
  readonly freshWithinDays?: number;
  readonly checks?: readonly Check[];
  /** How long a database that was lost on the way is looked for, a second between two tries: 60. */
  readonly reconnectSeconds?: number;
  /** While the archive is read. */
  readonly onArchiveProgress?: (progress: { readonly rows: number; readonly bytes: number }) => void;
}

/** Compares rows of another component with the log, in the transaction of a reader of the whole log. */
export type Check = (reach: {
  readonly ownerUrl: string;
  readonly client: pg.Client;
  /** Only this one. */
  readonly tenant: string | undefined;
}) => Promise<readonly SourceFinding[]>;

export interface LogVerdict extends Omit<SourceVerdict, 'days' | 'unrecorded' | 'incarnation'> {
  /** Something differs from what was recorded and signed. */
  readonly integrity: 'ok' | 'broken' | 'unknown';
  /** Something is missing: rows, a day, a tenant. */
  readonly completeness: 'ok' | 'broken' | 'unknown';
  /** Days are over and not sealed. */
  readonly freshness: 'ok' | 'stale';
  /** Which keys were trusted, and who named them. */
  readonly trust: { readonly by: 'option' | 'database'; readonly keys: readonly string[] };
  /** Sealed days of tenants that were compared with the source. */
  readonly comparedDays: number;
  /** Days that are over and not sealed, of the tenant that is furthest behind. */
  readonly unsealedDays: number;
  /** When the last verification before this one found nothing wrong. */
  readonly lastVerifiedAt: string | undefined;
  /** Undefined where nothing is sealed yet, or the archive could not be read. */
  readonly archive:
    | (Pick<ArchiveVerdict, 'tenants' | 'days' | 'rows' | 'bytes' | 'newestDay'> & { readonly address: string })
    | undefined;
}

/**
 * Verifies the source, the archive by itself, and each against the other. If the connection is lost meanwhile, it starts all of it
 * again: a server that takes over shares no snapshot with the one before it, and may lack rows that were verified there.
 * @throws Error where the source cannot be read; an archive that cannot is a finding, `unreachable`
 */
export async function verifyLog(options: LogOptions): Promise<LogVerdict> {
  const { reconnectSeconds = 60, signal } = options;
  return throughLosses(async (onReached) => verifyOnce(options, onReached), { seconds: reconnectSeconds, signal });
}

async function verifyOnce(options: LogOptions, onReached: () => void): Promise<LogVerdict> {
  const { ownerUrl, archive: settings, tenant, acceptIncarnation = 1, freshWithinDays = 3, checks = [] } = options;
  await using stack = new AsyncDisposableStack();
  const source = new Findings();
  const beside: Finding[] = [];
  const notes: string[] = [];
  let archive: Archive | undefined;
  let unreachable: Unreachable | undefined;
  let nothing = false;
  let claimed = 1;
  let cuts: ReadonlyMap<string, readonly Cut[]> = new Map();
  try {
    archive = stack.use(await openArchive(settings));
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error;
    unreachable = error;
  }
  // Before any snapshot: what is signed by now, the database must have.
  const index = archive === undefined ? undefined : await indexArchive(archive, tenant);
  const hours = archive === undefined ? [] : await listHours(archive);
  const client = stack.adopt(await openReader({ ownerUrl }), async (open) => open.end());
  onReached();
  const fresh = await readFreshness(client, tenant, freshWithinDays);
  if (fresh.nothingSealed && index?.empty !== false) {
    notes.push('nothing is sealed yet');
    nothing = true;
  } else if (unreachable !== undefined) {
    beside.push(archiveFinding('unreachable', '', unreachable.message));
  }
  const registered = await registeredKeys(client);
  const given = options.keys ?? registered.map(({ key }) => key);
  const links = archive === undefined ? [] : await keyLinks(archive);
  const keys = keysFrom(links, given);
  if (archive !== undefined) {
    const seen = await compareHours(client, archive, { keys, acceptIncarnation, tenant, numbers: hours });
    for (const told of seen.source) source.add(told);
    beside.push(...seen.archive);
    notes.push(...seen.notes);
    claimed = seen.incarnation;
    cuts = seen.cuts;
  }
  const byItself: Finding[] = [];
  if (nothing && archive !== undefined) {
    // Claims and hours are there before any day is.
    const { findings } = await verifyArchive(archive, {
      keys: given,
      acceptIncarnation,
      ...(tenant === undefined ? {} : { tenant }),
    });
    const noDay = (found: Finding): boolean => found.kind === 'missing' && found.tenant === (tenant ?? '');
    byItself.push(...findings.map(asFinding).filter((found) => !noDay(found)));
    archive = undefined;
  }
  const against =
    archive === undefined || index === undefined
      ? {}
      : { against: { settings, keys, acceptIncarnation, claimed: cuts, index } };
  const chains = await verifySource({ ...options, ...against });
  source.join(chains);
  for (const told of [
    ...compareKeys(registered, links, options.keys === undefined ? undefined : new Set(keys)),
    ...(await compareRetention(client, tenant)),
    ...(await Promise.all(checks.map(async (check) => check({ ownerUrl, client, tenant })))).flat(),
  ])
    source.add(told);
  let alone: ArchiveVerdict | undefined;
  if (archive !== undefined && index !== undefined) {
    const { today } = fresh;
    const compared = await comparePlatform(client, archive, {
      keys,
      acceptIncarnation,
      claimed: cuts,
      index,
      today,
      tenant,
    });
    const signed = Math.max(chains.incarnation, compared.incarnation, claimed);
    for (const told of await compareIncarnations(client, signed, tenant)) source.add(told);
    for (const { owner, day } of await stillUnrecorded(ownerUrl, [...chains.unrecorded, ...compared.unrecorded]))
      source.add({ tenant: owner, kind: 'unrecorded', sequence: 0, day, detail: unrecorded });
    for (const told of compared.source) {
      if (!source.list.some(({ kind, tenant: named }) => kind === 'no_chain' && named === told.tenant))
        source.add(told);
    }
    beside.push(...compared.archive, ...archive.takeFound());
    notes.push(...compared.notes);
    alone = await verifyArchive(archive, {
      keys: given,
      acceptIncarnation,
      freshWithinDays,
      workers: options.workers ?? 1,
      canonical: options.canonical ?? false,
      ...(tenant === undefined ? {} : { tenant }),
      ...(options.onArchiveProgress === undefined ? {} : { onProgress: options.onArchiveProgress }),
    });
    beside.push(...archive.takeFound());
    notes.push(...alone.notes);
    for (const finding of alone.findings.map(asFinding)) {
      const { kind, tenant: named, day = '' } = finding;
      // A tenant of today is in no archive yet; whether days of it were sealed, the source knows.
      if (kind === 'missing' && named === tenant && day === '' && alone.newestDay !== undefined) continue;
      // A tenant that a restored backup did not have is missing from the first day of the new incarnation on.
      const since = kind === 'dropped' ? await beginsIncarnation(archive, day, keys) : undefined;
      const told = source.list.some((one) => one.tenant === named && one.kind === 'restored');
      if (since === undefined || (since > acceptIncarnation && !told)) byItself.push(finding);
      else if (!told) notes.push(`${named} ${day}: the tenant was lost with a restored backup, which is known`);
    }
  }
  for (const told of fresh.findings) source.add(told);
  const findings = merge(
    source.list.filter(({ where }) => where === 'source'),
    [...beside, ...source.list.filter(({ where }) => where === 'archive')],
    byItself,
  );
  const unknown = beside.some(({ kind }) => kind === 'unreachable') ? 'unknown' : 'ok';
  const broken = (aspect: Finding['aspect']): boolean =>
    findings.some((finding) => finding.aspect === aspect && finding.kind !== 'unreachable');
  return {
    ok: findings.length === 0,
    integrity: broken('integrity') ? 'broken' : unknown,
    completeness: broken('completeness') ? 'broken' : unknown,
    freshness: broken('freshness') ? 'stale' : 'ok',
    trust: { by: options.keys === undefined ? 'database' : 'option', keys },
    tenants: chains.tenants,
    events: chains.events,
    comparedDays: chains.days,
    unsealedDays: fresh.unsealedDays,
    lastVerifiedAt: fresh.lastVerifiedAt,
    archive: alone === undefined || archive === undefined ? undefined : { ...pick(alone), address: archive.address },
    findings,
    notes: [...new Set([...chains.notes, ...notes])],
    truncated: source.truncated || alone?.truncated === true,
  };
}

const unrecorded =
  'the day was sealed, and the database does not remember it: a backup was restored, or its record was deleted; where a sealer was cut off, sealing again mends it';

/** Compares the database's records of restored backups with the incarnations of the signed days. */
async function compareIncarnations(
  client: pg.Client,
  signed: number,
  tenant: string | undefined,
): Promise<SourceFinding[]> {
  const { rows } = await client.query<{ last: number }>(
    'select coalesce(max(number), 1) as last from audit.incarnation',
  );
  const last = rows[0]?.last ?? 1;
  // Of one tenant's days it may be an earlier one.
  if (last === signed || (tenant !== undefined && last > signed)) return [];
  const detail = `the database remembers incarnation ${last}, and the highest that is signed is ${signed}`;
  return [{ tenant: 'platform', kind: 'record', sequence: 0, detail }];
}

const pick = ({ tenants, days, rows, bytes, newestDay }: ArchiveVerdict) => ({
  tenants,
  days,
  rows,
  bytes,
  ...(newestDay === undefined ? {} : { newestDay }),
});
