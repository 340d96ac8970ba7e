import type { DayManifest } from '@steward/archive/format';

/** Where a restored backup left a chain, as the first day that was signed after it tells. */
export interface Cut {
  readonly incarnation: number;
  /** The last row that the database still had, 0 for none. */
  readonly sequence: number;
  /** Its hash, lower-case hex. */
  readonly rowHash: string;
}

/**
 * The cuts of a chain, from its signed days in order. What the database remembers of restored backups excuses nothing: whoever
 * rewrites rows writes that as well.
 */
export function cutsOf(days: Iterable<DayManifest>): Cut[] {
  const cuts: Cut[] = [];
  let incarnation: number | undefined;
  for (const day of days) {
    if (incarnation !== undefined && day.incarnation > incarnation)
      cuts.push({
        incarnation: day.incarnation,
        sequence: day.firstSequence - 1,
        rowHash: day.firstPreviousHash,
      });
    incarnation = day.incarnation;
  }
  return cuts;
}
