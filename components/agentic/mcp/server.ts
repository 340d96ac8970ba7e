import type { Log, Problem } from '@steward/kernel';
import {
  checkModern,
  checkName,
  codes,
  createResults,
  eraOf,
  legacyOpening,
  type Message,
  ProtocolError,
  type ServerInfo,
  supportedRevisions,
} from '@steward/tools';
import type { Arrived } from '../proof/arrived.ts';
import { type AgentReply, answerMessage, type Dispatched } from './message.ts';

export interface ToolCall {
  readonly name: string;
  /** As they came. */
  readonly given: unknown;
}

export interface ToolAnswer {
  readonly body: object;
  readonly replayed?: boolean;
}

export interface AgentTools {
  readonly serverInfo: ServerInfo;
  /** As clients read them. */
  readonly tools: readonly object[];
  /** Whether members of an answer are also those of the result itself. */
  readonly flat: boolean;
  /** What an error of the work is in JSON-RPC. */
  refused(problem: Problem): ProtocolError;
}

/** Answers one message; undefined: it was a notification. @param call the work, or its error: Problem, ProtocolError */
export type AgentServer = (
  arrived: Pick<Arrived, 'headers' | 'body'>,
  call: (asked: ToolCall) => Promise<ToolAnswer>,
) => Promise<AgentReply | undefined>;

/** The argument of a call is not what it must be; the work was not asked for. */
export const badArguments = (detail: string): ProtocolError => new ProtocolError(200, codes.invalidParams, detail);

/** A Model Context Protocol server, in both of its eras: one request, one answer, no session. */
export function createAgentServer({ serverInfo, tools, flat, refused }: AgentTools, log: Log): AgentServer {
  const results = createResults(serverInfo);
  const listed = JSON.stringify(tools);

  const dispatch = async (
    message: Message,
    id: string,
    headers: Arrived['headers'],
    call: (asked: ToolCall) => Promise<ToolAnswer>,
  ): Promise<Dispatched> => {
    const era = eraOf(message, headers);
    if (era === 'modern') checkModern(message, headers);
    const request = { id, era };
    switch (message.method) {
      case 'initialize':
        return results.complete(request, legacyOpening(message, serverInfo));
      case 'ping':
        return { status: 200, body: `{"jsonrpc":"2.0","result":{},"id":${id}}` };
      case 'server/discover':
        return results.complete(
          request,
          `"supportedVersions":${JSON.stringify(supportedRevisions)},"capabilities":{"tools":{}},"ttlMs":300000,"cacheScope":"public"`,
        );
      case 'tools/list': {
        const hints = era === 'modern' ? ',"ttlMs":300000,"cacheScope":"public"' : '';
        return results.complete(request, `"tools":${listed}${hints}`);
      }
      case 'tools/call': {
        const { name, arguments: given } = message.params;
        if (typeof name !== 'string') throw badArguments('There is no such tool.');
        if (era === 'modern') checkName(name, headers);
        const { body, replayed = false } = await call({ name, given: given ?? {} });
        const json = JSON.stringify(body);
        const reply = flat
          ? results.complete(
              request,
              `"content":[{"type":"text","text":${JSON.stringify(json)}}],"structuredContent":${json},${json.slice(1, -1)}`,
            )
          : results.tool(request, { json, failed: false });
        return { ...reply, replayed, done: name };
      }
      default:
        throw new ProtocolError(era === 'modern' ? 404 : 200, codes.methodNotFound, 'Method not found.');
    }
  };

  return async ({ headers, body }, call) =>
    answerMessage(body, { refused, log }, async (message, id) => dispatch(message, id, headers, call));
}
