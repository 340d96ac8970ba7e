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

/** @throws Problem 410, 404 or 405 */
function served(place: Place | undefined, { method }: IncomingMessage): Exclude<Place, { kind: 'retired' }> {
  if (place === undefined) throw fail('not_found', 'There is nothing at this address.');
  if (place.kind === 'retired') throw sseRetired();
  if (place.kind === 'endpoint' && method !== 'POST') throw wrongMethod('POST');
  if (place.kind === 'manifest' && method !== 'GET' && method !== 'HEAD') throw wrongMethod('GET, HEAD');
  return place;
}

const wrongMethod = (allow: string): Error =>
  fail('method_not_allowed', `Use ${allow.replace(', ', ' or ')} here.`, { headers: { allow } });

export const sseRetired = (): Error =>
  errors('legacy_sse_retired', 'Send JSON-RPC requests by POST to the tool endpoint (streamable HTTP).');
