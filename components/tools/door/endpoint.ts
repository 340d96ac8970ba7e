import type { IncomingMessage } from 'node:http';
import { fail, type Door } from '@steward/kernel';
import { errors } from '../errors.ts';
import type { ToolServer } from '../rpc/request.ts';
import { createDispatcher } from '../rpc/dispatch.ts';
import { addressing, pathOf, type Place } from './address.ts';
import { internalScopes, publicScopes } from './bearer.ts';
import { bodyReader } from './body.ts';
import { Exchange, type Counter } from './exchange.ts';
import { createManifests } from './manifest.ts';

export interface EndpointOptions extends Pick<Counter, 'hosts' | 'crossOrigin' | 'admit'> {
  readonly base: string;
  /** The endpoint that this base is an alias of, or the base itself: its tokens open the base too. */
  readonly endpoint: string;
}

/** The tool endpoint at one base address. */
export function createEndpoint(
  server: ToolServer,
  { base, endpoint, hosts, crossOrigin, admit }: EndpointOptions,
): Door {
  const place = addressing(base, endpoint);
  const counter: Counter = {
    server,
    route: new URL(base).pathname,
    scopes: server.surface === 'public' ? publicScopes : internalScopes,
    locate: (request) => served(place(pathOf(request.url ?? '/')), request),
    hosts,
    crossOrigin,
    admit,
    readBody: bodyReader(server.deps.bodyMilliseconds ?? 10_000),
    dispatch: createDispatcher(server),
    manifest: createManifests(server),
  };
  return { base, handle: (request, response) => new Exchange(counter, request, response).serve() };
}

/** @throws Problem 410, 404, 405 or 400 */
function served(place: Place | undefined, { method, url = '/' }: IncomingMessage): Exclude<Place, { kind: 'retired' }> {
  if (place === undefined) throw fail('not_found', 'There is nothing at this address.');
  if (place.kind === 'retired') throw sseRetired();
  if (place.kind === 'endpoint' && method !== 'POST') throw wrongMethod('POST');
  if (place.kind === 'manifest' && method !== 'GET' && method !== 'HEAD') throw wrongMethod('GET, HEAD');
  requireByPath(url);
  return place;
}

/** What the path says elsewhere: whoever gives it behind the path means another tenant, or other tools, than they would reach. */
const byPath = new Map(
  Object.entries({
    tenant: '/t/<tenant id>',
    tenant_id: '/t/<tenant id>',
    tenantid: '/t/<tenant id>',
    org: '/t/<tenant id>',
    org_id: '/t/<tenant id>',
    pillar: '/p/<pillar>',
    area: '/p/<pillar>/<area>',
  }),
);

/** Other parameters, such as those of a gateway between, say nothing here. @throws Problem 400 */
function requireByPath(target: string): void {
  const query = target.indexOf('?');
  if (query < 0) return;
  for (const name of new URLSearchParams(target.slice(query)).keys()) {
    const path = byPath.get(name.toLowerCase());
    if (path !== undefined)
      throw fail(
        'invalid_request',
        `Say it in the path of the tool endpoint, as in …${path}: the parameter ${name} is not read here.`,
      );
  }
}

const wrongMethod = (allow: string): Error =>
  fail('method_not_allowed', `Use ${allow.replace(', ', ' or ')} here.`, { headers: { allow } });

export const sseRetired = (): Error =>
  errors('legacy_sse_retired', 'Send JSON-RPC requests by POST to the tool endpoint (streamable HTTP).');
