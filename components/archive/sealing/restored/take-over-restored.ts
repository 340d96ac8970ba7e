import { createHash } from 'node:crypto';
import type { DayManifest } from '../../format/manifest.ts';
import { dayPaths } from '../../format/paths.ts';
import type { ArchiveTarget } from '../../targets/target.ts';
import { type ArchivedDay, oldest, readArchivedDay } from '../days/archived-day.ts';
import { dayAfter, endOf } from '../calendar.ts';
import { SealRefused } from '../refusal.ts';
import type { SealRun } from '../run.ts';
import { chainEnds, type Due, markSealed, recordSealed } from '../statements.ts';

/**
 * The archive holds other rows of this day than the chain. If they are the chain's own and more, signed by a known key
 * and linked to the day before, the archived days are taken over, and the chain continues in a new incarnation.
 * @param ours what the day would be by the chain
 * @returns how many days were taken over
 * @throws SealRefused where the archive cannot be explained so: an alarm
 */
export async function takeOverRestored(run: SealRun, due: Due, ours: DayManifest): Promise<number> {
  const { tenant } = due;
  const refuse = (detail: string): SealRefused =>
    new SealRefused(tenant, ours.day, `${detail} Run \`steward audit verify\`.`);
  const archived = await linkedDays(run, due, ours.day);
  const [first] = archived;
  const last = archived.at(-1);
  if (first === undefined || last === undefined)
    throw refuse('the archive holds something else under its name, not signed by a key of this database.');
  const resumed = due.resumed !== undefined;
  if (resumed) {
    if (ours.count > 0 || first.manifest.incarnation >= (due.resumed ?? 0))
      throw refuse('the archive holds other rows of it.');
  } else if (!(await extendsOurs(run.target, first.manifest, ours))) {
    throw refuse('the archive holds other rows of it, which do not continue those of the database.');
  }
  const sequence = ours.lastSequence;
  const end = (await chainEnds(run.pool, [{ ...due, sequence }])).get(tenant);
  if (end?.nextReceived !== undefined && end.nextReceived < endOf(last.manifest.day))
    throw refuse('the database has rows of days that the archive holds without them.');
  await markSealed(run.pool, last.manifest.day, [tenant]);
  if (!resumed) {
    const number = await run.noteRestored({
      tenant,
      day: ours.day,
      sequence,
      rowHash: Buffer.from(ours.lastRowHash, 'hex'),
      archivedSequence: Math.max(...archived.map(({ manifest }) => manifest.lastSequence)),
      archivedIncarnation: Math.max(...archived.map(({ manifest }) => manifest.incarnation)),
      from: ours.day,
      to: last.manifest.day,
    });
    run.incarnation = Math.max(run.incarnation, number);
  }
  for (const day of archived) await recordSealed(run.pool, [day]);
  return archived.length;
}

/** Archived days from this one on, each signed and naming the one before it. */
async function linkedDays(run: SealRun, due: Due, from: string): Promise<ArchivedDay<DayManifest>[]> {
  const linked: ArchivedDay<DayManifest>[] = [];
  let previous = due.previous?.manifestSha256;
  for (let day = from; day <= run.through; day = dayAfter(day)) {
    const there = await readArchivedDay<DayManifest>(
      run.target,
      'steward-audit-day/1',
      due.tenant,
      day,
      run.signers.known,
    );
    if (there === undefined || there.manifest.previous?.manifestSha256 !== previous) break;
    linked.push(there);
    previous = there.manifestSha256;
    await run.turn();
  }
  return linked;
}

async function extendsOurs(target: ArchiveTarget, archived: DayManifest, ours: DayManifest): Promise<boolean> {
  const sameBeginning =
    archived.firstSequence === ours.firstSequence && archived.firstPreviousHash === ours.firstPreviousHash;
  if (!sameBeginning || archived.lastSequence <= ours.lastSequence) return false;
  if (ours.count === 0) return true;
  return (await rowHashAt(target, archived, ours.count)) === ours.lastRowHash;
}

/** The row hash in the nth line of an archived day; undefined where the file is not the manifest's. */
async function rowHashAt(target: ArchiveTarget, manifest: DayManifest, nth: number): Promise<string | undefined> {
  const path = dayPaths(manifest.tenant, manifest.day).rows;
  const chunks = await target.read(path, manifest.bytes, (await oldest(target, path))?.version);
  if (chunks === undefined) return undefined;
  const sha256 = createHash('sha256');
  let seen = 0;
  let line = '';
  let found: string | undefined;
  for await (const chunk of chunks) {
    sha256.update(chunk);
    if (seen >= nth) continue;
    // Lines are ended by LF alone; latin1 keeps each byte as a character.
    const parts = `${line}${chunk.toString('latin1')}`.split('\n');
    line = parts.pop() ?? '';
    for (const part of parts) {
      seen += 1;
      if (seen === nth) found = /"rowHash":"([0-9a-f]{64})","sequence":\d+\}$/.exec(part)?.[1];
    }
  }
  return sha256.digest('hex') === manifest.sha256 ? found : undefined;
}
