import type { IncomingMessage, ServerResponse } from 'node:http';
import { requestIdOf, type RequestHandler } from '@steward/kernel';
import type { PublishedSchema } from '@steward/studio';
import type { CommercePorts } from '../ports.ts';
import { keyTextOf, type Admission } from './admission.ts';
import { exposed } from './cors.ts';
import { caching, matches, paths } from './routes.ts';

/**
 * A form's schema that this process remembers, without the router: every page view asks for it. Only the answers 200 and
 * 304 are given here, with the headers that the route gives; whatever else a request is, the router gets it as it came.
 */
export function quickly(
  { addresses, storefront, metrics }: CommercePorts,
  { admit, handOn }: Admission,
  route: RequestHandler,
): RequestHandler {
  const { pathname, host } = new URL(addresses.commerce);
  const base = pathname.replace(/\/+$/, '');
  const [before = '', after = ''] = `${base}${paths.schema}`.split(':formId');
  const length = before.length + 36 + after.length;
  const name = `${base}${paths.schema}`;

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
      return route(request, response);
    const began = performance.now();
    const admitted = admit(request);
    const formId = url.slice(before.length, before.length + 36);
    // Counters elsewhere, or a full one: the router waits for the same count.
    const open = !(admitted instanceof Promise) && admitted.refusal === undefined;
    const found = open ? remembered(request, formId) : undefined;
    if (!open || found === undefined) {
      handOn(request, admitted);
      return route(request, response);
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
  headers.push('content-type', 'application/json; charset=utf-8', 'content-length', lengthOf(schema));
  // As text it leaves in one piece with the head, as bytes in a second.
  response.writeHead(200, headers).end(schema.text);
}

const unchanging = ['cache-control', caching, 'x-content-type-options', 'nosniff', 'vary', 'Origin'];

const lengths = new WeakMap<PublishedSchema, string>();

function lengthOf(schema: PublishedSchema): string {
  const known = lengths.get(schema) ?? String(Buffer.byteLength(schema.text));
  lengths.set(schema, known);
  return known;
}
