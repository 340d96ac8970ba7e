import { createHmac, createPrivateKey, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import type { SecretSigning } from '../words.ts';

/** Of a secret: what is sealed, and of ed25519 what everybody may know. */
export interface MadeKey {
  readonly bytes: Buffer;
  /** `whpk_…` */
  readonly publicKey: string | null;
}

/** The bytes before the key itself in SPKI, which are the same in each. */
const spkiHeader = 12;

/** A new key: 32 bytes for HMAC, or a pair of ed25519, by Standard Webhooks; of `merchant` a text, whose bytes are the key. */
export function makeKey(signing: SecretSigning): MadeKey {
  if (signing === 'merchant')
    return { bytes: Buffer.from(`mwhs_${randomBytes(32).toString('base64url')}`), publicKey: null };
  if (signing === 'hmac') return { bytes: randomBytes(32), publicKey: null };
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(spkiHeader);
  return {
    bytes: privateKey.export({ format: 'der', type: 'pkcs8' }),
    publicKey: `whpk_${raw.toString('base64')}`,
  };
}

/** As receivers are given it. */
export const secretText = (signing: SecretSigning, bytes: Uint8Array): string =>
  signing === 'merchant' ? Buffer.from(bytes).toString() : `whsec_${Buffer.from(bytes).toString('base64')}`;

/** Makes one signature of a text. */
export type Signer = (text: string) => string;

/** `v1,…` or `v1a,…`, by what the sealed bytes are; of `merchant` the HMAC in hex. */
export function signerOf(signing: SecretSigning, bytes: Buffer): Signer {
  if (signing === 'merchant') return (text) => createHmac('sha256', bytes).update(text).digest('hex');
  if (signing === 'hmac') return (text) => `v1,${createHmac('sha256', bytes).update(text).digest('base64')}`;
  const key: KeyObject = createPrivateKey({ key: bytes, format: 'der', type: 'pkcs8' });
  return (text) => `v1a,${sign(null, Buffer.from(text), key).toString('base64')}`;
}

/**
 * The headers of Standard Webhooks. All live secrets sign, so that a receiver may have any of them.
 * @param id of the event, the same each time that it is sent
 * @param seconds since the epoch
 */
export const signedHeaders = (
  signers: readonly Signer[],
  id: string,
  seconds: number,
  body: string,
): Readonly<Record<string, string>> => ({
  'webhook-id': id,
  'webhook-timestamp': String(seconds),
  'webhook-signature': signers.map((one) => one(`${id}.${seconds}.${body}`)).join(' '),
});

/**
 * The headers of the Agentic Commerce Protocol, which has room for one signature: the oldest live secret makes it, so that a newer one can be
 * brought to the receiver before it counts.
 * @param seconds since the epoch, of this request: receivers take five minutes
 */
export const merchantHeaders = (
  signers: readonly Signer[],
  id: string,
  seconds: number,
  body: string,
): Readonly<Record<string, string>> => {
  const sign = signers.at(-1);
  return {
    'request-id': id,
    timestamp: new Date(seconds * 1_000).toISOString(),
    ...(sign === undefined ? {} : { 'merchant-signature': `t=${seconds},v1=${sign(`${seconds}.${body}`)}` }),
  };
};
