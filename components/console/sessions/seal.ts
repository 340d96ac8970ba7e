import { hkdfSync } from 'node:crypto';
import { openBytes, sealBytes } from '@steward/kernel';

/** Seals what only this installation may read, for one place: it opens nowhere else. */
export interface Sealer {
  seal(value: unknown, place: string): string;
  /** Undefined where it was not sealed here, or for another place. */
  open(sealed: string, place: string): unknown;
}

/** By a key derived of the installation's secret. @param secret at least 32 random bytes */
export function createSealer(secret: Uint8Array): Sealer {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'console/v1', 32));
  return {
    seal: (value, place) => sealBytes(key, place, Buffer.from(JSON.stringify(value))).toString('base64url'),
    open: (sealed, place) => {
      const text = openBytes(key, place, Buffer.from(sealed, 'base64url'));
      return text === undefined ? undefined : JSON.parse(text.toString());
    },
  };
}
