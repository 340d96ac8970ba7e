import { andThen, type MaybePromise } from '@steward/access';
import { Problem, problemOf } from '@steward/kernel';
import { createCalls } from '../call/call.ts';
import { codes, errorMessage, ProtocolError } from '../protocol/error.ts';
import type { Message } from '../protocol/message.ts';
import { checkModern, eraOf, noCapabilities } from '../protocol/modern.ts';
import type { ToolServer, Reply, RpcRequest, Visit } from './request.ts';
import { profileOf } from './enter.ts';
import { openings } from './open.ts';
import { createResults } from './result.ts';

type Handler = (request: RpcRequest) => MaybePromise<Reply>;

const accepted: Reply = { status: 202, body: '' };

/** Where the address or the token decides the tenant, a list may be kept this long. Milliseconds. */
const listTtl = 30_000;

/** Answers JSON-RPC messages of both eras at one surface. Never rejects: what fails is an answer too. */
export function createDispatcher(server: ToolServer): (message: Message, visit: Visit) => MaybePromise<Reply> {
  const serverInfo = { name: 'steward', title: 'Steward', version: server.deps.version };
  const results = createResults(serverInfo);
  const { initialize, discover } = openings(serverInfo, server.deps.addresses.mcp, results);
  const withTenant =
    (handler: (request: RpcRequest) => Reply): Handler =>
    (request) =>
      andThen(profileOf(server, request.visit), () => handler(request));
  const list: Handler = (request) => {
    const { visit, message } = request;
    const cursor = message.params['cursor'];
    if (cursor !== undefined && cursor !== null) {
      throw new ProtocolError(
        request.era === 'modern' ? 400 : 200,
        codes.invalidParams,
        'params.cursor is no cursor of this list: send the nextCursor of the previous page unchanged.',
      );
    }
    return andThen(profileOf(server, visit), (profile) => {
      const fixed = visit.address.tenant !== undefined || visit.caller.tenantClaim !== undefined;
      const seen = server.classes(visit.caller, profile, visit.address.view);
      return results.list(request, seen.list(), fixed ? listTtl : 0);
    });
  };
  const call = createCalls(server, results);
  const methods = {
    legacy: new Map<string, Handler>([
      ['tools/list', list],
      ['tools/call', call],
      ['initialize', withTenant(initialize)],
      ['ping', withTenant((request) => ({ status: 200, body: `{"jsonrpc":"2.0","result":{},"id":${request.id}}` }))],
    ]),
    modern: new Map<string, Handler>([
      ['tools/list', list],
      ['tools/call', call],
      ['server/discover', withTenant(discover)],
    ]),
  };

  return (message, visit) => {
    const { id } = message;
    if (id === undefined) return accepted;
    try {
      const era = eraOf(message, visit.headers);
      const capabilities = era === 'modern' ? checkModern(message, visit.headers) : noCapabilities;
      const handler = methods[era].get(message.method);
      if (handler === undefined) {
        throw new ProtocolError(era === 'modern' ? 404 : 200, codes.methodNotFound, 'Method not found.');
      }
      const reply = handler({ id, era, message, visit, capabilities });
      return reply instanceof Promise ? reply.catch((error: unknown) => refusal(server, visit, id, error)) : reply;
    } catch (error) {
      return refusal(server, visit, id, error);
    }
  };
}

function refusal({ deps }: ToolServer, { requestId }: Visit, id: string, cause: unknown): Reply {
  if (cause instanceof ProtocolError) return { status: cause.status, body: errorMessage(id, cause) };
  const problem = problemOf(cause);
  if (!(cause instanceof Problem)) deps.log.error({ err: cause, requestId }, 'request failed');
  // A code of our own outside of what JSON-RPC and MCP reserve: the HTTP status.
  const code = problem.status === 500 ? codes.internalError : problem.status;
  const error = new ProtocolError(problem.status, code, problem.detail, { code: problem.code, requestId });
  return { status: problem.status, body: errorMessage(id, error), headers: problem.headers };
}
