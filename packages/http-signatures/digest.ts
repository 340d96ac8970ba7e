import { hash, timingSafeEqual } from 'node:crypto';
import { parseDictionary } from 'structured-headers';

const hashes: ReadonlyMap<string, string> = new Map([
  ['sha-256', 'sha256'],
  ['sha-512', 'sha512'],
]);
const longest = 1_000;

/** `Content-Digest` of a body (RFC 9530), by SHA-256. */
export const contentDigest = (body: Uint8Array): string => `sha-256=:${hash('sha256', body, 'base64')}:`;

/** Whether a `Content-Digest` is that of a body: by every hash of it that is known, of which there must be one. */
export function digestFits(header: string, body: Uint8Array): boolean {
  // What nearly everybody sends.
  if (header === contentDigest(body)) return true;
  if (header.length > longest) return false;
  let given;
  try {
    given = parseDictionary(header);
  } catch {
    return false;
  }
  let known = 0;
  for (const [name, [value]] of given) {
    const algorithm = hashes.get(name);
    if (algorithm === undefined) continue;
    const said = value instanceof ArrayBuffer ? Buffer.from(value) : undefined;
    const made = hash(algorithm, body, 'buffer');
    if (said === undefined || said.length !== made.length || !timingSafeEqual(said, made)) return false;
    known += 1;
  }
  return known > 0;
}
