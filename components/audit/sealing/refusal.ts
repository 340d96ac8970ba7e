/**
 * A day that must not be signed: its chain is broken, or the archive holds something else. An alarm of one tenant (or of
 * the platform's days); all others go on.
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
