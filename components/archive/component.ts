import type { Admitted } from '@steward/audit';
import type { Guard, Route } from '@steward/contract';
import type { Deferred } from '@steward/kernel';
import { createArchive, type Archive, type ArchiveDeps } from './archive.ts';
import type { ArchiveSettings } from './settings.ts';
import { openTarget } from './targets/open.ts';

export const name = 'archive';
export { archiveSettings as settings, type ArchiveSettings } from './settings.ts';
export type { ArchiveConfig } from './targets/settings.ts';

export { fail as errors } from './errors.ts';
export { createArchive, type Archive, type ArchiveDeps } from './archive.ts';
export { archivedEvents } from './erasures/archived-events.ts';
export { repeatErasures } from './erasures/repeat.ts';
export { tlogProof, type Proof } from './proofs/proof.ts';

export interface ArchivePorts extends Pick<ArchiveDeps, 'pool' | 'log' | 'metrics' | 'dataDir' | 'audit'> {
  readonly config: ArchiveSettings;
  readonly guard: Guard<Admitted>;
  readonly awaited: { readonly archive: Deferred<Pick<Archive, 'sign'>> };
}

/** Its routes are served at accounting's address, beside those of the audit log. */
export function create({ config, guard, awaited, pool, log, metrics, dataDir, audit }: ArchivePorts): Archive & {
  readonly serves: readonly [{ readonly at: 'accounting'; readonly routes: readonly Route[] }];
} {
  const archive = createArchive({
    pool,
    log,
    metrics,
    dataDir,
    audit,
    openArchive: async () => openTarget(config.archive),
    signingKey: config.seal.signingKey,
    ...(config.seal.background ? { seal: config.seal } : {}),
  });
  awaited.archive.give(archive);
  return { ...archive, serves: [{ at: 'accounting', routes: archive.routes(guard) }] };
}
