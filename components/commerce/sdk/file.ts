import type { Scope } from '@steward/kernel';
import { type Bundled, files } from './bundle.ts';

/** Ten minutes without a question, then a day in which an old copy may serve while it is asked whether there is a new one. */
const caching = 'public, max-age=600, stale-while-revalidate=86400';

/**
 * The browser SDK, forms at `{storefront}/sdk.js`, the shop at `shop.js`, both at `all.js`, and their declarations beside them, for pages of any origin. The name contains no hash: a page keeps the name, so
 * each later release would have to serve the files of all earlier ones.
 */
export function mountFiles(scope: Scope): void {
  for (const [name, file] of Object.entries(files)) mountFile(scope, `/storefront/v1/${name}`, file);
}

function mountFile(scope: Scope, path: string, file: Bundled): void {
  scope.get(path, async (request, reply) => {
    const encoding = encodingFor(request.headers['accept-encoding']);
    // A validator names the bytes as they are sent (RFC 9110 §8.8.3).
    const etag = `"${file.digest}${encoding === '' ? '' : `-${encoding}`}"`;
    reply
      .header('etag', etag)
      .header('cache-control', caching)
      .header('vary', 'Accept-Encoding')
      .header('access-control-allow-origin', '*')
      .header('cross-origin-resource-policy', 'cross-origin');
    const known = request.headers['if-none-match'] ?? '';
    if (known.split(',').some((one) => one.trim().replace(/^W\//, '') === etag)) return reply.code(304).send();
    if (encoding !== '') reply.header('content-encoding', encoding);
    return reply.type(file.type).send(encoding === '' ? file.bytes : await file[encoding]());
  });
}

/** The smallest form that the browser takes; `q=0` is a refusal. */
function encodingFor(accepted = ''): 'br' | 'gzip' | '' {
  const taken = new Set(
    accepted
      .toLowerCase()
      .split(',')
      .map((one) => one.split(';').map((part) => part.trim()))
      .filter(([, quality = '']) => !/^q=0(?:\.0*)?$/.test(quality))
      .map(([name]) => name),
  );
  if (taken.has('br')) return 'br';
  return taken.has('gzip') ? 'gzip' : '';
}
