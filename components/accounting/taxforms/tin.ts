import { hkdfSync } from 'node:crypto';
import { openBytes, sealBytes } from '@steward/kernel';

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
const seatOf = (tenant: string, party: string): string => `accounting/taxpayer-id\n${tenant}\n${party}`;

/** Bound to tenant and party, so that it opens nowhere else. */
export const sealTin = (secret: Uint8Array, tenant: string, party: string, digits: string): Buffer =>
  sealBytes(keyOf(secret), seatOf(tenant, party), Buffer.from(digits));

/** @throws Error where the secret is another one than it was sealed with, or the bytes were changed */
export function openTin(secret: Uint8Array, tenant: string, party: string, sealed: Buffer): string {
  const digits = openBytes(keyOf(secret), seatOf(tenant, party), sealed);
  if (digits === undefined) throw new Error('what is kept of a taxpayer number does not open with this secret');
  return digits.toString();
}
