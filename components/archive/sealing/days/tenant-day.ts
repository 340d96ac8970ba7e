import { hash } from 'node:crypto';
import type { DayManifest } from '../../format/manifest.ts';
import { MerkleTree } from '../../format/merkle.ts';
import type { ArchivedDay } from './archived-day.ts';
import { endOf } from '../calendar.ts';
import { type DayRows, readDay } from './day-rows.ts';
import { SealRefused } from '../refusal.ts';
import { takeOverRestored } from '../restored/take-over-restored.ts';
import type { SealRun } from '../run.ts';
import { Spool, type Spooled } from './spool.ts';
import { type Due, type End, recordIncarnation } from '../statements.ts';
import { storeDay } from './store-day.ts';

const emptyRoot = new MerkleTree().root().toString('hex');
const nothing: Spooled = { source: Buffer.alloc(0), bytes: 0, sha256: hash('sha256', '') };

/**
 * Archives one day of one tenant, whose head has the mark.
 * @returns what is to be recorded; or how many archived days were taken over, and are recorded already
 * @throws SealRefused when the chain is broken or the archive holds something else
 */
export async function sealTenantDay(
  run: SealRun,
  day: string,
  due: Due,
  end: End | undefined,
): Promise<ArchivedDay<DayManifest> | number> {
  const refuse = (detail: string): SealRefused => new SealRefused(due.tenant, day, detail);
  if (end === undefined) throw refuse('the chain has no head.');
  if (end.sequence < due.sequence)
    throw refuse(`the chain ends at ${end.sequence}, and was sealed up to ${due.sequence}: its end was cut off.`);
  if (end.sequence === due.sequence) {
    if (!end.rowHash.equals(due.rowHash))
      throw refuse('the head does not bear the hash of the row that was sealed last.');
    return store(run, day, due, nothing, unchanged(due));
  }
  if (end.nextReceived !== undefined && end.nextReceived >= endOf(day))
    return store(run, day, due, nothing, unchanged(due));
  await using spool = new Spool(run.spoolFolder);
  const beginning = { tenant: due.tenant, day, sequence: due.sequence, rowHash: due.rowHash };
  const rows = await run.reading(async () => readDay(run.pool, beginning, end, spool, () => run.turn()));
  return await store(run, day, due, await spool.finish(), rows);
}

const unchanged = (due: Due): DayRows => ({
  lastSequence: due.sequence,
  lastRowHash: due.rowHash,
  root: emptyRoot,
});

async function store(
  run: SealRun,
  day: string,
  due: Due,
  { source, bytes, sha256 }: Spooled,
  { lastSequence, lastRowHash, root }: DayRows,
): Promise<ArchivedDay<DayManifest> | number> {
  const { previous } = due;
  const manifest: DayManifest = {
    format: 'steward-audit-day/1',
    tenant: due.tenant,
    day,
    incarnation: run.incarnation,
    firstSequence: due.sequence + 1,
    lastSequence,
    count: lastSequence - due.sequence,
    firstPreviousHash: due.rowHash.toString('hex'),
    lastRowHash: lastRowHash.toString('hex'),
    bytes,
    sha256,
    root,
    target: run.powers,
    ...(previous === undefined ? {} : { previous: link(previous) }),
  };
  const stored = await storeDay(run.target, run.signers, due.tenant, source, manifest);
  if (stored === undefined) return takeOverRestored(run, due, manifest);
  await learnIncarnation(run, stored.manifest);
  return stored;
}

/** How a manifest names the day before. */
export const link = ({
  day,
  manifestSha256,
  versions,
}: NonNullable<Due['previous']>): NonNullable<DayManifest['previous']> => ({
  day,
  manifestSha256,
  ...(versions === undefined ? {} : { versions }),
});

/** A restored database may have lost an incarnation that the archive has. */
export async function learnIncarnation(
  run: SealRun,
  { incarnation, day }: { readonly incarnation: number; readonly day: string },
): Promise<void> {
  if (incarnation <= run.incarnation) return;
  await recordIncarnation(run.pool, incarnation, day);
  run.incarnation = incarnation;
}
