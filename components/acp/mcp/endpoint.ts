import { arrivedOf, badArguments, createAgentServer, type ToolAnswer, type ToolCall } from '@steward/agentic';
import { checkOf, type Guard, route, type Route } from '@steward/contract';
import { bodyLimit, parseJson, type Problem } from '@steward/kernel';
import { ProtocolError } from '@steward/tools';
import { z } from 'zod';
import type { Serve } from '../door.ts';
import { operations, type Operation } from '../operations.ts';
import type { AcpPorts, Arrived, Door } from '../ports.ts';
import { flat } from '../rest/answer.ts';
import { base, tag, text } from '../rest/routes.ts';

const serverInfo = { name: 'steward-acp', title: 'Steward: a shop for agents', version: '1' };

/** What headers say where REST is spoken; members that are not known are passed over, so that there may be more of them. */
const meta = z.looseObject({
  api_version: z.string().max(40).optional(),
  idempotency_key: z.string().max(300).optional(),
  signature: z.string().max(300).optional(),
  timestamp: z.string().max(60).optional(),
});
const toolArguments = z.looseObject({
  meta: meta.optional(),
  id: z.string().max(255).optional(),
  payload: z.unknown().optional(),
});
const readArguments = checkOf(toolArguments);

const offered = operations.filter(({ tool }) => tool);
const byName = new Map(offered.map((one) => [one.name, one]));

const list = { type: 'array', items: { type: 'object' } };
const word = { type: 'string' };
/** Members that programs go on with; the published schemas say the rest. */
const output = {
  type: 'object',
  properties: {
    id: word,
    status: word,
    currency: word,
    line_items: list,
    totals: list,
    messages: list,
    order: { type: 'object' },
  },
  required: ['id'],
};

/** As clients read it: what REST sends as the body is `payload`. */
function toolOf({ name, summary, path, method, given }: Operation): Readonly<Record<string, unknown>> {
  const id = path.includes(':id');
  const said = { type: 'string' };
  return {
    name,
    description: summary,
    inputSchema: {
      type: 'object',
      properties: {
        meta: {
          type: 'object',
          properties: {
            api_version: { ...said, description: 'Such as 2026-04-17.' },
            ...(method === 'GET' ? {} : { idempotency_key: said }),
            request_id: said,
            signature: said,
            timestamp: said,
          },
          required: ['api_version'],
        },
        ...(id ? { id: said } : {}),
        ...(given === null ? {} : { payload: z.toJSONSchema(given, { io: 'input', unrepresentable: 'any' }) }),
      },
      required: [
        'meta',
        ...(id ? ['id'] : []),
        ...(given === null || given.safeParse(undefined).success ? [] : ['payload']),
      ],
    },
    outputSchema: output,
    annotations: { readOnlyHint: method === 'GET' },
  };
}

/** Every fault is -32000: its `data` says which. Clients take another status than 200 for a broken connection, but for one that is not let in. */
function refused(error: Problem): ProtocolError {
  const retry = Number(error.headers['retry-after']);
  const { status, body } = flat(error);
  const data = { ...body, ...(Number.isFinite(retry) ? { retry_after: retry } : {}) };
  return new ProtocolError(status === 401 ? 401 : 200, -32000, error.detail, data);
}

/** The same operations as REST, as tools of a Model Context Protocol server: one request, one answer, no session. */
export function mcpRoute(
  guard: Guard<Door>,
  { addresses, log }: Pick<AcpPorts, 'addresses' | 'log'>,
  serve: Serve,
): Route {
  const server = createAgentServer({ serverInfo, tools: offered.map(toolOf), flat: true, refused }, log);
  const call = async (
    { name, given }: ToolCall,
    door: Door,
    arrived: Arrived,
    requestId: string,
  ): Promise<ToolAnswer> => {
    const operation = byName.get(name);
    if (operation === undefined) throw badArguments('There is no such tool.');
    const read = readArguments(given);
    if (!read.success) throw badArguments('The arguments are not valid: see meta, id and payload.');
    const { meta: about = {}, id, payload } = read.data;
    const named = operation.path.includes(':id');
    if (named && id === undefined) throw badArguments('The argument id is required.');
    const { signature, ...unsigned } = about;
    const timestamp = about.timestamp ?? arrived.headers['timestamp'];
    const key = text(about.idempotency_key ?? arrived.headers['idempotency-key']);
    return serve({
      door,
      // The signature of a call is of the call, and one of the request is of the request: no text contains a signature of itself.
      arrived:
        signature === undefined
          ? arrived
          : { ...arrived, headers: { ...arrived.headers, signature, timestamp, 'idempotency-key': key } },
      operation,
      id: named ? (id ?? '') : '',
      body: signature === undefined ? parseJson(arrived.body) : { name, arguments: { ...read.data, meta: unsigned } },
      given: operation.given === null ? undefined : (payload ?? undefined),
      version: text(about.api_version ?? arrived.headers['api-version']),
      key,
      keyRequired: false,
      requestId,
    });
  };

  return route({
    method: 'POST',
    path: `${base}/mcp`,
    does: 'for_anyone',
    summary: 'The same as tools of the Model Context Protocol',
    description:
      'JSON-RPC, one request each; `meta` says what headers say elsewhere. `Authorization` is a header here, too.',
    tag,
    guard,
    params: z.object({ brandId: z.string() }),
    upload: { types: ['application/json'], mostBytes: bodyLimit },
    answers: {
      200: { description: 'A JSON-RPC answer.', schema: z.looseObject({ jsonrpc: z.literal('2.0') }) },
      202: { description: 'A notification, taken.' },
    },
    handle: async ({ guard: door, body, request }) => {
      const arrived = arrivedOf(request, body, addresses.commerce);
      const reply = await server(arrived, async (asked) => call(asked, door, arrived, request.id));
      if (reply === undefined) return { status: 202 };
      const { done: _, ...answer } = reply;
      return answer;
    },
  });
}
