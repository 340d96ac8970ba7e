import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const nonceBytes = 12;
const tagBytes = 16;

/**
 * AES-256-GCM. `key`: 32 bytes. `seat` names the place that the bytes are kept at, with its tenant where it has one: they open nowhere
 * else. Answers nonce (12 bytes) ‖ ciphertext ‖ tag (16 bytes).
 */
export function sealBytes(key: Uint8Array, seat: string, plain: Uint8Array): Buffer {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(seat));
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

/** Undefined where key, seat or bytes are not those that were sealed. */
export function openBytes(key: Uint8Array, seat: string, sealed: Uint8Array): Buffer | undefined {
  if (sealed.length < nonceBytes + tagBytes) return undefined;
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, nonceBytes), { authTagLength: tagBytes })
    .setAAD(Buffer.from(seat))
    .setAuthTag(sealed.subarray(-tagBytes));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(nonceBytes, -tagBytes)), decipher.final()]);
  } catch {
    return undefined;
  }
}
