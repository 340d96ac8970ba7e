import type { IncomingMessage, ServerResponse } from 'node:http';
import { requestIdOf, trimEnd, type RequestHandler } from '@steward/kernel';
import type { PublishedSchema } from '@steward/studio';
import type { CommercePorts } from '../ports.ts';
import { keyTextOf, type Admission } from './admission.ts';
import { exposed } from './cors.ts';
import { caching, matches, paths } from './routes.ts';

/**
 * A form's schema that this process remembers, without the router: every page view asks for it. Only the answers 200 and
 * 304 are given here, with the headers that the route gives; the router gets whatever else comes, at an address it can read.
 */
export function quickly(
  { addresses, storefront, metrics }: CommercePorts,
  { admit, handOn }: Admission,
  route: RequestHandler,
): RequestHandler {
  const { pathname, host } = new URL(addresses.commerce);
  const base = trimEnd(pathname, '/');
  const [before = '', after = ''] = `${base}${paths.schema}`.split(':formId');
  const length = before.length + 36 + after.length;
  const name = `${base}${paths.schema}`;
  const routed: RequestHandler = (request, response) => {
    request.url = routable(request.url ?? '', before);
    route(request, response);
  };

  return (request, response) => {
    const { url = '', headers } = request;
    if (
      url.length !== length ||
      request.method !== 'GET' ||
      !url.startsWith(before) ||
      !url.endsWith(after) ||
      headers.host !== host ||
      headers['content-length'] !== undefined ||
      headers['transfer-encoding'] !== undefined ||
      headers['content-encoding'] !== undefined
    )
      return routed(request, response);
    const began = performance.now();
    const admitted = admit(request);
    const formId = url.slice(before.length, before.length + 36);
    // Counters elsewhere, or a full one: the router waits for the same count.
    const open = !(admitted instanceof Promise) && admitted.refusal === undefined;
    const found = open ? remembered(request, formId) : undefined;
    if (!open || found === undefined) {
      handOn(request, admitted);
      return routed(request, response);
    }
    answer(request, response, found, admitted.fields);
    metrics.observe('GET', name, response.statusCode, (performance.now() - began) / 1000);
  };

  function remembered(request: IncomingMessage, formId: string): PublishedSchema | undefined {
    const text = keyTextOf(request);
    const key = text === undefined ? undefined : storefront.keyOf(text);
    if (key === undefined || key instanceof Promise) return undefined;
    const { origin } = request.headers;
    if (origin !== undefined && !key.origins.includes(origin)) return undefined;
    const found = storefront.published(key, formId);
    return found instanceof Promise ? undefined : found;
  }
}

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
  schema: PublishedSchema,
  fields: Readonly<Record<string, string>>,
): void {
  const { origin, 'if-none-match': known } = request.headers;
  const headers = ['x-request-id', requestIdOf(request), ...unchanging, 'etag', schema.etag];
  for (const name in fields) headers.push(name, fields[name] ?? '');
  if (origin !== undefined)
    headers.push('access-control-allow-origin', origin, 'access-control-expose-headers', exposed);
  if (known !== undefined && matches(known, schema.etag)) {
    response.writeHead(304, headers).end();
    return;
  }
  const { length, encoding } = sent(schema);
  headers.push('content-type', 'application/json; charset=utf-8', 'content-length', length);
  // As text it leaves in one piece with the head, as bytes in a second.
  response.writeHead(200, headers).end(schema.text, encoding);
}

const unchanging = ['cache-control', caching, 'x-content-type-options', 'nosniff', 'vary', 'Origin'];

interface Sent {
  /** In bytes of UTF-8. */
  readonly length: string;
  /** Where every character is ASCII the bytes are the same, and are written sooner. */
  readonly encoding: 'latin1' | 'utf8';
}

const asSent = new WeakMap<PublishedSchema, Sent>();

function sent(schema: PublishedSchema): Sent {
  const known = asSent.get(schema);
  if (known !== undefined) return known;
  const bytes = Buffer.byteLength(schema.text);
  const made: Sent = { length: String(bytes), encoding: bytes === schema.text.length ? 'latin1' : 'utf8' };
  asSent.set(schema, made);
  return made;
}
