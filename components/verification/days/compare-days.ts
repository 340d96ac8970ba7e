import type pg from 'pg';
import { type DayManifest, dayAfter } from '@steward/archive/format';
import { genesis } from '@steward/audit/chain';
import type { Archive } from '../archive/archive.ts';
import { type ArchiveIndex, indexedDays, signedBit } from '../archive/index.ts';
import { recordDifferences } from './compare-record.ts';
import { type Cut, cutsOf } from './cuts.ts';
import type { DayDigest } from './day-digests.ts';
import { archiveFinding, type Finding, type Findings } from '../log/finding.ts';
import { firstDifference } from '../archive/first-difference.ts';
import type { Restored, SealedDay } from './sealed-days.ts';
import { readSignedDays, type SignedDay } from '../archive/signed-day.ts';
import { isSame, isThere, unfinished } from '../archive/unfinished.ts';

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
  /** Where chains go on after rows were lost, as signed claims of the archive say: until a day of the new incarnation is signed. */
  readonly claimed: ReadonlyMap<string, readonly Cut[]>;
  /** The files of the archive before the snapshot was taken. */
  readonly index: ArchiveIndex;
  /** The UTC day of the snapshot. */
  readonly today: string;
}

export interface Compared {
  /** Of the archive, beside what its own verifier finds. */
  readonly archive: readonly Finding[];
  /** What is worth knowing and wrong in no way. */
  readonly notes: readonly string[];
  readonly unrecorded: readonly Unrecorded[];
  readonly days: number;
  /** The highest that is signed. */
  readonly incarnation: number;
}

/** A day that is signed and that the database does not remember. */
export interface Unrecorded {
  /** A tenant's id or `platform`. */
  readonly owner: string;
  readonly day: string;
}

type Expected = Pick<
  DayManifest,
  'incarnation' | 'firstSequence' | 'lastSequence' | 'firstPreviousHash' | 'lastRowHash' | 'bytes' | 'sha256'
>;

const sha256OfNothing = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

/** What the database remembers of one tenant's sealed days and restored backups. */
export interface Records {
  readonly days: readonly SealedDay[];
  readonly restored: readonly Restored[];
  /** How far the head says that days are sealed, `YYYY-MM-DD`. */
  readonly mark: string | null;
}

/**
 * Compares each sealed day of one tenant: the source's rows with what was signed, and what was signed with the database's
 * records. What is signed counts, recorded or not: somebody who rewrites rows can also delete the record.
 */
export async function compareDays(
  client: pg.Client,
  own: OwnDays,
  records: Records,
  options: CompareOptions,
  findings: Findings,
): Promise<Compared> {
  const { archive, index, keys } = options;
  const remembered = new Map(records.days.map((one) => [one.day, one]));
  const archived = indexedDays(index, own.tenant);
  const days = [...new Set([...remembered.keys(), ...archived.keys()])].toSorted();
  const signed = await readSignedDays<DayManifest>(archive, own.tenant, days, keys);
  const comparison = new Comparison(client, own, signed, options, findings);
  for (const day of days) await comparison.day(day, remembered.get(day), archived.get(day) ?? 0);
  comparison.restored(records.restored);
  comparison.mark(records.mark, records.days);
  return {
    archive: comparison.archive,
    notes: comparison.notes,
    unrecorded: comparison.unrecorded,
    days: days.length,
    incarnation: Math.max(1, ...[...signed.values()].map(({ manifest }) => manifest.incarnation)),
  };
}

type Lost = {
  readonly kind: 'tail' | 'restored';
  readonly incarnation: number;
  readonly accepted: boolean;
};

class Comparison {
  readonly archive: Finding[] = [];
  readonly notes: string[] = [];
  /** Days that are signed and that the database does not remember, where nothing else was found about them. */
  readonly unrecorded: Unrecorded[] = [];
  readonly #client: pg.Client;
  readonly #own: OwnDays;
  readonly #signed: ReadonlyMap<string, SignedDay<DayManifest>>;
  readonly #cuts: readonly Cut[];
  readonly #claimed: readonly Cut[];
  readonly #options: CompareOptions;
  readonly #findings: Findings;
  readonly #digests: Map<string, DayDigest>;
  /** The end of the chain at the beginning of the day, by the source. */
  #sequence = 0;
  #rowHash: string;
  /** The end of the signed day before, if the source had another one. */
  #told: string | undefined;
  /** Rows after the last one that the source still had, of this incarnation. */
  #lost: Lost | undefined;

  constructor(
    client: pg.Client,
    own: OwnDays,
    signed: ReadonlyMap<string, SignedDay<DayManifest>>,
    options: CompareOptions,
    findings: Findings,
  ) {
    this.#client = client;
    this.#own = own;
    this.#signed = signed;
    this.#cuts = cutsOf([...signed.values()].map(({ manifest }) => manifest));
    this.#claimed = options.claimed.get(own.tenant) ?? [];
    this.#options = options;
    this.#findings = findings;
    this.#digests = new Map(own.days.map((one) => [one.day, one]));
    this.#rowHash = genesis(own.tenant).toString('hex');
  }

  /** @param files which of its files the archive had when it was read */
  async day(day: string, record: SealedDay | undefined, files: number): Promise<void> {
    const { archive } = this.#options;
    const { tenant } = this.#own;
    const digest = this.#digests.get(day) ?? this.#nothing(day);
    const signed = this.#signed.get(day);
    // A day that was signed after the archive was read may contain rows from after the snapshot.
    const counts = record !== undefined || (files & signedBit) !== 0;
    if (record === undefined && signed === undefined) {
      const { keys, today } = this.#options;
      const wrong = await unfinished(archive, tenant, day, { digest, today, keys });
      if (wrong !== undefined) this.archive.push(archiveFinding('obstructed', tenant, wrong, day));
    } else if (record !== undefined && signed === undefined && !(await isThere(archive, tenant, day))) {
      this.archive.push(
        archiveFinding(
          'missing',
          tenant,
          'the day was sealed, and the archive does not have what was signed of it',
          day,
        ),
      );
    }
    if (record !== undefined && signed !== undefined) await this.#compareRecord(record, signed);
    const expected = signed?.manifest ?? record;
    let differs = false;
    if (counts && expected !== undefined && !isSame(digest, expected))
      differs = await this.#differ(day, digest, expected, record);
    else if (expected !== undefined && expected.incarnation > (this.#lost?.incarnation ?? 0)) this.#lost = undefined;
    if (record === undefined && signed !== undefined && counts && !differs)
      this.unrecorded.push({ owner: tenant, day });
    if (expected !== undefined) this.#told = isSame(digest, expected) ? undefined : expected.lastRowHash;
    this.#sequence = digest.lastSequence;
    this.#rowHash = digest.lastRowHash;
  }

  /** What the database says of restored backups must be what the days say that were signed after them, or a claim. */
  restored(remembered: readonly Restored[]): void {
    for (const { incarnation, sequence, rowHash, archivedSequence } of remembered) {
      const before = [...this.#signed.values()]
        .map(({ manifest }) => manifest)
        .filter((one) => one.incarnation < incarnation);
      const borne =
        [...this.#cuts, ...this.#claimed].some(
          (cut) => cut.incarnation === incarnation && cut.sequence === sequence && cut.rowHash === rowHash,
        ) && archivedSequence === Math.max(0, ...before.map(({ lastSequence }) => lastSequence));
      if (!borne)
        this.#findings.add({
          tenant: this.#own.tenant,
          kind: 'record',
          sequence: 0,
          detail: `the database remembers a restored backup, incarnation ${incarnation} from row ${sequence} on, that neither a signed day nor a claim bears out`,
        });
    }
  }

  /** The mark of the head: the last day that is sealed, or the next one, at which sealing is at work. */
  mark(mark: string | null, records: readonly SealedDay[]): void {
    const last = records.at(-1)?.day;
    const newest = [last, [...this.#signed.keys()].at(-1)]
      .filter((day) => day !== undefined)
      .toSorted()
      .at(-1);
    // Days without a record are reported by themselves.
    const low = last !== undefined && (mark ?? '') < last;
    const next = newest === undefined ? this.#digests.keys().next().value : dayAfter(newest);
    const high = mark !== null && (next === undefined || mark > next || mark >= this.#options.today);
    if (low || high)
      this.#findings.add({
        tenant: this.#own.tenant,
        kind: 'record',
        sequence: 0,
        detail: `the head says that days are sealed up to ${mark ?? 'none'}, and the last that is signed is ${newest ?? 'none'}`,
      });
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

  async #compareRecord(record: SealedDay, signed: SignedDay<DayManifest>): Promise<void> {
    const differing = await recordDifferences(this.#options.archive, record.tenant, record, signed);
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

  /** The day's rows are not those of the source: finds the first one that differs. @returns whether it was reported */
  async #differ(day: string, digest: DayDigest, expected: Expected, record: SealedDay | undefined): Promise<boolean> {
    const { tenant } = this.#own;
    const { firstSequence, lastSequence, incarnation } = expected;
    const known = this.#lost?.incarnation === incarnation ? this.#lost : undefined;
    if (lastSequence < firstSequence) {
      // Nothing new is wrong if the day only continues a reported difference.
      if (known !== undefined || (digest.bytes === 0 && this.#told === expected.firstPreviousHash)) return true;
      const detail = digest.bytes > 0 ? 'the day was sealed without any row' : 'the day was sealed behind other rows';
      this.#add('rows', day, digest.firstSequence, Math.max(digest.firstSequence, digest.lastSequence), detail);
      return true;
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
      return true;
    }
    const ends = (one: Cut): boolean => one.sequence === first - 1 && one.incarnation > incarnation;
    const cut = this.#cuts.find(ends) ?? (await this.#held(this.#claimed.filter(ends)));
    const accepted = known?.accepted ?? (cut?.incarnation ?? Infinity) <= this.#options.acceptIncarnation;
    const kind = known?.kind ?? this.#kindOf(first, cut, record);
    this.#lost = kind === 'rows' ? undefined : { kind, incarnation, accepted };
    if (accepted) {
      this.notes.push(
        `${tenant} ${day}: rows ${first} to ${lastSequence} were lost with a restored backup, which is known`,
      );
    } else {
      this.#add(kind, day, first, lastSequence, details[kind]);
    }
    return true;
  }

  /** The first of these cuts whose row the source has: a claim names it by its hash. */
  async #held(cuts: readonly Cut[]): Promise<Cut | undefined> {
    for (const cut of cuts) {
      const { rows } = await this.#client.query(
        `select from audit.event where tenant_id = $1 and sequence = $2 and encode(row_hash, 'hex') = $3`,
        [this.#own.tenant, cut.sequence, cut.rowHash],
      );
      if (rows.length > 0) return cut;
    }
    return undefined;
  }

  /** A database that was restored knows less of what was sealed than the archive does; so does one that was made to forget. */
  #kindOf(first: number, cut: Cut | undefined, record: SealedDay | undefined): 'tail' | 'restored' | 'rows' {
    if (cut !== undefined) return 'restored';
    if (first > this.#own.last) return 'tail';
    return record === undefined ? 'restored' : 'rows';
  }

  #add(kind: 'tail' | 'restored' | 'rows', day: string, sequence: number, through: number, detail: string): void {
    this.#findings.add({ tenant: this.#own.tenant, kind, day, sequence, through, detail });
  }
}

const details = {
  tail: 'rows that the archive holds are missing at the end of the chain: it was cut, or a backup was restored',
  restored:
    'rows that the archive holds are lost: a backup was restored, or they were changed and the record of the day deleted',
  rows: 'the rows are not those that were sealed and signed',
} as const;
