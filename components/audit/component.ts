export const name = 'audit';
export const migrations = new URL('./migrations/', import.meta.url);

export { fail as errors } from './errors.ts';
export { createAudit, type Audit, type AuditDeps } from './audit.ts';
export { openTarget } from './archive/targets/open.ts';
export { isDay } from './sealing/calendar.ts';
export type { EventGrammar, Grammar, JsonSchema } from './grammars/grammar.ts';
export type { Denial } from './denials/denials.ts';
export type { Ingested } from './events/ingest.ts';
export type { StoredEvent } from './appending/stored.ts';
export type { Envelope, Principal } from './envelope/envelope.ts';
export { verifyChains, type Verdict, type VerifyOptions } from './verify/verify.ts';
export type { Finding, FindingKind } from './verify/finding.ts';
export { readFilter } from './events/filter.ts';
export { formats as exportFormats, type ExportFormat } from './exports/export.ts';
export { verifierFile } from './exports/verifier.ts';
export { tlogProof, type Proof } from './proofs/proof.ts';
