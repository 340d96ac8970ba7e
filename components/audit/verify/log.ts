import type pg from 'pg';
import type { ArchiveConfig } from '@steward/kernel';
import { verifyArchive, type Verdict as ArchiveVerdict } from '../verifier/steward-audit-verify.mjs';
import { type Archive, openArchive, Unreachable } from './archive.ts';
import { beginsIncarnation, comparePlatform } from './compare-platform.ts';
import { archiveFinding, type Finding, Findings } from './finding.ts';
import { readFreshness } from './freshness.ts';
import { asFinding, merge } from './merge.ts';
import { openReader } from './reader.ts';
import { keysFrom } from './trust.ts';
import { type SourceVerdict, verifySource, type VerifyOptions } from './verify.ts';

export interface LogOptions extends Omit<VerifyOptions, 'against'> {
  /** Where sealed days are. */
  readonly archive: ArchiveConfig;
  /** Public keys to trust, `steward/audit+…`; the keys that the database lists where none is given. */
  readonly keys?: readonly string[] | undefined;
  /** Restored backups up to this incarnation are known; 1: none is. */
  readonly acceptIncarnation?: number;
  /** How many days may be over and unsealed: 3. */
  readonly freshWithinDays?: number;
  /** While the archive is read. */
  readonly onArchiveProgress?: (progress: { readonly rows: number; readonly bytes: number }) => void;
}

export interface LogVerdict extends Omit<SourceVerdict, 'days'> {
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
 * Verifies the source, the archive by itself, and each against the other.
 * @throws Error where the source cannot be read; an archive that cannot is a finding, `unreachable`
 */
export async function verifyLog(options: LogOptions): Promise<LogVerdict> {
  const { ownerUrl, archive: settings, tenant, acceptIncarnation = 1, freshWithinDays = 3 } = options;
  await using stack = new AsyncDisposableStack();
  const client = stack.adopt(await openReader({ ownerUrl }), async (open) => open.end());
  const fresh = await readFreshness(client, tenant, freshWithinDays);
  const source = new Findings();
  const beside: Finding[] = [];
  const notes: string[] = [];
  let archive: Archive | undefined;
  try {
    archive = stack.use(await openArchive(settings));
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error;
    if (fresh.nothingSealed) notes.push('nothing is sealed yet');
    else beside.push(archiveFinding('unreachable', '', error.message));
  }
  if (archive !== undefined && fresh.nothingSealed && (await isEmpty(archive))) {
    notes.push('nothing is sealed yet');
    archive = undefined;
  }
  const given = options.keys ?? (await registeredKeys(client));
  const keys = archive === undefined ? [...given] : await keysFrom(archive, given);
  const against = archive === undefined ? {} : { against: { settings, keys, acceptIncarnation } };
  const chains = await verifySource({ ...options, ...against });
  source.join(chains);
  let alone: ArchiveVerdict | undefined;
  const byItself: Finding[] = [];
  if (archive !== undefined) {
    const compared = await comparePlatform(client, archive, { keys, acceptIncarnation, tenant });
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

const pick = ({ tenants, days, rows, bytes, newestDay }: ArchiveVerdict) => ({
  tenants,
  days,
  rows,
  bytes,
  ...(newestDay === undefined ? {} : { newestDay }),
});

async function registeredKeys(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ key: string }>(
    'select verifier_key as key from audit.signing_key order by number',
  );
  return rows.map(({ key }) => key);
}

async function isEmpty(archive: Archive): Promise<boolean> {
  for await (const path of archive.list('')) if (!path.startsWith('.')) return false;
  return true;
}
