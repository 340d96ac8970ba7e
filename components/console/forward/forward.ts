import { request as requestPlain, type IncomingMessage, type ServerResponse } from 'node:http';
import { request as requestSecure } from 'node:https';
import { pipeline } from 'node:stream';
import { answerProblem, fail, Problem, requestIdOf, trimEnd, type Log, type RequestHandler } from '@steward/kernel';
import type { Place } from '../place.ts';
import type { Target } from './target.ts';

export interface ForwardPorts {
  readonly addresses: Readonly<Record<Place, string>>;
  /** What this process serves itself needs no connection. */
  readonly served: (place: Place) => boolean;
  readonly log: Log;
}

/** For what another process begins to answer. Milliseconds. */
const patience = 30_000;

/** Of the browser and of a hop alone (RFC 9110 §7.6.1); the rest of a request is passed on. */
const own = ['cookie', 'authorization', 'x-tenant-id', 'origin', 'referer', 'x-steward-console', 'x-steward-acted'];
const ofHop = ['connection', 'keep-alive', 'proxy-authorization', 'te', 'trailer', 'upgrade'];

/**
 * Carries a request of the console to the API as the person's, streaming. In the process that serves the place it is given to the router as it is.
 * What is answered never runs as a page of this origin.
 */
export function createForward({ addresses, served, log }: ForwardPorts) {
  return (
    request: IncomingMessage,
    response: ServerResponse,
    { place, tenant, path }: Target,
    token: string,
    route: RequestHandler,
  ): void => {
    const address = new URL(addresses[place]);
    for (const name of own) delete request.headers[name];
    request.headers.authorization = `Bearer ${token}`;
    if (tenant !== undefined) request.headers['x-tenant-id'] = tenant;
    request.headers.host = address.host;
    request.url = trimEnd(address.pathname, '/') + path;
    response.setHeader('content-security-policy', "default-src 'none'; frame-ancestors 'none'; sandbox");
    response.setHeader('x-content-type-options', 'nosniff');
    if (served(place)) return route(request, response);
    for (const name of ofHop) delete request.headers[name];
    const open = address.protocol === 'https:' ? requestSecure : requestPlain;
    const { method, headers, url } = request;
    const outgoing = open(new URL(address.origin + url), { method, headers }, (answer) => {
      outgoing.setTimeout(0);
      for (const name of [...ofHop, 'content-security-policy']) delete answer.headers[name];
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      pipeline(answer, response, () => undefined);
    });
    outgoing.setTimeout(patience, () => outgoing.destroy(new Error('no answer in time')));
    outgoing.on('error', (err) => {
      if (response.headersSent) return void response.destroy();
      // Of the body, which is not to be passed on.
      if (request.errored instanceof Problem) return answerProblem(response, request.errored, requestIdOf(request));
      log.warn({ err, place }, 'the console cannot reach what serves this address');
      answerProblem(
        response,
        fail('unavailable', undefined, { headers: { 'retry-after': '5' } }),
        requestIdOf(request),
      );
    });
    response.on('close', () => outgoing.destroy());
    pipeline(request, outgoing, () => undefined);
  };
}
