import type { Decider } from '@steward/access';
import type { Guard, Route } from '@steward/contract';
import type { Deferred } from '@steward/kernel';
import { createAudit, type Audit, type AuditDeps } from './audit.ts';
import type { Admitted } from './events/routes.ts';
import type { AuditSettings } from './settings.ts';

export const name = 'audit';
export { auditSettings as settings, type AuditSettings } from './settings.ts';
export const migrations = new URL('./migrations/', import.meta.url);

export { fail as errors } from './errors.ts';
export { createAudit, type Audit, type AuditDeps } from './audit.ts';
export type { EventGrammar, Grammar, JsonSchema } from './grammars/grammar.ts';
export { foundation } from './grammars/foundation.ts';
export { createRegistry } from './grammars/registry.ts';
export { event } from './grammars/own.ts';
export { readChain } from './chains/head.ts';
export type { Denial } from './denials/denials.ts';
export type { Admitted } from './events/routes.ts';
export type { Ingested } from './events/ingest.ts';
export { notePrincipals } from './principals/note-principals.ts';
export { readFilter } from './events/filter.ts';
export { type EventRow, rowById } from './events/row.ts';
export type { StoredEvent } from './appending/stored.ts';
export type { Envelope, Principal } from './envelope/envelope.ts';
export { destroyKeys, destroySubjectKeys, eraseSubject, underNoHold } from './personal/erasure/destroy-keys.ts';
export type { Secrets } from './personal/secrets/secrets.ts';
export { placeHold, readHold, releaseHold } from './personal/holds/legal-hold.ts';
export { formats as exportFormats, type ExportFormat } from './exports/export.ts';
export { readEvents } from './policy.ts';

export interface AuditPorts extends Pick<
  AuditDeps,
  'pool' | 'log' | 'metrics' | 'dataDir' | 'grammars' | 'namesOf' | 'sign'
> {
  readonly config: AuditSettings;
  readonly guard: Guard<Admitted>;
  readonly decider: Pick<Decider, 'requireFor'>;
  readonly awaited: { readonly audit: Deferred<Pick<Audit, 'append' | 'appendTogether'>> };
}

/** Its routes are served at accounting's address. */
export function create({ config, guard, decider, awaited, ...ports }: AuditPorts): Audit & {
  readonly serves: readonly [{ readonly at: 'accounting'; readonly routes: readonly Route[] }];
} {
  const { pool, log, metrics, dataDir, grammars, namesOf, sign } = ports;
  const audit = createAudit({
    pool,
    log,
    metrics,
    dataDir,
    grammars,
    masterKeys: config.auditMasterKeys,
    ...(namesOf === undefined ? {} : { namesOf }),
    ...(sign === undefined ? {} : { sign }),
  });
  awaited.audit.give(audit);
  return { ...audit, serves: [{ at: 'accounting', routes: audit.routes(guard, decider) }] };
}
