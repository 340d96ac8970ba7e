import type { Scope } from '@steward/kernel';
import { sdk } from '@steward/storefront/bundle';

/** Ten minutes without a question, then a day in which an old copy may serve while it is asked whether there is a new one. */
const caching = 'public, max-age=600, stale-while-revalidate=86400';

/**
 * The browser SDK at `{storefront}/sdk.js`, for pages of any origin. Not under a name with its hash: a page keeps the name, and
 * the next release of the server would have to answer for every file that any release ever had.
 */
export function mountFile(scope: Scope): void {
  scope.get('/storefront/v1/sdk.js', async (request, reply) => {
    const { encoding, bytes } = encodedFor(request.headers['accept-encoding']);
    // A validator names the bytes as they are sent (RFC 9110 §8.8.3).
    const etag = `"${sdk.digest}${encoding === '' ? '' : `-${encoding}`}"`;
    reply
      .header('etag', etag)
      .header('cache-control', caching)
      .header('vary', 'Accept-Encoding')
      .header('access-control-allow-origin', '*')
      .header('cross-origin-resource-policy', 'cross-origin');
    const known = request.headers['if-none-match'] ?? '';
    if (known.split(',').some((one) => one.trim().replace(/^W\//, '') === etag)) return reply.code(304).send();
    if (encoding !== '') reply.header('content-encoding', encoding);
    return reply.type(sdk.type).send(bytes);
  });
}

/** The smallest form that the browser takes; `q=0` is a refusal. */
function encodedFor(accepted = ''): { encoding: 'br' | 'gzip' | ''; bytes: Buffer } {
  const taken = new Set(
    accepted
      .toLowerCase()
      .split(',')
      .map((one) => one.split(';').map((part) => part.trim()))
      .filter(([, quality = '']) => !/^q=0(?:\.0*)?$/.test(quality))
      .map(([name]) => name),
  );
  if (taken.has('br')) return { encoding: 'br', bytes: sdk.br };
  if (taken.has('gzip')) return { encoding: 'gzip', bytes: sdk.gzip };
  return { encoding: '', bytes: sdk.bytes };
}
