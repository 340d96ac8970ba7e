import { createHash, hkdfSync } from 'node:crypto';
import { crc32 } from 'node:zlib';

export const keyModes = ['live', 'test'] as const;
export type KeyMode = (typeof keyModes)[number];

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const shape = /^pk_(?:live|test)_[0-9A-Za-z]{36}$/;

/**
 * A publishable key: `pk_<live|test>_`, 30 random base62 digits, 6 digits of checksum. The random part follows from the
 * platform's secret and the key's id, so that a repeated command can answer with the same key although no table ever
 * holds one; without the secret it is 178 bits that nobody can guess.
 */
export function keyText(secret: Uint8Array, mode: KeyMode, tenant: string, keyId: string): string {
  const info = `steward/studio/sdk-key/v1\n${mode}\n${tenant.toLowerCase()}\n${keyId}`;
  const bytes = new Uint8Array(hkdfSync('sha512', secret, '', info, 256));
  let random = '';
  for (const byte of bytes) {
    // 248 = 4 · 62: what is above would make the first digits likelier than the others.
    if (byte < 248 && random.length < 30) random += digits.charAt(byte % 62);
  }
  const start = `pk_${mode}_${random}`;
  return start + checksum(start);
}

/** CRC-32 (IEEE 802.3) of everything before it, as six base62 digits with leading zeros (the rule of GitHub's tokens). */
export function checksum(start: string): string {
  let rest = crc32(start);
  let text = '';
  for (let place = 0; place < 6; place += 1) {
    text = digits.charAt(rest % 62) + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}

/** Whether it can be a key at all. A mistyped one is refused here, without a question to the database. */
export const isKeyText = (text: string): boolean => shape.test(text) && checksum(text.slice(0, -6)) === text.slice(-6);

/** What is stored of a key. */
export const keyHash = (text: string): Buffer => createHash('sha256').update(text).digest();
