import {
  answerProblem,
  fail,
  leadOn,
  type Log,
  logFailure,
  problemOf,
  type RequestHandler,
  requestIdOf,
} from '@steward/kernel';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { catalogPath } from '../pages/catalog.ts';
import type { Holder } from './holder.ts';
import type { Hosts } from './find.ts';
import { originAt } from './place.ts';
import { nameIn } from './name.ts';

/** Probes must be answered under any name, also while nobody can say whose it is. */
const probes = new Set(['/healthz', '/readyz']);

/** Where what a brand shows at its host stands below commerce’s address; undefined: nothing is there. */
export function placeOf(path: string, brandId: string): string | undefined {
  if (path === '/.well-known/ucp' || path.startsWith('/.well-known/ucp/') || path === '/.well-known/agent-card.json')
    return `/ucp/${brandId}${path}`;
  if (path === '/.well-known/acp.json') return `/acp/${brandId}${path}`;
  if (path.startsWith('/ucp/') || path.startsWith('/acp/')) return `${path.slice(0, 4)}/${brandId}${path.slice(4)}`;
  if (path === '/llms.txt' || path === catalogPath) return `/agentic/${brandId}${path}`;
  return undefined;
}

/**
 * In front of every router: at the host of a brand its doors for agents stand at the root, and nothing else of the platform is there. Whatever else a request
 * names as its host is as it was. Only `Host` counts, which a proxy passes on; what it says is in no answer before it is known.
 */
export function createFront({
  find,
  own,
  commerce,
  log,
}: {
  readonly find: Hosts['find'];
  readonly own: ReadonlySet<string>;
  readonly commerce: string;
  readonly log: Log;
}): (route: RequestHandler) => RequestHandler {
  const { protocol, host, pathname } = new URL(commerce);
  const mount = pathname === '/' ? '' : pathname;

  const refuse = (request: IncomingMessage, response: ServerResponse, error: unknown): void => {
    const problem = problemOf(error as Error);
    const requestId = requestIdOf(request);
    if (problem.status >= 500) logFailure(log, problem, { requestId }, 'the host of a request was not looked up');
    // What was sent is not read.
    response.setHeader('connection', 'close');
    answerProblem(response, problem, requestId);
  };

  return (route) => {
    const serve = (request: IncomingMessage, response: ServerResponse, name: string, holder: Holder): void => {
      const { url = '' } = request;
      const [path = ''] = url.split('?', 1);
      const place = placeOf(path, holder.brandId);
      if (place === undefined)
        return refuse(request, response, fail('not_found', 'Nothing is served at this address.'));
      const origin = originAt(name, commerce);
      const arrival = { origin, url: `${protocol}//${request.headers.host?.toLowerCase() ?? name}${url}` };
      leadOn(request, arrival, { url: `${mount}${place}${url.slice(path.length)}`, host });
      route(request, response);
    };
    return (request, response) => {
      const header = request.headers.host ?? '';
      const name = header === host ? undefined : nameIn(header);
      if (name === undefined || own.has(name)) return route(request, response);
      const settle = (holder: Holder | undefined): void =>
        holder === undefined ? route(request, response) : serve(request, response, name, holder);
      try {
        const found = find(name);
        if (!(found instanceof Promise)) return settle(found);
        found.then(settle, (error: unknown) =>
          probes.has(request.url ?? '') ? route(request, response) : refuse(request, response, error),
        );
      } catch (error) {
        refuse(request, response, error);
      }
    };
  };
}
