import { verify as verifySignature } from 'node:crypto';
import { isInnerList, parseDictionary, serializeInnerList } from 'structured-headers';
import { signatureBase } from './base.ts';
import { digestFits } from './digest.ts';
import { type KeySet, termsOf, type UsableKey } from './keys.ts';
import {
  type AnyMessage,
  type Component,
  fieldOf,
  type RequestMessage,
  type ResponseMessage,
  targetOf,
} from './message.ts';

/** Why no signature of a message counts: that of the one that came furthest. */
export type Refusal =
  | 'signature_missing'
  | 'key_not_found'
  | 'algorithm_unsupported'
  | 'digest_mismatch'
  | 'signature_invalid';
const furthest: readonly Refusal[] = [
  'signature_missing',
  'key_not_found',
  'algorithm_unsupported',
  'digest_mismatch',
  'signature_invalid',
];

export interface Verified {
  readonly label: string;
  readonly key: UsableKey;
  /** What it was made for, where it says so. */
  readonly tag: string | undefined;
}

export interface VerifyOptions {
  readonly keys: KeySet;
  /** Names of what a signature must cover to count; one that covers less is as good as none. */
  readonly required: readonly string[];
  /** Purposes (`tag`) that count: one that was made for another is passed over. Undefined: any. */
  readonly tags?: readonly string[];
  /** Milliseconds since 1970. */
  readonly now?: number;
}

/** Signatures of one message that are tried. */
const most = 8;
/** Of both fields, in characters. */
const longest = 8_000;
/** How far clocks may differ. Seconds. */
const skew = 60;

/**
 * Verifies a message by any one of its signatures (RFC 9421 §4.3). Its work is bounded by the length of the message and by eight verifications.
 * Whether something was signed before is not asked: a signature is no proof against repetition.
 */
export function verify(message: AnyMessage, options: VerifyOptions): Verified | Refusal {
  const [input, signature] = [fieldOf(message, 'signature-input'), fieldOf(message, 'signature')];
  if (input === undefined || signature === undefined) return 'signature_missing';
  if (input.length > longest || signature.length > longest) return 'signature_invalid';
  const described = descriptionsIn(input);
  const signatures = signaturesIn(signature);
  if (described === undefined || signatures === undefined) return 'signature_invalid';
  let refusal: Refusal = 'signature_missing';
  let tried = 0;
  for (const [label, description] of described) {
    const bytes = signatures.get(label);
    if (bytes === undefined) continue;
    if ((tried += 1) > most) break;
    const verdict = verifyOne(message, description, { label, bytes }, options);
    if (typeof verdict !== 'string') return verdict;
    if (furthest.indexOf(verdict) > furthest.indexOf(refusal)) refusal = verdict;
  }
  return refusal;
}

interface Described {
  readonly components: readonly Component[];
  /** As the base has them. */
  readonly params: string;
  readonly keyid: string | undefined;
  readonly alg: string | undefined;
  readonly tag: string | undefined;
  readonly created: number | undefined;
  readonly expires: number | undefined;
}

function verifyOne(
  message: AnyMessage,
  described: Described | undefined,
  { label, bytes }: { readonly label: string; readonly bytes: Buffer },
  { keys, required, tags, now = Date.now() }: VerifyOptions,
): Verified | Refusal {
  if (described === undefined) return 'signature_invalid';
  const { components, params, keyid, alg, tag, created, expires } = described;
  if (tag !== undefined && tags?.includes(tag) === false) return 'signature_missing';
  if (!required.every((name) => components.some((one) => one.name === name && isWhole(one, label))))
    return 'signature_missing';
  const key = keyid === undefined ? undefined : keys.get(keyid);
  if (key === undefined) return 'key_not_found';
  if (key === 'unsupported') return 'algorithm_unsupported';
  const { hash, length, name } = termsOf(key.algorithm);
  // The key says what it is; whoever says it again must say the same (RFC 9421 §3.2).
  if (alg !== undefined && alg !== name) return 'algorithm_unsupported';
  if (tag === 'web-bot-auth' && (keyid !== key.thumbprint || expires === undefined || created === undefined))
    return 'signature_invalid';
  const seconds = now / 1_000;
  if ((expires !== undefined && expires < seconds - skew) || (created !== undefined && created > seconds + skew))
    return 'signature_invalid';
  if (components.some((one) => one.name === 'content-digest')) {
    const digest = fieldOf(message, 'content-digest');
    if (digest === undefined || !digestFits(digest, message.body)) return 'digest_mismatch';
  }
  // Raw r and s, and not DER (§3.3.4): only one length is right.
  if (bytes.length !== length) return 'signature_invalid';
  const base = signatureBase(message, components, params);
  if (base === undefined) return 'signature_invalid';
  const good = verifySignature(hash, Buffer.from(base, 'latin1'), { key: key.key, dsaEncoding: 'ieee-p1363' }, bytes);
  return good ? { label, key, tag } : 'signature_invalid';
}

/** Of one member of a field nothing follows for the rest of it. `Signature-Agent` alone has a member for each signature, by its label. */
const isWhole = ({ name, key }: Component, label: string): boolean =>
  key === undefined || (name === 'signature-agent' && key === label);

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
const integerOf = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);

/** Those of each label, in their order; undefined for one that is of no use here. */
function descriptionsIn(field: string): ReadonlyMap<string, Described | undefined> | undefined {
  const known = descriptions.get(field);
  if (known !== undefined) return known;
  let members;
  try {
    members = parseDictionary(field);
  } catch {
    return undefined;
  }
  const found = new Map<string, Described | undefined>();
  for (const [label, member] of members) {
    if (!isInnerList(member)) return undefined;
    const [items, params] = member;
    const components = items.map(componentOf);
    const usable =
      components.every((one) => one !== undefined) && new Set(components.map((one) => one?.id)).size === items.length;
    found.set(
      label,
      usable
        ? {
            components: components as Component[],
            params: serializeInnerList(member),
            keyid: textOf(params.get('keyid')),
            alg: textOf(params.get('alg')),
            tag: textOf(params.get('tag')),
            created: integerOf(params.get('created')),
            expires: integerOf(params.get('expires')),
          }
        : undefined,
    );
  }
  // A sender says the same with each request, unless it says a time.
  if (descriptions.size >= mostDescriptions) descriptions.clear();
  if (field.length <= 1_000) descriptions.set(field, found);
  return found;
}

const mostDescriptions = 1_000;
const descriptions = new Map<string, ReadonlyMap<string, Described | undefined>>();

/** Undefined where it says what is not known here: parameters change what a value is. */
function componentOf([name, params]: readonly [unknown, ReadonlyMap<string, unknown>]): Component | undefined {
  if (typeof name !== 'string' || !/^@?[a-z0-9!#$%&'*+.^_`|~-]{1,200}$/.test(name)) return undefined;
  if (params.size === 0) return { name, key: undefined, id: `"${name}"` };
  const key = params.get('key');
  if (params.size > 1 || typeof key !== 'string' || name.startsWith('@') || !/^[a-z0-9_.*-]{1,200}$/.test(key))
    return undefined;
  return { name, key, id: `"${name}";key="${key}"` };
}

function signaturesIn(field: string): ReadonlyMap<string, Buffer> | undefined {
  // What nearly everybody sends: one.
  const one = /^([a-z*][a-z0-9_.*-]{0,100})=:([A-Za-z0-9+/]{1,1000}={0,2}):$/.exec(field);
  if (one?.[1] !== undefined && one[2] !== undefined) return new Map([[one[1], Buffer.from(one[2], 'base64')]]);
  try {
    const found = new Map<string, Buffer>();
    for (const [label, [value]] of parseDictionary(field))
      if (value instanceof ArrayBuffer) found.set(label, Buffer.from(value));
    return found;
  } catch {
    return undefined;
  }
}

/** What a request's signature must cover: its target, its body, and those of `fields` that it has. */
export function requiredOf(message: RequestMessage, fields: readonly string[] = []): string[] {
  return [
    '@method',
    '@authority',
    '@path',
    ...(targetOf(message.url).query === undefined ? [] : ['@query']),
    ...(message.body.length === 0 ? [] : ['content-digest', 'content-type']),
    ...fields.filter((name) => message.headers[name] !== undefined),
  ];
}

export const requiredOfAnswer = (message: ResponseMessage): string[] => [
  '@status',
  ...(message.body.length === 0 ? [] : ['content-digest', 'content-type']),
];
