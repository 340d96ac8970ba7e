import type { Guard, Route } from '@steward/contract';
import type { Deferred } from '@steward/kernel';
import type { AuditSettings } from './settings.ts';
import { openTarget } from './archive/targets/open.ts';
import { createAudit, type Audit, type AuditDeps } from './audit.ts';
import type { Admitted } from './events/routes.ts';
import type { Decider } from '@steward/access';

export const name = 'audit';
export { auditSettings as settings } from './settings.ts';
export type { ArchiveConfig } from './archive/settings.ts';
export type { AuditSettings } from './settings.ts';
export const migrations = new URL('./migrations/', import.meta.url);

export { fail as errors } from './errors.ts';
export { createAudit, type Audit, type AuditDeps } from './audit.ts';
export { openTarget } from './archive/targets/open.ts';
export { isDay } from './sealing/calendar.ts';
export type { EventGrammar, Grammar, JsonSchema } from './grammars/grammar.ts';
export { foundation } from './grammars/foundation.ts';
export { createRegistry } from './grammars/registry.ts';
export { readChain } from './chains/head.ts';
export type { Denial } from './denials/denials.ts';
export type { Ingested } from './events/ingest.ts';
export type { StoredEvent } from './appending/stored.ts';
export type { Envelope, Principal } from './envelope/envelope.ts';
export type { Finding } from './verify/finding.ts';
export { type DerivedRows, eventsOfRows, type RecordedRows } from './verify/recorded.ts';
export { type Check, verifyLog, type LogOptions, type LogVerdict } from './verify/log.ts';
export { verifyEventProof, verifyOffline, type OfflineVerdict } from './verify/offline.ts';
export { checkReceipt, type CheckedReceipt } from './receipts/check.ts';
export { recordVerification } from './verify/record.ts';
export type { ProofVerdict as EventProofVerdict } from './verifier/steward-audit-verify.mjs';
export { archivedEvents } from './personal/archived-events.ts';
export { destroySubjectKeys } from './personal/erase.ts';
export { readFilter } from './events/filter.ts';
export { formats as exportFormats, type ExportFormat } from './exports/export.ts';
export { verifierFile } from './exports/verifier.ts';
export { tlogProof, type Proof } from './proofs/proof.ts';

export interface AuditPorts extends Pick<AuditDeps, 'pool' | 'log' | 'metrics' | 'dataDir' | 'grammars' | 'namesOf'> {
  readonly config: AuditSettings;
  readonly guard: Guard<Admitted>;
  readonly decider: Pick<Decider, 'requireUnlessService'>;
  readonly awaited: { readonly audit: Deferred<Pick<Audit, 'append' | 'appendTogether'>> };
}

/** Its routes are served at accounting's address. */
export function create({ config, guard, decider, awaited, ...ports }: AuditPorts): Audit & {
  readonly serves: readonly [{ readonly at: 'accounting'; readonly routes: readonly Route[] }];
} {
  const { pool, log, metrics, dataDir, grammars, namesOf } = ports;
  const audit = createAudit({
    pool,
    log,
    metrics,
    dataDir,
    grammars,
    masterKeys: config.auditMasterKeys,
    openArchive: async () => openTarget(config.archive),
    signingKey: config.seal.signingKey,
    ...(config.seal.background ? { seal: config.seal } : {}),
    ...(namesOf === undefined ? {} : { namesOf }),
  });
  awaited.audit.give(audit);
  return { ...audit, serves: [{ at: 'accounting', routes: audit.routes(guard, decider) }] };
}
