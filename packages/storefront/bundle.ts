import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { brotliCompressSync, gzipSync } from 'node:zlib';

const bytes = readFileSync(new URL('dist/storefront.js', import.meta.url));
const digest = createHash('sha384').update(bytes).digest();

/** The SDK as a file to serve. */
export const sdk = {
  type: 'text/javascript; charset=utf-8',
  bytes,
  /** Names these bytes: part of the address under which they never change. */
  version: digest.toString('hex').slice(0, 16),
  /** For `integrity` of a script element, and `script-src`. */
  integrity: `sha384-${digest.toString('base64')}`,
  /** Made once: serving is sending. */
  encoded: { br: brotliCompressSync(bytes), gzip: gzipSync(bytes, { level: 9 }) },
} as const;
