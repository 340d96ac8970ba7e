import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

export const tinKinds = ['ssn', 'ein'] as const;
type TinKind = (typeof tinKinds)[number];

/** Nine digits, written as people write them. @returns undefined for what cannot be a number of that kind */
export function readTin(text: string, kind: TinKind): string | undefined {
  const form = kind === 'ssn' ? /^\d{3}-?\d{2}-?\d{4}$/ : /^\d{2}-?\d{7}$/;
  if (!form.test(text.trim())) return undefined;
  const digits = text.replace(/\D/g, '');
  // Never issued (SSA, POMS RM 10201.035): area 000, 666; group 00; serial 0000. An ITIN begins with 9 and is written as an SSN.
  if (kind === 'ssn' && /^(?:000|666)|^\d{3}00|0000$/.test(digits)) return undefined;
  if (kind === 'ein' && digits.startsWith('00')) return undefined;
  return digits;
}

const keyOf = (secret: Uint8Array): Buffer => Buffer.from(hkdfSync('sha256', secret, '', 'accounting/taxpayer-id', 32));
const seat = (tenant: string, party: string): Buffer => Buffer.from(`accounting/taxpayer-id\n${tenant}\n${party}`);

/** AES-256-GCM: nonce, text, tag; bound to tenant and party, so that it opens nowhere else. */
export function sealTin(secret: Uint8Array, tenant: string, party: string, digits: string): Buffer {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', keyOf(secret), nonce).setAAD(seat(tenant, party));
  return Buffer.concat([nonce, cipher.update(digits, 'utf8'), cipher.final(), cipher.getAuthTag()]);
}

/** @throws Error where the secret is another one than it was sealed with, or the bytes were changed */
export function openTin(secret: Uint8Array, tenant: string, party: string, sealed: Buffer): string {
  const decipher = createDecipheriv('aes-256-gcm', keyOf(secret), sealed.subarray(0, 12)).setAAD(seat(tenant, party));
  decipher.setAuthTag(sealed.subarray(-16));
  return Buffer.concat([decipher.update(sealed.subarray(12, -16)), decipher.final()]).toString('utf8');
}
