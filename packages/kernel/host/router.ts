import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { fail, Problem } from '../errors.ts';
import { html } from '../html.ts';
import { parseJson } from '../json/parse.ts';
import { logFailure, type Log } from '../log.ts';
import { pageHeaders, pageText } from '../page.ts';
import { trimEnd } from '../trim.ts';
import { presentProblem, problemOf } from '../problem.ts';
import type { Door, RequestHandler } from './listener.ts';
import { answerProblem } from './answer.ts';
import { requestIdOf } from './request-id.ts';
import { allowedMethods, rememberRoutes } from './methods.ts';

export interface Mount {
  /**
   * Public base URL of the component: its path is the prefix, its host a constraint where hosts differ. Undefined: at the
   * root of every host.
   */
  readonly base: string | undefined;
  readonly register: (scope: FastifyInstance) => void | Promise<void>;
}

export interface RouterOptions {
  readonly server: Server;
  readonly mounts: readonly Mount[];
  readonly doors: readonly Door[];
  readonly log: Log;
  /** Every request, once its answer has left. */
  readonly observe: (method: string, route: string, status: number, seconds: number) => void;
}

export const bodyLimit = 1_048_576;

/** What is sent and answered is checked by the route itself. */
const noCompiler = (): never => {
  throw new Error('the router compiles no schemas');
};

/** One router over all mounts. Doors come first: they own their address and are not routed. */
export async function createRouter(
  options: RouterOptions,
): Promise<{ handle: RequestHandler; close: () => Promise<void> }> {
  // Only who serves pays for loading it: a sixth of what the other processes, and most tests, load.
  const { fastify } = await import('fastify');
  let route: RequestHandler = () => undefined;
  const app = fastify({
    serverFactory: (handler) => {
      route = handler as RequestHandler;
      return options.server;
    },
    genReqId: requestIdOf as (request: unknown) => string,
    requestIdHeader: false,
    bodyLimit,
    logger: false,
    exposeHeadRoutes: true,
    routerOptions: { maxParamLength: 256, ignoreTrailingSlash: false },
    // Without these it loads two compilers of JSON Schema, 130 modules, for routes that have no schema of its kind.
    schemaController: { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } },
    frameworkErrors: (error, request, reply) => {
      void sendProblem(reply, requestProblem(error), request.id);
    },
    clientErrorHandler: () => undefined,
  });
  readJsonStrictly(app);
  const known = rememberRoutes(app);
  const unknownAddress = (request: FastifyRequest): Problem => {
    const allowed = allowedMethods(known, request);
    return allowed.length === 0
      ? fail('not_found', 'Nothing is served at this address.')
      : fail('method_not_allowed', `Use ${allowed.join(' or ')} here.`, { headers: { allow: allowed.join(', ') } });
  };
  app.addHook('onRequest', async (request, reply) => {
    reply
      .header('x-request-id', request.id)
      .header('cache-control', 'no-store')
      .header('x-content-type-options', 'nosniff');
    // Here, because a body is read and parsed before the handler of what is not found.
    if (request.is404) {
      const problem = unknownAddress(request);
      if (isVisit(request)) return reply.code(problem.status).headers(problem.headers).headers(pageHeaders).send(lost);
      throw problem;
    }
    const encoding = request.headers['content-encoding'];
    if (encoding !== undefined && encoding.toLowerCase() !== 'identity') throw fail('unsupported_content_encoding');
  });
  app.addHook('onResponse', async (request, reply) => {
    options.observe(request.method, request.routeOptions.url ?? 'none', reply.statusCode, reply.elapsedTime / 1000);
  });
  app.setErrorHandler(async (error, request, reply) => {
    const problem = requestProblem(error as Error);
    // Whoever asked has gone away, and what was done for them ended with that.
    const isLeft = request.raw.destroyed && error instanceof DOMException && error.name === 'AbortError';
    if (problem.status >= 500 && !isLeft) {
      logFailure(options.log, problem, { requestId: request.id, route: request.routeOptions.url }, 'request failed');
    }
    return sendProblem(reply, problem, request.id);
  });
  app.setNotFoundHandler((request) => {
    throw unknownAddress(request);
  });
  const constrain = hostsDiffer([...options.mounts, ...options.doors].flatMap(({ base }) => base ?? []));
  for (const { base, register } of options.mounts) {
    const { prefix, host } = base === undefined ? { prefix: '', host: undefined } : placement(base, constrain);
    const scoped = async (scope: FastifyInstance): Promise<void> => {
      if (host !== undefined) {
        scope.addHook('onRoute', (route) => {
          route.constraints = { ...route.constraints, host };
        });
      }
      await register(scope);
    };
    await app.register(scoped, { prefix });
  }
  await app.ready();
  return { handle: withDoors(options.doors, constrain, route), close: async () => app.close() };
}

/** A person who follows a link or types an address: what programs ask for does not name HTML. */
export const isVisit = ({ method, headers }: FastifyRequest): boolean =>
  method === 'GET' && /(?:^|,)\s*text\/html\b/.test(headers.accept ?? '');

const lost = pageText(
  'Nothing is here',
  html`<h1>Nothing is here</h1>
    <p>This address is for programs, or nothing is served at it. <a href="/about">What runs here</a></p>`,
);

function hostsDiffer(bases: readonly string[]): boolean {
  return new Set(bases.map((base) => new URL(base).host)).size > 1;
}

function placement(base: string, constrain: boolean): { prefix: string; host: string | undefined } {
  const url = new URL(base);
  return { prefix: trimEnd(url.pathname, '/'), host: constrain ? url.host : undefined };
}

function withDoors(doors: readonly Door[], constrain: boolean, route: RequestHandler): RequestHandler {
  const table = doors.map(({ base, handle }) => {
    const { prefix, host } = placement(base, constrain);
    return { host, path: prefix, under: `${prefix}/`, query: `${prefix}?`, handle };
  });
  return (request: IncomingMessage, response: ServerResponse) => {
    const url = request.url ?? '/';
    for (const door of table) {
      if (door.host !== undefined && door.host !== request.headers.host) continue;
      if (url === door.path || url.startsWith(door.under) || url.startsWith(door.query)) {
        door.handle(request, response);
        return;
      }
    }
    route(request, response);
  };
}

function readJsonStrictly(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    // Some clients name a content type for every request, and a DELETE has no body.
    if (request.method === 'DELETE' && body.length === 0) return done(null, undefined);
    try {
      done(null, parseJson(body as Buffer));
    } catch (error) {
      done(error as Error);
    }
  });
}

/** In a scope of its own: takes bodies of these types alone, as they are, where JSON is a file like any other. */
export function takeFiles(scope: FastifyInstance, types: readonly string[], mostBytes: number): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(
    types.includes('*/*') ? '*' : [...types],
    { parseAs: 'buffer', bodyLimit: mostBytes },
    (_request, body, done) => {
      done(null, body);
    },
  );
  scope.setErrorHandler((error) => {
    const { code } = error as FastifyError;
    if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') throw tooLarge(mostBytes);
    if (code !== 'FST_ERR_CTP_INVALID_MEDIA_TYPE') throw error;
    throw fail('unsupported_media_type', `Send the Content-Type of the body, one of ${types.join(', ')}.`);
  });
}

function tooLarge(most: number): Problem {
  const detail = `The body is too large: send at most ${most} bytes.`;
  return fail('payload_too_large', detail, { errors: [{ pointer: '', code: 'payload_too_large', detail }] });
}

/** What a router's failure is to its caller. */
export function requestProblem(error: Error): Problem {
  switch ((error as FastifyError).code) {
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return fail('unsupported_media_type', 'Send Content-Type: application/json.');
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return tooLarge(bodyLimit);
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
    case 'FST_ERR_BAD_URL':
    case 'ECONNRESET':
    case 'ERR_STREAM_PREMATURE_CLOSE':
      return fail('invalid_request', 'The request is not well-formed.');
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return fail('uri_too_long');
    default:
      return problemOf(error);
  }
}

/** Sends a problem document through Fastify. */
export function sendProblem(reply: FastifyReply, problem: Problem, requestId: string): FastifyReply {
  return reply
    .code(problem.status)
    .headers(problem.headers)
    .header('x-request-id', requestId)
    .header('cache-control', 'no-store')
    .type('application/problem+json')
    .send(Buffer.from(JSON.stringify(presentProblem(problem, requestId))));
}

export type { FastifyInstance as Scope, FastifyReply as Reply, FastifyRequest as Request };
export { answerProblem };
