import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { brotliCompressSync, gzipSync } from 'node:zlib';

const bytes = readFileSync(new URL('dist/storefront.js', import.meta.url));

/** The SDK as a file to serve; compressed once, so that serving is sending. */
export const sdk = {
  type: 'text/javascript; charset=utf-8',
  digest: createHash('sha256').update(bytes).digest('base64url').slice(0, 22),
  bytes,
  br: brotliCompressSync(bytes),
  gzip: gzipSync(bytes, { level: 9 }),
} as const;
