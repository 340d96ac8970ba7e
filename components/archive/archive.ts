import type { Admitted, Audit } from '@steward/audit';
import type { Sign } from '@steward/audit/chain';
import type { Guard, Route } from '@steward/contract';
import type { GraphModule } from '@steward/graphql';
import { ConfigError, type Log, type Metrics } from '@steward/kernel';
import type { SqlPool, TenantContext } from '@steward/sql';
import { NotClaimed, requireClaim } from './claim/claim.ts';
import type { Claim } from './claim/note.ts';
import { noteTakenOver } from './claim/note-taken-over.ts';
import { takeOver, type TakenOver, type TakeOverOptions } from './claim/take-over.ts';
import { proofGraph } from './proofs/graph.ts';
import { type Prove, prover } from './proofs/prove.ts';
import { receiptGiver } from './proofs/receipt.ts';
import { proofRoutes } from './proofs/routes.ts';
import { expire } from './retention/expire.ts';
import { createBackground } from './sealing/background/background.ts';
import { findKeys, withEarlier } from './sealing/keys.ts';
import { sealingMetrics } from './sealing/background/metrics.ts';
import { createSealer, type SealOutcome, type SealOptions } from './sealing/sealer.ts';
import { sealingStatus, type SealingStatus } from './sealing/status.ts';
import { keySource } from './signing/key-file.ts';
import { createKeyring, type Keyring, KeyRetired } from './signing/keyring.ts';
import { type Rotation, rotateKey } from './signing/rotate.ts';
import { keyRoutes } from './signing/routes.ts';
import { signReceipt } from './signing/sign-receipt.ts';
import type { ArchiveTarget } from './targets/target.ts';

export interface ArchiveDeps {
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
  /** What is sealed, and where it is recorded what became of it. */
  readonly audit: Pick<Audit, 'append' | 'lastAppended'>;
}

export interface Archive {
  /** Where sealed days go; opened once, closed with this. @throws ConfigError where none is configured */
  target(): Promise<ArchiveTarget>;
  /**
   * Takes the archive over for this database, where another one holds it or it has seen rows that are not here.
   * @param reason 1–500 characters without control characters, kept in the archive for ever
   * @throws KeyRetired where the archive knows a key that follows the one of this database
   */
  takeOver(reason: string, options?: Pick<TakeOverOptions, 'newArchive'>): Promise<TakenOver>;
  /** Records that it was taken over in the chain of one tenant, once. */
  noteTakenOver(context: TenantContext, claim: Claim): Promise<void>;
  /** Writes the checkpoint of the hour by hand, where one is due; answers whether it was. */
  checkpoint(): Promise<boolean>;
  /** Seals by hand what is over. @throws Error when archive or database fail, or this process may not sign */
  seal(options: SealOptions): Promise<SealOutcome>;
  /** How far days are sealed, and what is in the way. @throws Error when archive or database are out of reach */
  status(): Promise<SealingStatus>;
  readonly keys: Keyring;
  /** Makes a new signing key, vouched for by the present one unless that is `lost`. */
  rotateKey(options: { readonly lost: boolean }): Promise<Rotation>;
  readonly sign: Sign;
  readonly prove: Prove;
  /** Removes archived rows whose time is over. */
  readonly expire: ReturnType<typeof expire>;
  /** Relative to the mount of the component that serves them. */
  routes(guard: Guard<Admitted>): Route[];
  /** Its field of the GraphQL API. */
  readonly graph: GraphModule;
  start(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Appends within so many milliseconds make a process busy. */
const busyFor = 1_000;

export function createArchive(deps: ArchiveDeps): Archive {
  const { pool, log, dataDir, openArchive, seal, audit } = deps;
  const source = keySource(deps.signingKey, dataDir);
  const keyring = createKeyring(pool, source);
  const metrics = sealingMetrics(deps.metrics);
  let opened: Promise<ArchiveTarget> | undefined;
  const open = async (): Promise<ArchiveTarget> => {
    if (openArchive === undefined) throw new ConfigError('No archive is configured: set AUDIT_ARCHIVE.');
    opened ??= openArchive();
    // A failure is not remembered: what was missing may be there the next time.
    opened.catch(() => (opened = undefined));
    return opened;
  };
  const sealer = createSealer({ pool, target: open, keyring, dataDir, append: audit.append });
  const background =
    seal === undefined || openArchive === undefined
      ? undefined
      : createBackground({
          pool,
          sealer,
          log,
          graceMinutes: seal.graceMinutes,
          busy: () => performance.now() - audit.lastAppended() < busyFor,
          probe: async () => void (await (await open()).probe()),
          report: metrics.report,
        });
  /** A copy of the database stops here, before it writes anything. What cannot be asked now is asked before it is written to. */
  const mayWrite = async (): Promise<void> => {
    try {
      const target = await open();
      await requireClaim(pool, target, await findKeys(pool, target, keyring), seal !== undefined);
    } catch (error) {
      if (error instanceof NotClaimed || error instanceof KeyRetired) throw error;
      log.warn(
        { err: error },
        'whose the archive is could not be asked: it is asked again before anything is written to it',
      );
    }
  };
  const sign: Sign = async (event) => {
    const key = await keyring.receiptSigner();
    return key === undefined ? undefined : signReceipt(key, event);
  };
  const ports = { log, keys: keyring, archive: openArchive === undefined ? undefined : open, sign };
  const prove = prover(ports);
  return {
    target: open,
    seal: async (options) => sealer.seal(options),
    status: async () => {
      const target = await open();
      return sealingStatus(pool, target, await withEarlier(target, await keyring.registered()));
    },
    checkpoint: async () => sealer.checkpoint(),
    takeOver: async (reason, options) => {
      const target = await open();
      return takeOver(pool, target, await findKeys(pool, target, keyring), { reason, ...options });
    },
    noteTakenOver,
    keys: keyring,
    rotateKey: async (options) => rotateKey(pool, source, dataDir, options),
    sign,
    prove,
    expire: expire({ archive: open, pool, keyring }),
    routes: (guard) => [...proofRoutes(guard, prove, receiptGiver(ports)), ...keyRoutes(keyring)],
    graph: (builder) => proofGraph(builder, prove),
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
    [Symbol.asyncDispose]: async () => {
      await background?.stop();
      await (await opened?.catch(() => undefined))?.[Symbol.asyncDispose]();
    },
  };
}
