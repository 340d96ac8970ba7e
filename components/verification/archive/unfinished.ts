import { createHash } from 'node:crypto';
import { type DayManifest, readManifest, dayPaths } from '@steward/archive/format';
import { Irregular } from '../verifier/steward-audit-verify.mjs';
import type { Archive } from './archive.ts';
import type { DayDigest } from '../days/day-digests.ts';
import { readSignedDay } from './signed-day.ts';
import { readSmall } from './trust.ts';

/** Whether the archive has everything that is signed of a day. */
export async function isThere(archive: Archive, owner: string, day: string): Promise<boolean> {
  const { manifest, checkpoint } = dayPaths(owner, day);
  return (await stands(archive, manifest)) && (await stands(archive, checkpoint));
}

/**
 * Judges the files of a day that nobody signed: rows and a manifest that a sealer is about to sign, or was when it was killed,
 * equal what the source makes of the day. Anything else prevents the sealing of that day for ever.
 * @param digest of the day by the source; undefined for the platform's
 * @param today UTC
 * @returns what is wrong, undefined where nothing is
 */
export async function unfinished(
  archive: Archive,
  owner: string,
  day: string,
  { digest, today, keys }: { digest: DayDigest | undefined; today: string; keys: readonly string[] },
): Promise<string | undefined> {
  const paths = dayPaths(owner, day);
  if (day >= today) return 'something stands where a day is to be sealed that is not over';
  const rows = await sha256Of(archive, paths.rows, digest?.bytes);
  const others = [];
  if (rows === undefined) others.push('no rows, which are stored first');
  else if (digest !== undefined && rows !== digest.sha256) others.push('rows that are not those that would be sealed');
  if ((await stands(archive, paths.manifest)) && !(await fits(archive, paths.manifest, owner, day, digest)))
    others.push('a manifest that is not the one that would be signed');
  if (await stands(archive, paths.checkpoint)) others.push('a checkpoint that no trusted key signed');
  if (others.length === 0) return undefined;
  // It may have been sealed while it was looked at.
  if ((await readSignedDay(archive, owner, day, keys)) !== undefined) return undefined;
  return `the archive holds ${others.join(', ')}: the day cannot be sealed`;
}

/** Nothing may be larger than nothing: whatever is there is refused unread. */
async function stands(archive: Archive, path: string): Promise<boolean> {
  try {
    return (await archive.read(path, -1)) !== undefined;
  } catch (error) {
    if (error instanceof Irregular) return true;
    throw error;
  }
}

/** Hex; undefined where nothing is there, empty where it is no file of at most so many bytes. */
async function sha256Of(archive: Archive, path: string, most = 1 << 30): Promise<string | undefined> {
  try {
    const chunks = await archive.read(path, most);
    if (chunks === undefined) return undefined;
    const sha256 = createHash('sha256');
    for await (const chunk of chunks) sha256.update(chunk);
    return sha256.digest('hex');
  } catch (error) {
    if (error instanceof Irregular) return '';
    throw error;
  }
}

async function fits(
  archive: Archive,
  path: string,
  owner: string,
  day: string,
  digest: DayDigest | undefined,
): Promise<boolean> {
  try {
    const told = readManifest((await readSmall(archive, path)) ?? Buffer.alloc(0));
    const tenant = told.format === 'steward-audit-day/1' ? told.tenant : 'platform';
    return tenant === owner && told.day === day && (digest === undefined || isSame(digest, told as DayManifest));
  } catch {
    return false;
  }
}

/** What the source makes of a day, and what somebody else says of it. */
export const isSame = (
  one: Omit<DayDigest, 'day'>,
  other: Pick<DayManifest, 'firstSequence' | 'lastSequence' | 'firstPreviousHash' | 'lastRowHash' | 'bytes' | 'sha256'>,
): boolean =>
  one.firstSequence === other.firstSequence &&
  one.lastSequence === other.lastSequence &&
  one.firstPreviousHash === other.firstPreviousHash &&
  one.lastRowHash === other.lastRowHash &&
  one.bytes === other.bytes &&
  one.sha256 === other.sha256;
