import type { ArchiveConfig } from './settings.ts';
import type { Powers } from './target.ts';

/** @throws Error where only a write-once target is accepted and trying has shown that this is none */
export function demandWriteOnce(
  address: string,
  powers: Powers,
  accept: ArchiveConfig['accept'],
  mend: string,
): Powers {
  if (powers.writeOnce || accept === 'anything') return powers;
  const failed = Object.keys(powers.tried).filter((name) => powers.tried[name] === false);
  throw new Error(
    `The archive ${address} cannot keep what is stored from being replaced or removed (tried without success: ${failed.join(', ')}). ` +
      `${mend}, or set AUDIT_ARCHIVE_ACCEPT=anything to archive there all the same; every manifest then says so.`,
  );
}
