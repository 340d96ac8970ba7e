import { createHash, hkdfSync } from 'node:crypto';
import type { Mode } from '../words.ts';

const shape = /^ak_(?:live|test)_[0-9A-Za-z_-]{43}$/;

/**
 * A key that an agent platform sends as its bearer token: `ak_<live|test>_` and 43 digits of base64url. They follow from the secret of the installation
 * and the id, so that a repeated command can answer with the same key although no table ever holds one; without the secret they are 256 bits that
 * nobody can guess.
 */
export function credentialText(secret: Uint8Array, mode: Mode, tenant: string, credentialId: string): string {
  const info = `steward/agentic/credential/v1\n${mode}\n${tenant.toLowerCase()}\n${credentialId}`;
  return `ak_${mode}_${Buffer.from(hkdfSync('sha512', secret, '', info, 32)).toString('base64url')}`;
}

/** Whether it can be one at all: nothing else meets the database. */
export const isCredentialText = (text: string): boolean => shape.test(text);

/** What is stored of one. */
export const credentialHash = (text: string): Buffer => createHash('sha256').update(text).digest();
