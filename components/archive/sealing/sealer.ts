import { join } from 'node:path';
import type { RecordedEvent } from '@steward/kernel';
import type { SqlPool, TenantTransaction } from '@steward/sql';
import { notePrincipals } from '@steward/audit';
import { inFlight } from '@steward/work';
import type { DayManifest } from '../format/manifest.ts';
import type { ArchiveTarget } from '../targets/target.ts';
import { checkpointHour } from '../hours/checkpoint.ts';
import { createRecentHeads } from '../hours/recent-heads.ts';
import type { Keyring } from '../signing/keyring.ts';
import type { ArchivedDay } from './days/archived-day.ts';
import { createGate } from './gate.ts';
import { prepareToWrite } from './keys.ts';
import { noteRestored } from './restored/note-restored.ts';
import { completeThrough, sealPlatformDays } from './days/platform-day.ts';
import { refusalOf, SealRefused } from './refusal.ts';
import type { SealRun } from './run.ts';
import { sweepSpool } from './days/spool.ts';
import {
  chainEnds,
  closeDay,
  type Due,
  dueDays,
  dueTenants,
  markSealed,
  presentIncarnation,
  recordSealed,
} from './statements.ts';
import { sealTenantDay } from './days/tenant-day.ts';

export interface SealerDeps {
  /** The application's login. */
  readonly pool: SqlPool;
  readonly target: () => Promise<ArchiveTarget>;
  readonly keyring: Keyring;
  readonly dataDir: string;
  /** Records in the transaction's own tenant. */
  readonly append: (tx: TenantTransaction, events: readonly RecordedEvent[]) => Promise<void>;
}

export interface SealOptions {
  /** The last day to be sealed, `YYYY-MM-DD`; it must be over. */
  readonly through: string;
  /** Only this tenant. */
  readonly tenant?: string | undefined;
  /** Called between pieces of work: waits as long as others should go first, throws to stop. */
  readonly turn?: () => Promise<void>;
  /** Tenants a piece, at most. */
  readonly batch?: () => number;
}

export interface SealOutcome {
  /** Days of tenants. */
  readonly days: number;
  readonly platformDays: number;
  /** Tenants whose day was not sealed, and why. */
  readonly refused: readonly SealRefused[];
}

/** Objects on their way to the archive at the same time. */
const puts = 16;

/** Seals days. Any number may run at once, here and in other processes: they make the same files. */
export interface Sealer {
  /**
   * Seals every day up to one, for each tenant in order; a refused tenant stops, the others continue.
   * The next run continues where this one was interrupted.
   * @throws Error when the archive or the database fails; KeyUnavailable when this process may not sign
   */
  seal(options: SealOptions): Promise<SealOutcome>;
  /**
   * Writes the checkpoint of the hour, where one is due.
   * @returns whether one was written
   * @throws SealRefused where the archive holds another one; else as `seal`
   */
  checkpoint(): Promise<boolean>;
}

export function createSealer({ pool, target, keyring, dataDir, append }: SealerDeps): Sealer {
  const spoolFolder = join(dataDir, 'audit', 'spool');
  return {
    checkpoint: async () => {
      const archive = await target();
      const signers = await prepareToWrite(pool, archive, keyring);
      return checkpointHour(pool, archive, signers, await presentIncarnation(pool));
    },
    seal: async ({ through, tenant, turn = async () => undefined, batch = () => 500 }) => {
      await closeDay(pool, through);
      const archive = await target();
      const signers = await prepareToWrite(pool, archive, keyring);
      const powers = await archive.probe();
      await sweepSpool(spoolFolder);
      const run: SealRun = {
        pool,
        target: archive,
        powers,
        signers,
        spoolFolder,
        through,
        incarnation: await presentIncarnation(pool),
        lost: new Set(),
        reading: createGate(2),
        turn,
        noteRestored: noteRestored(pool, append),
        recentHeads: createRecentHeads(pool, archive, signers.known),
      };
      return sealAll(run, tenant, batch);
    },
  };
}

async function sealAll(run: SealRun, only: string | undefined, batch: () => number): Promise<SealOutcome> {
  const { pool, through } = run;
  const refused: SealRefused[] = [];
  let days = 0;
  let platformDays = 0;
  const platform = async (): Promise<void> => {
    try {
      platformDays += await sealPlatformDays(run, completeThrough(await dueDays(pool, through, undefined), through));
    } catch (error) {
      if (!(error instanceof SealRefused)) throw error;
      if (!refused.some(({ owner }) => owner === error.owner)) refused.push(error);
    }
  };
  // Those that were refused stay due on their day; the others move on to the next.
  for (let done = ''; ;) {
    const day = (await dueDays(pool, through, only)).find((one) => one.day > done)?.day;
    if (day === undefined) break;
    days += await sealDay(run, day, only, batch, refused);
    await platform();
    done = day;
  }
  await platform();
  return { days, platformDays, refused };
}

/** One day of all tenants that are due on it. */
async function sealDay(
  run: SealRun,
  day: string,
  only: string | undefined,
  batch: () => number,
  refused: SealRefused[],
): Promise<number> {
  let sealed = 0;
  for (let after: string | undefined; ;) {
    const limit = batch();
    const due = await dueTenants(run.pool, day, only, after, limit);
    if (due.length > 0) sealed += await sealBatch(run, day, due, refused);
    if (due.length < limit) return sealed;
    after = due.at(-1)?.tenant;
    await run.turn();
  }
}

async function sealBatch(run: SealRun, day: string, due: readonly Due[], refused: SealRefused[]): Promise<number> {
  await markSealed(
    run.pool,
    day,
    due.map(({ tenant }) => tenant),
  );
  const ends = await chainEnds(run.pool, due);
  const contradicted = await run.recentHeads.contradicted(due.map(({ tenant }) => tenant));
  const stored: ArchivedDay<DayManifest>[] = [];
  let takenOver = 0;
  try {
    await inFlight(puts, due, async (one) => {
      try {
        const seen = contradicted.get(one.tenant);
        if (seen !== undefined)
          throw new SealRefused(
            one.tenant,
            day,
            `sequence ${seen.sequence}: the row is not there, or not the one that the checkpoint of ${seen.takenAt} has seen. ` +
              'Run `steward audit verify`.',
          );
        const sealed = await sealTenantDay(run, day, one, ends.get(one.tenant));
        if (typeof sealed === 'number') takenOver += sealed;
        else stored.push(sealed);
      } catch (error) {
        refused.push(refusalOf(error, one.tenant, day));
      }
    });
  } finally {
    // What is in the archive is kept, even where the archive failed for the rest.
    await recordSealed(run.pool, stored);
  }
  for (const { manifest } of stored) await notePrincipals(run.pool, manifest, run.turn);
  return stored.length + takenOver;
}
