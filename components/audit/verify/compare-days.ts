import type pg from 'pg';
import type { DayManifest } from '../archive/manifest.ts';
import { dayPaths } from '../archive/paths.ts';
import { genesis } from '../chain/genesis.ts';
import { dayBefore } from '../sealing/calendar.ts';
import type { Archive } from './archive.ts';
import type { DayDigest } from './days.ts';
import { archiveFinding, type Finding, type Findings } from './finding.ts';
import { firstDifference } from './first-difference.ts';
import type { Restored, SealedDay } from './sealed-days.ts';
import { readSignedDay } from './signed-day.ts';

/** What the source holds of one tenant's chain. */
export interface OwnDays {
  readonly tenant: string;
  readonly days: readonly DayDigest[];
  /** The last sequence there is. */
  readonly last: number;
}

export interface CompareOptions {
  readonly archive: Archive;
  /** Those that are trusted. */
  readonly keys: readonly string[];
  /** Restored backups up to this incarnation are known. */
  readonly acceptIncarnation: number;
  /** The UTC day of the snapshot: days that were over for less than one before it may have been sealed since. */
  readonly today: string;
}

export interface Compared {
  /** Of the archive, beside what its own verifier finds. */
  readonly archive: readonly Finding[];
  /** What is worth knowing and wrong in no way. */
  readonly notes: readonly string[];
  readonly days: number;
}

type Expected = Pick<
  DayManifest,
  'incarnation' | 'firstSequence' | 'lastSequence' | 'firstPreviousHash' | 'lastRowHash' | 'bytes' | 'sha256'
>;

const sha256OfNothing = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

/** Compares each sealed day of one tenant: the source's rows with what was signed, and with what the database remembers. */
export async function compareDays(
  client: pg.Client,
  own: OwnDays,
  sealed: readonly SealedDay[],
  restored: readonly Restored[],
  options: CompareOptions,
  findings: Findings,
): Promise<Compared> {
  const { tenant } = own;
  const comparison = new Comparison(client, own, restored, options, findings);
  const records = new Map(sealed.map((one) => [one.day, one]));
  const archived = await archivedDays(options.archive, tenant);
  const settled = dayBefore(options.today);
  for (const day of archived) if (day >= settled && !records.has(day)) archived.delete(day);
  const days = [...new Set([...records.keys(), ...archived])].toSorted();
  for (const day of days) await comparison.day(day, records.get(day), archived.has(day));
  return { archive: comparison.archive, notes: comparison.notes, days: days.length };
}

class Comparison {
  readonly archive: Finding[] = [];
  readonly notes: string[] = [];
  readonly #client: pg.Client;
  readonly #own: OwnDays;
  readonly #restored: readonly Restored[];
  readonly #options: CompareOptions;
  readonly #findings: Findings;
  readonly #digests: Map<string, DayDigest>;
  /** Where the chain stood when the day began. */
  #sequence = 0;
  #rowHash: string;
  /** Rows behind the last one that the source still had, of this incarnation. */
  #lost: { readonly kind: 'tail' | 'restored'; readonly incarnation: number; readonly accepted: boolean } | undefined;

  constructor(
    client: pg.Client,
    own: OwnDays,
    restored: readonly Restored[],
    options: CompareOptions,
    findings: Findings,
  ) {
    this.#client = client;
    this.#own = own;
    this.#restored = restored;
    this.#options = options;
    this.#findings = findings;
    this.#digests = new Map(own.days.map((one) => [one.day, one]));
    this.#rowHash = genesis(own.tenant).toString('hex');
  }

  async day(day: string, record: SealedDay | undefined, archived: boolean): Promise<void> {
    const { archive, keys } = this.#options;
    const signed = await readSignedDay<DayManifest>(archive, this.#own.tenant, day, keys);
    if (record !== undefined && !archived)
      this.archive.push(
        archiveFinding('missing', this.#own.tenant, 'the day was sealed, and the archive does not have it', day),
      );
    if (record !== undefined && signed !== undefined)
      await this.#compareRecord(record, signed.manifest, signed.manifestSha256);
    const digest = this.#digests.get(day) ?? this.#nothing(day);
    const expected = signed?.manifest ?? record;
    if (expected !== undefined && !isSame(digest, expected)) await this.#differ(day, digest, expected, record);
    else if (expected !== undefined && expected.incarnation > (this.#lost?.incarnation ?? 0)) this.#lost = undefined;
    this.#sequence = digest.lastSequence;
    this.#rowHash = digest.lastRowHash;
  }

  /** A day without any rows. */
  #nothing(day: string): DayDigest {
    return {
      day,
      firstSequence: this.#sequence + 1,
      lastSequence: this.#sequence,
      firstPreviousHash: this.#rowHash,
      lastRowHash: this.#rowHash,
      bytes: 0,
      sha256: sha256OfNothing,
    };
  }

  async #compareRecord(record: SealedDay, manifest: DayManifest, manifestSha256: string): Promise<void> {
    const differing = [
      ...(record.manifestSha256 === manifestSha256 ? [] : ['manifest_sha256']),
      ...(isSame(record, manifest) ? [] : ['rows']),
      ...(record.root === manifest.root ? [] : ['root']),
      ...(record.incarnation === manifest.incarnation ? [] : ['incarnation']),
      ...(await this.#otherVersions(record)),
    ];
    if (differing.length > 0)
      this.#findings.add({
        tenant: record.tenant,
        kind: 'record',
        sequence: record.firstSequence,
        through: record.lastSequence,
        day: record.day,
        detail: `what the database remembers of the sealed day is not what was signed: ${differing.join(', ')}`,
      });
  }

  async #otherVersions({ tenant, day, versions }: SealedDay): Promise<string[]> {
    if (versions === null) return [];
    const paths = dayPaths(tenant, day);
    const kinds = ['rows', 'manifest', 'checkpoint'] as const;
    const same = await Promise.all(
      kinds.map(async (kind) => (await this.#options.archive.version(paths[kind])) === versions[kind]),
    );
    return kinds.filter((_, index) => same[index] === false).map((kind) => `version of the ${kind}`);
  }

  /** The day's rows are not those of the source: which is the first, and what does that look like? */
  async #differ(day: string, digest: DayDigest, expected: Expected, record: SealedDay | undefined): Promise<void> {
    const { tenant } = this.#own;
    const { firstSequence, lastSequence, incarnation } = expected;
    const known = this.#lost?.incarnation === incarnation ? this.#lost : undefined;
    if (lastSequence < firstSequence) {
      if (known === undefined && digest.bytes > 0)
        this.#add('rows', day, digest.firstSequence, digest.lastSequence, 'the day was sealed without any row');
      return;
    }
    const stretch = { tenant, day, firstSequence, lastSequence, bytes: expected.bytes };
    const first =
      known === undefined ? await firstDifference(this.#client, this.#options.archive, stretch) : firstSequence;
    if (first === undefined) {
      this.#add(
        'rows',
        day,
        digest.firstSequence,
        lastSequence,
        'the source has other rows in the day than were sealed',
      );
      return;
    }
    const restored = this.#restored.find((one) => one.sequence === first - 1 && one.incarnation > incarnation);
    const accepted = known?.accepted ?? (restored?.incarnation ?? Infinity) <= this.#options.acceptIncarnation;
    const kind = known?.kind ?? this.#kindOf(first, restored, record);
    this.#lost = kind === 'rows' ? undefined : { kind, incarnation, accepted };
    if (accepted) {
      this.notes.push(
        `${tenant} ${day}: rows ${first} to ${lastSequence} were lost with a restored backup, which is known`,
      );
    } else {
      this.#add(kind, day, first, lastSequence, details[kind]);
    }
  }

  /** A database that was restored knows less of what was sealed than the archive does; one that was changed does not. */
  #kindOf(first: number, restored: Restored | undefined, record: SealedDay | undefined): 'tail' | 'restored' | 'rows' {
    if (restored !== undefined) return 'restored';
    if (first > this.#own.last) return 'tail';
    return record === undefined ? 'restored' : 'rows';
  }

  #add(kind: 'tail' | 'restored' | 'rows', day: string, sequence: number, through: number, detail: string): void {
    this.#findings.add({ tenant: this.#own.tenant, kind, day, sequence, through, detail });
  }
}

const details = {
  tail: 'rows that the archive holds are missing at the end of the chain: it was cut, or a backup was restored',
  restored: 'a backup was restored, and rows that the archive holds were lost',
  rows: 'the rows are not those that were sealed and signed',
} as const;

const isSame = (one: Omit<DayDigest, 'day'>, other: Omit<Expected, 'incarnation'>): boolean =>
  one.firstSequence === other.firstSequence &&
  one.lastSequence === other.lastSequence &&
  one.firstPreviousHash === other.firstPreviousHash &&
  one.lastRowHash === other.lastRowHash &&
  one.bytes === other.bytes &&
  one.sha256 === other.sha256;

const anyFile = /^[^/]+\/(\d{4})\/(\d\d)\/(\d\d)\.(?:jsonl|manifest\.json|checkpoint)$/;

/** Days of which the archive has anything. */
async function archivedDays(archive: Archive, tenant: string): Promise<Set<string>> {
  const days = new Set<string>();
  for await (const path of archive.list(`${tenant}/`)) {
    const [, ...date] = anyFile.exec(path) ?? [];
    if (date.length === 3) days.add(date.join('-'));
  }
  return days;
}
