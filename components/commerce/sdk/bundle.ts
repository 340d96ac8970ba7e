import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';

/** A file to serve; compressed once, for the first who takes it so. */
export interface Bundled {
  readonly type: string;
  readonly digest: string;
  readonly bytes: Buffer;
  br(): Promise<Buffer>;
  gzip(): Promise<Buffer>;
}

const built = import.meta.resolve('@steward/storefront');

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return async () => (made ??= make());
}

function bundled(file: string, type: string): Bundled {
  const bytes = readFileSync(new URL(file, built));
  return {
    type,
    digest: createHash('sha256').update(bytes).digest('base64url').slice(0, 22),
    bytes,
    br: once(async () => promisify(brotliCompress)(bytes)),
    gzip: once(async () => promisify(gzip)(bytes, { level: 9 })),
  };
}

const script = 'text/javascript; charset=utf-8';
const text = 'text/plain; charset=utf-8';

const json = 'application/json; charset=utf-8';

/** By the name under which it is served: scripts, their languages, and their declarations for pages written in TypeScript. */
export const files = {
  'sdk.js': bundled('storefront.js', script),
  'sdk.d.ts': bundled('storefront.d.ts', text),
  'sdk.de.json': bundled('storefront.de.json', json),
  'sdk.es.json': bundled('storefront.es.json', json),
  'sdk.ja.json': bundled('storefront.ja.json', json),
  'all.js': bundled('all.js', script),
  'shop.js': bundled('shop.js', script),
  'shop.d.ts': bundled('shop.d.ts', text),
  'shop.de.json': bundled('shop.de.json', json),
  'shop.es.json': bundled('shop.es.json', json),
  'shop.ja.json': bundled('shop.ja.json', json),
} as const;
