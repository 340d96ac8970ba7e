import { beginOf, dayOf, isDay } from '@steward/archive/format';
import type { Archive } from './archive.ts';

const aDay = 86_400_000;
/** Which of its files a day has. */
const bits = { jsonl: 1, 'manifest.json': 2, checkpoint: 4, expired: 8 } as const;
/** The day was signed when the archive was looked through. */
export const signedBit = bits.checkpoint;
const expiredBit = bits.expired;
/** The archive's own verifier names files of days out of this range. */
const eldest = beginOf('2000-01-01') / aDay;

interface Owner {
  /** Days since the epoch. */
  readonly first: number;
  readonly parts: readonly number[];
}

/**
 * Which files of days an archive has. It is looked through before the database's snapshot is taken: so of every day that is
 * signed here, all rows are in that snapshot. Plain data, for threads.
 */
export interface ArchiveIndex {
  /** By tenant, or `platform`. */
  readonly owners: ReadonlyMap<string, Owner>;
  /** There is no day of anybody: only keys, a claim and hours, which are there from the start. */
  readonly empty: boolean;
}

const dayFile =
  /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|platform)\/(\d{4})\/(\d\d)\/(\d\d)\.(jsonl|manifest\.json|checkpoint|expired)$/;

/** @param tenant only this one, and the platform */
export async function indexArchive(archive: Archive, tenant?: string): Promise<ArchiveIndex> {
  const owners = new Map<string, { first: number; parts: number[] }>();
  const last = Math.floor(Date.now() / aDay);
  let empty = true;
  for (const prefix of tenant === undefined ? [''] : [`${tenant}/`, 'platform/']) {
    for await (const path of archive.list(prefix)) {
      if (!/^(?:\.|platform\/(?:claims|hours|keys)\/)/.test(path)) empty = false;
      const [, owner = '', year, month, date, part] = dayFile.exec(path) ?? [];
      const day = `${year}-${month}-${date}`;
      const number = isDay(day) ? beginOf(day) / aDay : Infinity;
      if (part === undefined || number < eldest || number > last) continue;
      const own = owners.get(owner) ?? { first: number, parts: [] };
      owners.set(owner, own);
      // Paths come in order, so the first day of an owner comes first.
      const at = number - own.first;
      if (at < 0) continue;
      while (own.parts.length <= at) own.parts.push(0);
      own.parts[at] = (own.parts[at] ?? 0) | bits[part as keyof typeof bits];
    }
  }
  return { owners, empty };
}

/** Days of which the archive has anything, in order, and what. */
export function indexedDays({ owners }: ArchiveIndex, owner: string): Map<string, number> {
  const { first = 0, parts = [] } = owners.get(owner) ?? {};
  return new Map(
    parts.flatMap((bit, at) => ((bit & ~expiredBit) === 0 ? [] : [[dayOf((first + at) * aDay), bit] as const])),
  );
}
