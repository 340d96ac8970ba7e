import { answerMessage, arrivedOf } from '@steward/agentic';
import { type Guard, route, type Route } from '@steward/contract';
import { bodyLimit, type Problem } from '@steward/kernel';
import { codes, ProtocolError } from '@steward/tools';
import { z } from 'zod';
import type { Serve } from '../door.ts';
import type { Arrived, Door, UcpPorts } from '../ports.ts';
import { flat, signed } from '../rest/answer.ts';
import { base } from '../rest/routes.ts';
import { act, actions } from './actions.ts';
import { extensionOf } from './card.ts';
import { messageGiven, methods, resultOf, type Revision, turnOf } from './message.ts';

const tasks = ['There are no tasks: each message is answered at once.', -32001] as const;
const pushes = ['Nothing is pushed: agents are told of orders by webhooks.', -32003] as const;
const streams = ['Nothing is streamed: send the message without.', -32004] as const;
const cards = ['There is one card, for everybody.', -32007] as const;

/** What is asked of agents that keep tasks (A2A 0.3 §7 and §8.2, 1.0 §9.4 and §5.4). */
const notDone: readonly (readonly [RegExp, readonly [string, number]])[] = [
  [/push_?notification/i, pushes],
  [/stream|subscribe/i, streams],
  [/extended/i, cards],
  [/^tasks\/|Tasks?$/, tasks],
];

const badRequests = new Set(['invalid_request', 'invalid_cursor', 'write_key_required', 'request_too_large']);

const refused = (error: Problem): ProtocolError => {
  const retry = Number(error.headers['retry-after']);
  const data = { ...flat(error), ...(Number.isFinite(retry) ? { retry_after: retry } : {}) };
  const code = badRequests.has(error.code)
    ? codes.invalidParams
    : error.code === 'internal_error'
      ? codes.internalError
      : -32000;
  // Clients of JSON-RPC read an error where the transport is well.
  return new ProtocolError(200, code, error.detail, data);
};

const spoken = `This agent does what data says, and reads no prose. Send a data part such as {"action": "search_catalog", "catalog": {"query": "cup"}} or {"action": "add_to_checkout", "product_id": "…", "quantity": 1}. Actions: ${actions.join(', ')}.`;

/** The same operations as REST, as turns of a conversation by the Agent2Agent protocol: one message, one answer, no task. */
export function a2aRoute(
  guard: Guard<Door>,
  { addresses, agentic, log }: Pick<UcpPorts, 'addresses' | 'agentic' | 'log'>,
  serve: Serve,
): Route {
  const send = async (revision: Revision, params: unknown, door: Door, arrived: Arrived, requestId: string) => {
    const turn = turnOf(params);
    const { data, contextId, messageId: key, sent } = turn;
    if (data === undefined) return { result: resultOf(revision, contextId, { text: spoken }) };
    const { body, replayed, noun } = await act(turn, async ({ operation, id, given }) =>
      serve({
        door,
        arrived,
        operation,
        id,
        given,
        key: operation.key === 'none' ? undefined : key,
        keyRequired: operation.key !== 'none',
        sent,
        requestId,
      }),
    );
    // What comes next in the conversation is about the checkout that there is now.
    const next = noun === 'checkout' && typeof body['id'] === 'string' ? body['id'] : contextId;
    const result = resultOf(revision, next, { data: { [`a2a.ucp.${noun}`]: body } });
    return { result, replayed, version: (body['ucp'] as { version?: string }).version, done: String(data['action']) };
  };

  return route({
    method: 'POST',
    path: `${base}/a2a`,
    does: 'for_anyone',
    summary: 'The same as turns of the Agent2Agent protocol',
    description:
      'JSON-RPC, `message/send` of A2A 0.3 or `SendMessage` of 1.0. A data part has `action`, the name of a tool, and its arguments; without `id` the checkout of `contextId` is meant. `messageId` makes a repetition safe.',
    tag: 'Universal Commerce Protocol',
    guard,
    headers: {
      'UCP-Agent': 'Dictionary of RFC 8941 with `profile`: the address of the profile of the agent. Required.',
      'X-A2A-Extensions': 'The extension of the protocol, as the card names it.',
    },
    params: z.object({ brandId: z.string() }),
    upload: { types: ['application/json'], mostBytes: bodyLimit },
    described: messageGiven,
    answers: {
      200: { description: 'A JSON-RPC answer.', schema: z.looseObject({ jsonrpc: z.literal('2.0') }) },
      202: { description: 'A notification, taken.' },
    },
    handle: async ({ guard: door, body, request }) => {
      const arrived = arrivedOf(request, body, addresses.commerce);
      let version: string | undefined;
      const answer = await answerMessage(arrived.body, { refused, log }, async ({ method, params }, id) => {
        const revision = methods.get(method);
        if (revision === undefined) {
          const found = notDone.find(([pattern]) => pattern.test(method.slice(0, 100)));
          const [why, code] = found?.[1] ?? ['Method not found: send message/send.', codes.methodNotFound];
          throw new ProtocolError(200, code, why);
        }
        const { result, replayed, version: spokenIn, done } = await send(revision, params, door, arrived, request.id);
        version = spokenIn;
        return {
          status: 200,
          body: `{"jsonrpc":"2.0","result":${JSON.stringify(result)},"id":${id}}`,
          ...(replayed === undefined ? {} : { replayed }),
          ...(done === undefined ? {} : { done }),
        };
      });
      if (answer === undefined) return { status: 202 };
      const { done, headers, ...rest } = answer;
      const extended = version === undefined ? headers : { ...headers, 'x-a2a-extensions': extensionOf(version) };
      return signed({ ...rest, headers: extended }, door, agentic, done);
    },
  });
}
