import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { brotliCompressSync, gzipSync } from 'node:zlib';

/** A file to serve; compressed once, so that serving is sending. */
export interface Bundled {
  readonly type: string;
  readonly digest: string;
  readonly bytes: Buffer;
  readonly br: Buffer;
  readonly gzip: Buffer;
}

const built = import.meta.resolve('@steward/storefront');

function bundled(file: string, type: string): Bundled {
  const bytes = readFileSync(new URL(file, built));
  return {
    type,
    digest: createHash('sha256').update(bytes).digest('base64url').slice(0, 22),
    bytes,
    br: brotliCompressSync(bytes),
    gzip: gzipSync(bytes, { level: 9 }),
  };
}

export const sdk = bundled('storefront.js', 'text/javascript; charset=utf-8');
/** Its declarations, for whoever writes a page in TypeScript. */
export const declarations = bundled('storefront.d.ts', 'text/plain; charset=utf-8');
