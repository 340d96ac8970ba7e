import { createPublicKey, hash, type KeyObject } from 'node:crypto';

/** RFC 7518 and RFC 8037; a key's own type says which it is. */
export type Algorithm = 'ES256' | 'ES384' | 'EdDSA';

/** As RFC 7517 has it, and as somebody else wrote it. */
export type JsonWebKey = Readonly<Record<string, unknown>>;

export interface UsableKey {
  readonly kid: string;
  readonly algorithm: Algorithm;
  readonly key: KeyObject;
  /** RFC 7638, base64url. */
  readonly thumbprint: string;
}

/** Keys by their ids; `unsupported` are those of a type that is not known here. */
export type KeySet = ReadonlyMap<string, UsableKey | 'unsupported'>;

/** Keys of one set that are looked at. */
export const mostKeys = 100;

const longestId = 500;

/** By `kty` and `crv`: the algorithm, the hash of its messages, and the length of its signatures in bytes. */
const curves: ReadonlyMap<
  string,
  { readonly algorithm: Algorithm; readonly hash: string | null; readonly length: number; readonly name: string }
> = new Map([
  ['EC P-256', { algorithm: 'ES256', hash: 'sha256', length: 64, name: 'ecdsa-p256-sha256' }],
  ['EC P-384', { algorithm: 'ES384', hash: 'sha384', length: 96, name: 'ecdsa-p384-sha384' }],
  ['OKP Ed25519', { algorithm: 'EdDSA', hash: null, length: 64, name: 'ed25519' }],
]);
export const termsOf = (algorithm: Algorithm) => {
  const found = curves.values().find((one) => one.algorithm === algorithm);
  if (found === undefined) throw new Error(`there is no ${algorithm}`);
  return found;
};

const membersOf = ({ kty, crv, x, y }: JsonWebKey) => (kty === 'EC' ? { crv, kty, x, y } : { crv, kty, x });

/** Of an EC or OKP key (RFC 7638 §3.2). */
export const thumbprint = (jwk: JsonWebKey): string => hash('sha256', JSON.stringify(membersOf(jwk)), 'base64url');

/** What a key shows of itself: whatever else it holds is left out. */
export function publicJwk(key: KeyObject): JsonWebKey & { readonly kid: string } {
  const jwk = membersOf((key.type === 'private' ? createPublicKey(key) : key).export({ format: 'jwk' }) as JsonWebKey);
  const curve = curves.get(`${String(jwk.kty)} ${String(jwk.crv)}`);
  if (curve === undefined) throw new Error('the key is of a type that signs nothing here');
  return { kid: thumbprint(jwk), ...jwk, use: 'sig', alg: curve.algorithm };
}

/**
 * The keys of a set that may verify: those for encryption, without an id, or broken are left out, as if they were not there; of two with one id the
 * first counts. Sets are open: what is not known makes nothing else unusable.
 */
export function keySetOf(jwks: readonly unknown[]): KeySet {
  const keys = new Map<string, UsableKey | 'unsupported'>();
  for (const jwk of jwks.slice(0, mostKeys)) {
    if (typeof jwk !== 'object' || jwk === null || Array.isArray(jwk)) continue;
    const { kid, use, key_ops: uses, alg, kty, crv } = jwk as JsonWebKey;
    if (typeof kid !== 'string' || kid === '' || kid.length > longestId || keys.has(kid)) continue;
    if (use !== undefined && use !== 'sig') continue;
    if (uses !== undefined && !(Array.isArray(uses) && uses.includes('verify'))) continue;
    const curve = curves.get(`${String(kty)} ${String(crv)}`);
    if (
      curve === undefined ||
      (alg !== undefined && alg !== curve.algorithm && !(curve.hash === null && alg === 'Ed25519'))
    ) {
      keys.set(kid, 'unsupported');
      continue;
    }
    const members = membersOf(jwk as JsonWebKey);
    try {
      const key = createPublicKey({ key: members as never, format: 'jwk' });
      keys.set(kid, { kid, algorithm: curve.algorithm, key, thumbprint: thumbprint(members) });
    } catch {
      // No point of the curve, or not base64url.
    }
  }
  return keys;
}
