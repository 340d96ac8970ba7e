import { Readable } from 'node:stream';
import type { Reply, Request, Scope } from '@steward/kernel';
import type { Answer, Route } from './route.ts';
import { validator } from './validate.ts';

const admitted = new WeakMap<Request, unknown>();

/** Serves routes under a component's mount. Order: guard, content type, body, path, query, body's shape, verb. */
export function mountRoutes(scope: Scope, routes: readonly Route[]): void {
  for (const route of routes) mountRoute(scope, route);
}

function mountRoute(scope: Scope, route: Route): void {
  const checkParams = route.params === undefined ? undefined : validator(route.params, 'path');
  const checkQuery = route.query === undefined ? undefined : validator(route.query, 'query');
  const checkBody = route.body === undefined ? undefined : validator(route.body, 'body');
  scope.route({
    method: route.method,
    url: route.path,
    onRequest: async (request) => {
      admitted.set(request, await route.guard.admit(request));
    },
    handler: async (request, reply) => {
      const answer = await route.handle({
        guard: admitted.get(request),
        params: checkParams?.(request.params),
        query: checkQuery?.(request.query),
        body: checkBody?.(request.body),
        request,
      });
      return send(reply, answer);
    },
  });
}

const json = 'application/json; charset=utf-8';

function send(reply: Reply, { status, body, text, stream, type = json, headers = {} }: Answer): Reply {
  reply.code(status).headers(headers);
  // Not in object mode, in which sixteen chunks of any size are read ahead.
  if (stream !== undefined) return reply.type(type).send(Readable.from(stream, { objectMode: false }));
  const sent = text ?? (body === undefined ? undefined : JSON.stringify(body));
  return sent === undefined ? reply.send() : reply.type(type).send(sent);
}
