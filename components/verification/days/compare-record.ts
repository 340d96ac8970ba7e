import { type DayManifest, type PlatformManifest, dayPaths } from '@steward/archive/format';
import { canonical } from '@steward/audit/chain';
import type { Archive } from '../archive/archive.ts';
import type { PlatformDay, SealedDay } from './sealed-days.ts';
import type { SignedDay } from '../archive/signed-day.ts';

/** What the database remembers of a sealed day otherwise than it was signed: names of columns, or what they are about. */
export async function recordDifferences(
  archive: Archive,
  owner: string,
  record: SealedDay | PlatformDay,
  signed: SignedDay<DayManifest | PlatformManifest>,
): Promise<string[]> {
  const { manifest } = signed;
  const pairs: [what: string, remembered: unknown, told: unknown][] = [
    ['manifest_sha256', record.manifestSha256, signed.manifestSha256],
    ['rows', rowsOf(record), rowsOf(manifest)],
    ['root', record.root, manifest.root],
    ['incarnation', record.incarnation, manifest.incarnation],
    ['powers', record.powers, canonical(manifest.target)],
    ['checkpoint', record.checkpoint, signed.checkpoint],
    ['key_id', record.keyId, signed.keyId],
    ['sealed_at', record.timely, true],
  ];
  return [
    ...pairs.filter(([, remembered, told]) => remembered !== told).map(([what]) => what),
    ...(await otherVersions(archive, owner, record, manifest.target.kind)),
  ];
}

/** What both say of the file of the rows. */
function rowsOf(day: SealedDay | PlatformDay | DayManifest | PlatformManifest): string {
  const chain =
    'firstSequence' in day
      ? [day.firstSequence, day.lastSequence, day.firstPreviousHash, day.lastRowHash]
      : [day.count];
  return JSON.stringify([...chain, day.bytes, day.sha256]);
}

/** Only objects of a bucket have versions; a day that was sealed into a folder has none that could be remembered. */
async function otherVersions(
  archive: Archive,
  owner: string,
  { day, versions }: SealedDay | PlatformDay,
  kind: 'file' | 's3',
): Promise<string[]> {
  const paths = dayPaths(owner, day);
  const parts = ['rows', 'manifest', 'checkpoint'] as const;
  const same = await Promise.all(
    parts.map(async (part) => {
      const counts = kind === 's3' ? await archive.version(paths[part]) : undefined;
      return counts === (versions?.[part] ?? undefined);
    }),
  );
  return parts.filter((_, index) => same[index] === false).map((part) => `version of the ${part}`);
}
