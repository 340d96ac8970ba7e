import type { DayManifest } from '@steward/archive/format';

/** Where a restored backup cut a chain, by the first day that was signed after it, or by a signed claim of the archive. */
export interface Cut {
  readonly incarnation: number;
  /** The last row that the database still had, 0 for none. */
  readonly sequence: number;
  /** Its hash, lower-case hex. */
  readonly rowHash: string;
}

/**
 * The cuts of a chain, from its signed days in order. The database's records of restored backups excuse nothing: somebody
 * who rewrites rows can write them too.
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
