import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { canonical } from '../../chain/canonical.ts';

/** What a stored payload has in place of a personal value. */
export interface SealedValue {
  readonly $sealed: '1';
  readonly key: string;
  /** base64url of iv (12 bytes) ‖ ciphertext ‖ tag (16 bytes). */
  readonly value: string;
}

/** Where a value belongs: it opens nowhere else. */
export interface Seat {
  readonly tenant: string;
  readonly event: string;
  /** RFC 6901, into the payload. */
  readonly pointer: string;
}

const ivBytes = 12;
const tagBytes = 16;

/** AES-256-GCM over the RFC 8785 text of the value, with its seat as additional data. `key`: 32 bytes. */
export function sealValue(key: Uint8Array, keyId: string, seat: Seat, value: unknown): SealedValue {
  const sealed = encrypt(key, additional(seat), Buffer.from(canonical(value)));
  return { $sealed: '1', key: keyId, value: sealed.toString('base64url') };
}

/** The value, boxed because it may be anything; undefined where it does not open here with this key. */
export function openValue(key: Uint8Array, seat: Seat, sealed: SealedValue): { readonly value: unknown } | undefined {
  const text = decrypt(key, additional(seat), Buffer.from(sealed.value, 'base64url'));
  return text === undefined ? undefined : { value: JSON.parse(text.toString()) };
}

export const isSealed = (value: unknown): value is SealedValue =>
  typeof value === 'object' &&
  value !== null &&
  '$sealed' in value &&
  value.$sealed === '1' &&
  'key' in value &&
  typeof value.key === 'string' &&
  'value' in value &&
  typeof value.value === 'string';

const additional = ({ tenant, event, pointer }: Seat): Buffer =>
  Buffer.from(`audit-sealed/v1\n${tenant}\n${event}\n${pointer}`);

/** iv ‖ ciphertext ‖ tag. */
export function encrypt(key: Uint8Array, additionalData: Uint8Array, plain: Uint8Array): Buffer {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(additionalData);
  return Buffer.concat([iv, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

/** Undefined where key, additional data or bytes are not those that were encrypted. */
export function decrypt(key: Uint8Array, additionalData: Uint8Array, sealed: Buffer): Buffer | undefined {
  if (sealed.length < ivBytes + tagBytes) return undefined;
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, ivBytes), { authTagLength: tagBytes })
    .setAAD(additionalData)
    .setAuthTag(sealed.subarray(-tagBytes));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(ivBytes, -tagBytes)), decipher.final()]);
  } catch {
    return undefined;
  }
}
