import type { Route } from '@steward/contract';
import { ConfigError, type Log, type Metrics, type RecordedEvent } from '@steward/kernel';
import type { SqlPool, TenantContext, TenantTransaction } from '@steward/sql';
import type { StoredEvent } from '../appending/stored.ts';
import type { ArchiveTarget } from '../archive/target.ts';
import { type Receipt, signReceipt } from '../receipts/receipt.ts';
import { keySource } from '../signing/key-file.ts';
import { createKeyring, type Keyring } from '../signing/keyring.ts';
import { type Rotation, rotateKey } from '../signing/rotate.ts';
import { keyRoutes } from '../signing/routes.ts';
import { NotClaimed, requireClaim } from '../claim/claim.ts';
import type { Claim } from '../claim/note.ts';
import { noteTakenOver } from '../claim/note-taken-over.ts';
import { takeOver, type TakenOver } from '../claim/take-over.ts';
import { findKeys } from './keys.ts';
import { createBackground } from './background.ts';
import { sealingMetrics } from './metrics.ts';
import { withEarlier } from './keys.ts';
import { createSealer, type SealOutcome, type SealWish } from './sealer.ts';
import { sealingStatus, type SealingStatus } from './status.ts';

export interface SealingDeps {
  /** The application's login. */
  readonly pool: SqlPool;
  readonly log: Log;
  readonly metrics: Pick<Metrics, 'registry'>;
  readonly dataDir: string;
  /** Where sealed days go; absent: this process seals nothing. */
  readonly openArchive?: () => Promise<ArchiveTarget>;
  /** Seals in the background, this long after each UTC day is over; absent: on command only. */
  readonly seal?: { readonly graceMinutes: number };
  /** A path or PEM text; absent: `audit/signing-key.pem` in the data folder, made at first start. */
  readonly signingKey?: string | undefined;
  /** The audit log's own sink. */
  readonly append: (tx: TenantTransaction, events: readonly RecordedEvent[]) => Promise<void>;
}

/** What sealing adds to the audit log's interface. */
export interface SealingVerbs {
  /** Opened once, closed with the audit log. @throws ConfigError where none is configured */
  archive(): Promise<ArchiveTarget>;
  /**
   * Takes the archive over for this database, where another one holds it or it has seen rows that are not here.
   * @param reason 1–500 characters without control characters, kept in the archive for ever
   */
  takeOver(reason: string): Promise<TakenOver>;
  /** Records that it was taken over in the chain of one tenant, once. */
  noteTakenOver(context: TenantContext, claim: Claim): Promise<void>;
  /** Writes the checkpoint of the hour by hand, where one is due; answers whether it was. */
  checkpoint(): Promise<boolean>;
  /** Seals by hand what is over. @throws Error when archive or database fail, or this process may not sign */
  seal(wish: SealWish): Promise<SealOutcome>;
  /** How far days are sealed, and what is in the way. @throws Error when archive or database are out of reach */
  status(): Promise<SealingStatus>;
  readonly keys: Keyring;
  /** Makes a new signing key, vouched for by the present one unless that is `lost`. */
  rotateKey(options: { readonly lost: boolean }): Promise<Rotation>;
}

export interface Sealing {
  readonly verbs: SealingVerbs;
  readonly routes: readonly Route[];
  /** Undefined while this process's key is not one that can be looked up: such a receipt could never be checked. */
  sign(event: StoredEvent): Promise<Receipt | undefined>;
  /** This process appends at the moment: sealing in the background makes way. */
  appended(): void;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** Appends within so many milliseconds make a process busy. */
const busyFor = 1_000;

export function createSealing(deps: SealingDeps): Sealing {
  const { pool, log, dataDir, openArchive, seal, append } = deps;
  const source = keySource(deps.signingKey, dataDir);
  const keyring = createKeyring(pool, source);
  const metrics = sealingMetrics(deps.metrics);
  let lastAppend = -Infinity;
  let archive: Promise<ArchiveTarget> | undefined;
  const open = async (): Promise<ArchiveTarget> => {
    if (openArchive === undefined) throw new ConfigError('No archive is configured: set AUDIT_ARCHIVE.');
    archive ??= openArchive();
    // A failure is not remembered: what was missing may be there the next time.
    archive.catch(() => (archive = undefined));
    return archive;
  };
  const sealer = createSealer({ pool, target: open, keyring, dataDir, append });
  const background =
    seal === undefined || openArchive === undefined
      ? undefined
      : createBackground({
          pool,
          sealer,
          log,
          graceMinutes: seal.graceMinutes,
          busy: () => performance.now() - lastAppend < busyFor,
          probe: async () => void (await (await open()).probe()),
          report: metrics.report,
        });
  /** A copy of the database stops here, before it writes anything. What cannot be asked now is asked before it is written to. */
  const mayWrite = async (): Promise<void> => {
    try {
      const target = await open();
      await requireClaim(pool, target, await findKeys(pool, target, keyring), seal !== undefined);
    } catch (error) {
      if (error instanceof NotClaimed) throw error;
      log.warn(
        { err: error },
        'whose the archive is could not be asked: it is asked again before anything is written to it',
      );
    }
  };
  return {
    verbs: {
      archive: open,
      seal: async (wish) => sealer.seal(wish),
      status: async () => {
        const target = await open();
        return sealingStatus(pool, target, await withEarlier(target, await keyring.registered()));
      },
      checkpoint: async () => sealer.checkpoint(),
      takeOver: async (reason) => {
        const target = await open();
        return takeOver(pool, target, await findKeys(pool, target, keyring), reason);
      },
      noteTakenOver,
      keys: keyring,
      rotateKey: async (options) => rotateKey(pool, source, dataDir, options),
    },
    routes: keyRoutes(keyring),
    sign: async (event) => {
      const key = await keyring.receiptSigner();
      return key === undefined ? undefined : signReceipt(key, event);
    },
    appended: () => {
      lastAppend = performance.now();
    },
    start: async () => {
      const own = await keyring.own();
      const current = (await keyring.registered()).at(-1)?.keyId;
      if (own?.keyId !== current)
        log.warn(
          { own: own?.keyId, current },
          'this process does not have the key that signs the audit log: it seals nothing',
        );
      else if (openArchive !== undefined && own !== undefined) await mayWrite();
      background?.start();
    },
    stop: async () => {
      await background?.stop();
      await (await archive?.catch(() => undefined))?.[Symbol.asyncDispose]();
    },
  };
}
