import type { IncomingMessage, ServerResponse } from 'node:http';
import { requestIdOf, trimEnd, type RequestHandler } from '@steward/kernel';
import type { SiteKey } from '@steward/studio';
import type { FormCounts } from '../counts/counts.ts';
import type { CommercePorts } from '../ports.ts';
import { keyTextOf, type Admission } from './admission.ts';
import { exposed } from './cors.ts';
import type { Page, ProductPages } from './product-pages.ts';
import { productPath } from './products.ts';
import { caching, matches, paths } from './routes.ts';

/**
 * What this process remembers and every page view asks for, a form's schema or a product, without the router. Only the answers 200 and
 * 304 are given here, with the headers that the routes give; the router gets whatever else comes, at an address it can read.
 */
export function quickly(
  {
    addresses,
    storefront,
    metrics,
    pages,
    counts,
  }: CommercePorts & { readonly pages: ProductPages; readonly counts: Pick<FormCounts, 'note'> },
  { admit, handOn }: Admission,
  route: RequestHandler,
): RequestHandler {
  const { pathname, host } = new URL(addresses.commerce);
  const base = trimEnd(pathname, '/');
  const [before = '', after = ''] = `${base}${paths.schema}`.split(':formId');
  const [beforeHandle = ''] = `${base}${productPath}`.split(':handle');
  const schemas: Remembered = {
    route: `${base}${paths.schema}`,
    of: (url) =>
      url.length === before.length + 36 + after.length && url.startsWith(before) && url.endsWith(after)
        ? url.slice(before.length, before.length + 36)
        : undefined,
    find: (key, formId) => {
      const found = storefront.published(key, formId);
      return found instanceof Promise ? undefined : found;
    },
  };
  const products: Remembered = {
    route: `${base}${productPath}`,
    of: (url) => {
      const handle = url.startsWith(beforeHandle) ? url.slice(beforeHandle.length) : '';
      return isPlain(handle) ? handle : undefined;
    },
    find: (key, handle) => pages.peek(key, handle),
  };
  const routed: RequestHandler = (request, response) => {
    request.url = routable(request.url ?? '', before);
    route(request, response);
  };

  return (request, response) => {
    const { url = '', headers } = request;
    const formId = schemas.of(url);
    const remembered = formId === undefined ? products : schemas;
    const name = formId ?? products.of(url);
    if (
      name === undefined ||
      request.method !== 'GET' ||
      headers.host !== host ||
      headers['content-length'] !== undefined ||
      headers['transfer-encoding'] !== undefined ||
      headers['content-encoding'] !== undefined
    )
      return routed(request, response);
    const began = performance.now();
    const admitted = admit(request);
    // Counters elsewhere, or a full one: the router waits for the same count.
    const key = admitted instanceof Promise || admitted.refusal !== undefined ? undefined : keyOf(request);
    const found = key === undefined ? undefined : remembered.find(key, name);
    if (found === undefined || admitted instanceof Promise) {
      handOn(request, admitted);
      return routed(request, response);
    }
    answer(request, response, found, admitted.fields);
    if (formId !== undefined && key !== undefined) counts.note(key, formId, 'reads');
    metrics.observe('GET', remembered.route, response.statusCode, (performance.now() - began) / 1000);
  };

  function keyOf(request: IncomingMessage): SiteKey | undefined {
    const text = keyTextOf(request);
    const key = text === undefined ? undefined : storefront.keyOf(text);
    if (key === undefined || key instanceof Promise) return undefined;
    const { origin } = request.headers;
    return origin === undefined || key.origins.includes(origin) ? key : undefined;
  }
}

/** Answers of one route. */
interface Remembered {
  readonly route: string;
  /** What the address asks for; undefined where it is another route's, or not written plainly. */
  of(url: string): string | undefined;
  /** Asks nobody. */
  find(key: SiteKey, name: string): Page | undefined;
}

/** Whether it is a handle that stands in an address as it is. */
const isPlain = (handle: string): boolean => handle.length <= 120 && /^[a-z0-9-]+$/.test(handle);

/** What the router can take for a part of a path; it answers for anything else before a limit is asked. */
const longest = 256;

/** The same address, but with a plain word in the place of a form's id that no router could read: it is no id either. */
function routable(url: string, before: string): string {
  if (!url.startsWith(before)) return url;
  const [id = ''] = url.slice(before.length).split(/[/?]/, 1);
  if (id.length <= longest && decodes(id)) return url;
  return `${before}unreadable${url.slice(before.length + id.length)}`;
}

function decodes(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

function answer(
  request: IncomingMessage,
  response: ServerResponse,
  page: Page,
  fields: Readonly<Record<string, string>>,
): void {
  const { origin, 'if-none-match': known } = request.headers;
  const headers = ['x-request-id', requestIdOf(request), ...unchanging, 'etag', page.etag];
  for (const name in fields) headers.push(name, fields[name] ?? '');
  if (origin !== undefined)
    headers.push('access-control-allow-origin', origin, 'access-control-expose-headers', exposed);
  if (known !== undefined && matches(known, page.etag)) {
    response.writeHead(304, headers).end();
    return;
  }
  const { length, encoding } = sent(page);
  headers.push('content-type', 'application/json; charset=utf-8', 'content-length', length);
  // As text it leaves in one piece with the head, as bytes in a second.
  response.writeHead(200, headers).end(page.text, encoding);
}

const unchanging = ['cache-control', caching, 'x-content-type-options', 'nosniff', 'vary', 'Origin'];

interface Sent {
  /** In bytes of UTF-8. */
  readonly length: string;
  /** Where every character is ASCII the bytes are the same, and are written sooner. */
  readonly encoding: 'latin1' | 'utf8';
}

const asSent = new WeakMap<Page, Sent>();

function sent(page: Page): Sent {
  const known = asSent.get(page);
  if (known !== undefined) return known;
  const bytes = Buffer.byteLength(page.text);
  const made: Sent = { length: String(bytes), encoding: bytes === page.text.length ? 'latin1' : 'utf8' };
  asSent.set(page, made);
  return made;
}
