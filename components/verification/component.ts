import type { Metrics } from '@steward/kernel';
import type { SqlPool } from '@steward/sql';
import { verificationMetrics } from './log/metrics.ts';
import { verifierRoute } from './verifier/route.ts';

export const name = 'verification';

export type { Finding } from './log/finding.ts';
export {
  actor,
  type DerivedRows,
  eventsOfRows,
  instantOf,
  madeAt,
  type RecordedRows,
  rowOf,
  digestOf,
} from './recorded/recorded.ts';
export { type Check, verifyLog, type LogOptions, type LogVerdict } from './log/verify-log.ts';
export { verifyEventProof, verifyOffline, type OfflineVerdict } from './log/offline.ts';
export { recordVerification } from './log/record.ts';
export { verifyChains } from './log/verify-source.ts';
export { checkReceipt, type CheckedReceipt } from './receipts/check.ts';
export { verifierFile } from './verifier/file.ts';
export type { ProofVerdict as EventProofVerdict } from './verifier/steward-audit-verify.mjs';

export interface VerificationPorts {
  readonly metrics: Pick<Metrics, 'registry'>;
  readonly pool: Pick<SqlPool, 'query'>;
}

/** Commands verify; a process says when that was last done, and serves the stand-alone verifier. */
export function create({ metrics, pool }: VerificationPorts) {
  verificationMetrics(metrics, pool);
  return { serves: [{ at: 'accounting', routes: [verifierRoute] }] } as const;
}
