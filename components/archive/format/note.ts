import { createPublicKey, hash, type KeyObject, sign, verify } from 'node:crypto';

/** A key that signs checkpoints and receipts. */
export interface SigningKey {
  /** First 16 hex digits of the SHA-256 of the raw public key. */
  readonly keyId: string;
  readonly privateKey: KeyObject;
  /** The 32 bytes of RFC 8032, base64url without padding. */
  readonly publicKey: string;
}

const ours = 'steward/audit';
const ed25519 = 1;

interface Verifier {
  readonly name: string;
  readonly keyHash: string;
  readonly publicKey: Buffer;
}

/** `{name}+{key hash, 8 hex}+{base64(0x01 ‖ public key)}`, as C2SP signed-note writes keys. `publicKey`: base64url. */
export function verifierKey(publicKey: string, name = ours): string {
  const raw = Buffer.from(publicKey, 'base64url');
  return `${name}+${keyHash(name, raw).toString('hex')}+${Buffer.of(ed25519, ...raw).toString('base64')}`;
}

/**
 * The note: the text, an empty line, and a line for each signature.
 * @param text ends with LF
 */
export function signNote(text: string, signers: readonly SigningKey[], name = ours): string {
  if (!text.endsWith('\n')) throw new Error('A note must end with a line feed.');
  const lines = signers.map(({ privateKey, publicKey }) => {
    const hashed = keyHash(name, Buffer.from(publicKey, 'base64url'));
    return `— ${name} ${Buffer.concat([hashed, sign(null, Buffer.from(text), privateKey)]).toString('base64')}\n`;
  });
  return `${text}\n${lines.join('')}`;
}

/**
 * The text of a note and which of the known keys signed it; signatures of others say nothing and are passed over.
 * @param known keys as `verifierKey` writes them
 * @throws Error where no known key signed, or a signature in a known key's name is false
 */
export function openNote(note: string, known: readonly string[]): { text: string; signedBy: string[] } {
  const end = note.lastIndexOf('\n\n');
  const signatures = note.slice(end + 2);
  if (end < 0 || !signatures.endsWith('\n')) throw new Error('This is no signed note.');
  const text = note.slice(0, end + 1);
  const verifiers = known.map((line) => ({ line, ...readVerifier(line) }));
  const signedBy: string[] = [];
  for (const line of signatures.slice(0, -1).split('\n')) {
    const [, name, encoded = ''] = /^— ([^ +]+) ([A-Za-z0-9+/]+={0,2})$/.exec(line) ?? [];
    const bytes = Buffer.from(encoded, 'base64');
    if (name === undefined || bytes.length < 5 || bytes.toString('base64') !== encoded)
      throw new Error('The note has a malformed signature line.');
    const hashed = bytes.toString('hex', 0, 4);
    const signer = verifiers.find((one) => one.name === name && one.keyHash === hashed);
    if (signer === undefined) continue;
    if (!verify(null, Buffer.from(text), publicKeyOf(signer.publicKey), bytes.subarray(4)))
      throw new Error(`The signature of ${signer.line} does not hold for this note.`);
    signedBy.push(signer.line);
  }
  if (signedBy.length === 0) throw new Error('No known key signed this note.');
  return { text, signedBy };
}

/** First 16 hex digits of the SHA-256 of the raw public key in a line of `verifierKey`. */
export const keyIdOf = (line: string): string => hash('sha256', readVerifier(line).publicKey).slice(0, 16);

function readVerifier(line: string): Verifier {
  const [, name = '', hashed = '', encoded = ''] = /^([^+\s]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]{44})$/.exec(line) ?? [];
  const bytes = Buffer.from(encoded, 'base64');
  const publicKey = bytes.subarray(1);
  if (bytes[0] !== ed25519 || keyHash(name, publicKey).toString('hex') !== hashed)
    throw new Error(`${JSON.stringify(line)} is no key: it has the form ${ours}+{8 hex digits}+{base64}.`);
  return { name, keyHash: hashed, publicKey };
}

const keyHash = (name: string, publicKey: Buffer): Buffer =>
  hash('sha256', Buffer.concat([Buffer.from(`${name}\n`), Buffer.of(ed25519), publicKey]), 'buffer').subarray(0, 4);

const publicKeyOf = (raw: Buffer): KeyObject =>
  createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x: raw.toString('base64url') } });
