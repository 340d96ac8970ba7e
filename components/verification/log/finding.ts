import type { Kind as ArchiveKind } from '../verifier/steward-audit-verify.mjs';

/** Integrity: what is there was recorded. Completeness: all of it is there. Freshness: it continues to this day. */
export type Aspect = 'integrity' | 'completeness' | 'freshness';

const sourceKinds = {
  /** The event's text is not the one that was hashed. */
  text: 'integrity',
  /** It is no RFC 8785 text. */
  canonical: 'integrity',
  /** The row does not follow from the row before it. */
  chain: 'integrity',
  /** The sequence or time goes backwards. */
  order: 'integrity',
  /** Rows are missing. */
  gap: 'completeness',
  /** The end is missing. */
  tail: 'completeness',
  /** The head does not match the last row. */
  head: 'integrity',
  /** A search column differs from the text. */
  copy: 'integrity',
  /** The text names another tenant. */
  tenant: 'integrity',
  /** The table of keys differs from the events. */
  idempotency: 'integrity',
  /** An empty chain that does not begin at its genesis. */
  genesis: 'integrity',
  /** A tenant without a chain. */
  no_chain: 'completeness',
  /** The rows of a sealed day are not those that were sealed. */
  rows: 'integrity',
  /** What the database remembers of a sealed day is not what the archive holds. */
  record: 'integrity',
  /** A day was sealed and signed, and the database does not remember it. */
  unrecorded: 'completeness',
  /** Rows of the archive that a restored backup does not have. */
  restored: 'completeness',
  /** A row differs from the newest event about it, has no event, or is missing. */
  no_event: 'integrity',
  /** A row that follows from others is not what they make. */
  sum: 'integrity',
  /** Days are over and not sealed. */
  stale: 'freshness',
} as const satisfies Record<string, Aspect>;

type SourceKind = keyof typeof sourceKinds;

/** Besides what the archive's own verifier finds there. */
const archiveKinds = {
  /** A newer version with other bytes is on top of the one that counts. */
  superseded: 'integrity',
  /** A delete marker is on top of it. */
  hidden: 'integrity',
  /** Something else is where a day is to be sealed. */
  obstructed: 'integrity',
  /** The archive could not be read: nothing is said about it. */
  unreachable: 'completeness',
} as const satisfies Record<string, Aspect>;

/** What is wrong, in a word. */
export type FindingKind = SourceKind | keyof typeof archiveKinds | ArchiveKind;

export interface Finding {
  readonly where: 'source' | 'archive';
  readonly aspect: Aspect;
  readonly kind: FindingKind;
  /** A tenant's id, `platform`, or empty for the log as a whole. */
  readonly tenant: string;
  /** UTC, `YYYY-MM-DD`, where it is a sealed day that is wrong. */
  readonly day?: string;
  /** The last of a run of days. */
  readonly throughDay?: string;
  /** The first bad sequence; 0 if it is about no row. */
  readonly sequence: number;
  /** The last of a run of bad sequences. */
  readonly through: number;
  readonly detail: string;
}

/** A finding about the database, before neighbours are joined into runs. */
export interface SourceFinding {
  readonly tenant: string;
  readonly kind: SourceKind;
  readonly sequence: number;
  readonly through?: number;
  readonly day?: string;
  readonly detail: string;
}

/** A finding about the archive beside those that its own verifier made. */
export const archiveFinding = (
  kind: keyof typeof archiveKinds | 'missing',
  tenant: string,
  detail: string,
  day?: string,
): Finding => ({
  where: 'archive',
  aspect: kind === 'missing' ? 'completeness' : archiveKinds[kind],
  kind,
  tenant,
  ...(day === undefined ? {} : { day, throughDay: day }),
  sequence: 0,
  through: 0,
  detail,
});

/** More than enough to see what happened; a destroyed log must not fill the memory. */
export const mostFindings = 1_000;

/** Collects findings of the source in order; neighbours of one kind become one run. */
export class Findings {
  readonly list: Finding[] = [];
  truncated = false;
  /** The index of the last finding of each kind, for the present tenant. */
  #runs = new Map<FindingKind, number>();
  #tenant = '';

  add(found: SourceFinding): void {
    const { tenant, kind, sequence, through = sequence, day } = found;
    if (tenant !== this.#tenant) this.#runs.clear();
    this.#tenant = tenant;
    const place = this.#runs.get(kind);
    const run = place === undefined ? undefined : this.list[place];
    const dated = (run?.day === undefined) === (day === undefined);
    if (place !== undefined && run !== undefined && dated && run.through + 1 === sequence) {
      this.list[place] = { ...run, through, ...(day === undefined ? {} : { throughDay: day }) };
    } else if (this.list.length < mostFindings) {
      this.#runs.set(kind, this.list.length);
      const dates = day === undefined ? {} : { day, throughDay: day };
      this.list.push({ where: 'source', aspect: sourceKinds[kind], ...found, ...dates, through });
    } else {
      this.truncated = true;
    }
  }

  /** Takes over what a later part of the log was found to hold. */
  join({ findings, truncated }: { readonly findings: readonly Finding[]; readonly truncated: boolean }): void {
    for (const finding of findings) {
      if (finding.where === 'source' && finding.day === undefined)
        this.add({ ...finding, kind: finding.kind as SourceKind });
      else if (this.list.length < mostFindings) this.list.push(finding);
      else this.truncated = true;
    }
    this.truncated ||= truncated;
  }
}
