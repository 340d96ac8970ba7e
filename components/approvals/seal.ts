import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { canonicalJson } from '@steward/tools';

/** What decides and was written by this application, and not by somebody who has its database login alone. */
type Kind = 'words' | 'asking' | 'vote' | 'policy' | 'rule';

export interface Seals {
  /** The seal of the row that it is stored in. @param facts the values of the row that decide, and those that identify it */
  of(kind: Kind, facts: readonly unknown[]): string;
  holds(seal: unknown, kind: Kind, facts: readonly unknown[]): boolean;
}

/** @param secret at least 32 random bytes, the same in every process, and never in the database */
export function createSeals(secret: Uint8Array): Seals {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'steward/approvals/seal/v1', 32));
  const mac = (kind: Kind, facts: readonly unknown[]): Buffer =>
    createHmac('sha256', key)
      .update(canonicalJson([kind, ...facts]))
      .digest();
  return {
    of: (kind, facts) => mac(kind, facts).toString('base64url'),
    holds: (seal, kind, facts) => {
      const given = Buffer.from(String(seal), 'base64url');
      const due = mac(kind, facts);
      return given.length === due.length && timingSafeEqual(given, due);
    },
  };
}
