import { Readable } from 'node:stream';
import { isVisit, Problem, takeFiles, type Reply, type Request, type Scope } from '@steward/kernel';
import { z } from 'zod';
import type { Answer, Route } from './route.ts';
import { placeOf, validator } from './validate.ts';

const admitted = new WeakMap<Request, unknown>();

/** Serves routes under a component's mount. Order: guard, content type, body, path, query, body's shape, verb. */
export function mountRoutes(scope: Scope, routes: readonly Route[]): void {
  for (const route of routes) {
    if (route.upload === undefined) mountRoute(scope, route);
    else mountUpload(scope, route, route.upload);
  }
}

function mountUpload(scope: Scope, route: Route, { types, mostBytes }: NonNullable<Route['upload']>): void {
  void scope.register(async (own) => {
    takeFiles(own, types, mostBytes);
    mountRoute(own, route);
  });
}

function mountRoute(scope: Scope, route: Route): void {
  const checkParams = route.params === undefined ? undefined : validator(route.params, 'path');
  // Whoever writes something into the address means it: nothing is done as if it were not there.
  const query = route.query ?? (route.guard.security === 'none' ? undefined : z.strictObject({}));
  const checkQuery = query === undefined ? undefined : validator(query, 'query');
  const checkBody = route.body === undefined ? undefined : validator(route.body, 'body');
  scope.route({
    method: route.method,
    url: route.path,
    ...(route.upload === undefined ? {} : { bodyLimit: route.upload.mostBytes }),
    onRequest: async (request) => {
      admitted.set(request, await route.guard.admit(request));
    },
    handler: async (request, reply) => {
      try {
        const input = {
          guard: admitted.get(request),
          params: checkParams?.(request.params),
          query: checkQuery?.(request.query),
          body: route.upload === undefined ? checkBody?.(request.body) : request.body,
          request,
        };
        return send(reply, await placed(route, async () => route.handle(input)));
      } catch (error) {
        if (route.refuse === undefined || !isVisit(request) || !(error instanceof Problem)) throw error;
        return send(reply, route.refuse(error, request));
      }
    },
  });
}

/** A verb says of its own input what is wrong with it; here it is said of where that was written. */
async function placed<T>({ params, query, body }: Route, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    throw error.placed((pointer) => {
      const [, name = '', ...rest] = pointer.split('/');
      if (names(body, name)) return pointer;
      if (names(params, name)) return placeOf([name, ...rest], 'path');
      return names(query, name) ? placeOf([name, ...rest], 'query') : pointer;
    });
  }
}

const names = (schema: z.ZodType | undefined, name: string): boolean =>
  schema instanceof z.ZodObject && Object.hasOwn(schema.shape, name);

const json = 'application/json; charset=utf-8';

function send(reply: Reply, { status, body, text, stream, type = json, headers = {} }: Answer): Reply {
  reply.code(status).headers(headers);
  // Not in object mode, in which sixteen chunks of any size are read ahead.
  if (stream !== undefined) return reply.type(type).send(Readable.from(stream, { objectMode: false }));
  const sent = text ?? (body === undefined ? undefined : JSON.stringify(body));
  return sent === undefined ? reply.send() : reply.type(type).send(sent);
}
