import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** Seals what only this installation may read, for one place: it opens nowhere else. */
export interface Sealer {
  seal(value: unknown, place: string): string;
  /** Undefined where it was not sealed here, or for another place. */
  open(sealed: string, place: string): unknown;
}

const nonceBytes = 12;
const tagBytes = 16;

/** AES-256-GCM by a key derived of the installation's secret. @param secret at least 32 random bytes */
export function createSealer(secret: Uint8Array): Sealer {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'console/v1', 32));
  return {
    seal: (value, place) => {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(place));
      const text = Buffer.concat([cipher.update(JSON.stringify(value)), cipher.final()]);
      return Buffer.concat([nonce, text, cipher.getAuthTag()]).toString('base64url');
    },
    open: (sealed, place) => {
      const bytes = Buffer.from(sealed, 'base64url');
      if (bytes.length < nonceBytes + tagBytes) return undefined;
      const cipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes })
        .setAAD(Buffer.from(place))
        .setAuthTag(bytes.subarray(-tagBytes));
      try {
        const text = Buffer.concat([cipher.update(bytes.subarray(nonceBytes, -tagBytes)), cipher.final()]);
        return JSON.parse(text.toString());
      } catch {
        return undefined;
      }
    },
  };
}
