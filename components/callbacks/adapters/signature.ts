import { createHmac, timingSafeEqual } from 'node:crypto';

/** Whether two texts are the same and not empty, in constant time for texts of one length. */
export function equal(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && one.length > 0 && timingSafeEqual(one, other);
}

/** A MAC as text. An empty key is nobody's secret: nothing is equal to what it makes. */
export const hmac = (
  algorithm: 'sha1' | 'sha256' | 'sha512',
  key: string | Uint8Array,
  signed: string | Uint8Array,
  encoding: 'hex' | 'base64',
): string => (key.length === 0 ? '' : createHmac(algorithm, key).update(signed).digest(encoding));

/** Bytes of base64, written as one would write them: no signature is written in two ways. Undefined for anything else. */
export function fromBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : undefined;
}
