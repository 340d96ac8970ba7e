import { hash } from 'node:crypto';
import { domainToASCII } from 'node:url';
import { isShallow, normalized } from '@steward/kernel';

/**
 * What is looked at of one body: its bytes, words in it, and how many of these differ. Where there is more, it counts as naming everybody: whoever has a secret
 * writes bodies that would take seconds.
 */
const most = { bytes: 131_072, words: 1_000, different: 64 };
const everybody = 'everybody';

/** Of a body: what is deeper is looked at as a text. */
const deepest = 64;

/** No address is longer (RFC 5321). */
const longest = 320;
const separators = /[^\p{L}\p{N}._+\-@]+/u;
const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/giu;
const phone = /^[+()\d\s./-]{7,40}$/;
/** Longer texts name somebody only by an address or an id. Bytes. */
const phoneLength = 40;
const base64 = /^[A-Za-z0-9+/=\s]{16,}$/;

/** Digits in which numbers agree, however they are written: with or without their country. */
const local = 8;

/** Words by which people are found in a text: e-mail addresses, ids of ours, and, where it is nothing else, a telephone number. */
function* wordsOf(text: string): Generator<string> {
  if (phone.test(text)) {
    const digits = text.replaceAll(/\D/g, '');
    if (digits.length >= local) yield digits.slice(-local);
  }
  if (text.includes('-')) for (const [id] of text.matchAll(uuid)) yield id.toLowerCase();
  if (!text.includes('@')) return;
  for (const token of text.split(separators)) {
    const at = token.lastIndexOf('@');
    if (at < 0 || token.length > longest) continue;
    const domain = token.slice(at + 1).replace(/\.$/, '');
    yield normalized(`${token.slice(0, at)}@${domainToASCII(domain) || domain}`, 'NFKC').toLowerCase();
  }
}

/** Every text in a body: of JSON those of its members, of a form its values and what they hold in base64, else all of it. */
function* textsOf(body: Buffer): Generator<string> {
  const text = body.toString('utf8');
  let value: unknown;
  try {
    value = isShallow(text, deepest) ? JSON.parse(text) : text;
  } catch {
    yield text;
    if (!/^[^\s=]{1,100}=/.test(text)) return;
    value = [...new URLSearchParams(text).values()];
  }
  const left: unknown[] = [value];
  while (left.length > 0) {
    const one = left.pop();
    if (typeof one === 'object' && one !== null) {
      for (const member of Object.values(one)) left.push(member);
    } else if (typeof one === 'string') {
      yield one;
      if (!base64.test(one)) continue;
      const decoded = Buffer.from(one, 'base64');
      if (decoded.length <= phoneLength || decoded.includes('@') || decoded.includes('-'))
        yield decoded.toString('utf8');
    }
  }
}

const digestOf = (tenant: string, word: string): Buffer =>
  hash('sha256', `${tenant} ${word}`, 'buffer').subarray(0, 16);

/** By what an erasure finds a body that names people: digests of words in it, of one tenant. */
export function mentionsOf(tenant: string, body: Buffer): Buffer[] {
  const all = [digestOf(tenant, everybody)];
  if (body.length > most.bytes) return all;
  const words = new Set<string>();
  let looked = 0;
  for (const text of textsOf(body))
    for (const word of wordsOf(text)) {
      words.add(word);
      looked += 1;
      if (words.size > most.different || looked > most.words) return all;
    }
  return [...words].map((word) => digestOf(tenant, word));
}

/** The same of ids: of what a delivery became, which may be of somebody whom its body does not name. */
export const mentionsIn = (tenant: string, texts: readonly string[]): Buffer[] =>
  [...new Set(texts.flatMap((text) => [...wordsOf(text)]))].map((word) => digestOf(tenant, word));

/** By what bodies are found that name somebody. @param texts ids, e-mail addresses and telephone numbers of theirs */
export const soughtBy = (tenant: string, texts: readonly string[]): Buffer[] => [
  digestOf(tenant, everybody),
  ...mentionsIn(tenant, texts),
];
