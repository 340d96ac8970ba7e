import type { ArchiveConfig } from '@steward/archive';
import {
  verifyArchive,
  type Options,
  type ProofVerdict,
  verifyProof,
  type Verdict as ArchiveVerdict,
} from '../verifier/steward-audit-verify.mjs';
import { openArchive } from '../archive/archive.ts';
import type { Finding } from './finding.ts';
import { asFinding, merge } from './merge.ts';

export interface OfflineVerdict extends Omit<ArchiveVerdict, 'findings'> {
  readonly address: string;
  readonly findings: readonly Finding[];
}

/**
 * Verifies an archive by itself, without any database; of a bucket also that nothing is on top of the versions that count.
 * @throws Unreachable where it cannot be read; Error where a key is no key
 */
export async function verifyOffline(settings: ArchiveConfig, options: Options): Promise<OfflineVerdict> {
  await using archive = await openArchive(settings);
  const verdict = await verifyArchive(archive, options);
  const findings = merge([], archive.takeFound(), verdict.findings.map(asFinding));
  const tampered = findings.some(({ aspect }) => aspect === 'integrity');
  return {
    ...verdict,
    address: archive.address,
    ok: findings.length === 0,
    integrity: tampered ? 'broken' : verdict.integrity,
    findings,
  };
}

/** Verifies one event's proof; with an archive, its notes may lead from a trusted key to the one that signed. */
export async function verifyEventProof(
  proof: string,
  keys: readonly string[],
  settings: ArchiveConfig | undefined,
): Promise<ProofVerdict> {
  if (settings === undefined) return verifyProof(proof, { keys });
  await using reader = await openArchive(settings);
  return await verifyProof(proof, { keys, reader });
}
