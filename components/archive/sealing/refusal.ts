import { ArchiveConflict } from '../targets/target.ts';

/**
 * A day that must not be signed: its chain is broken, or the archive has something else. An alarm of one tenant (or of
 * the platform's days); all others continue.
 */
export class SealRefused extends Error {
  override readonly name = 'SealRefused';
  /** A tenant's id, or `platform`. */
  readonly owner: string;
  readonly day: string;
  constructor(owner: string, day: string, detail: string) {
    super(`${owner === 'platform' ? "The platform's day" : `Tenant ${owner}:`} ${day} is not sealed: ${detail}`);
    this.owner = owner;
    this.day = day;
  }
}

/** Something in the archive that is in the way of one day is an alarm of that day, not of all others. @throws what is none */
export function refusalOf(error: unknown, owner: string, day: string): SealRefused {
  if (error instanceof SealRefused) return error;
  if (error instanceof ArchiveConflict)
    return new SealRefused(owner, day, `${error.message} Run \`steward audit verify\`.`);
  throw error;
}
