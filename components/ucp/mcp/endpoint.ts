import { arrivedOf, badArguments, createAgentServer, type ToolAnswer, type ToolCall } from '@steward/agentic';
import { checkOf, type Guard, route, type Route } from '@steward/contract';
import { bodyLimit, type Problem, dictionary } from '@steward/kernel';
import { codes, ProtocolError } from '@steward/tools';
import { z } from 'zod';
import type { Serve } from '../door.ts';
import { capabilitiesOf, type Version } from '../negotiation/versions.ts';
import { operations, type Operation } from '../operations.ts';
import type { Arrived, Door, UcpPorts } from '../ports.ts';
import { flat, signed } from '../rest/answer.ts';
import { base, keyOf } from '../rest/routes.ts';

const serverInfo = { name: 'steward-ucp', title: 'Steward: a shop for agents', version: '1' };

const meta = z.looseObject({
  'ucp-agent': z.looseObject({ profile: z.string().max(2_000) }).optional(),
  'idempotency-key': z.string().max(300).optional(),
});
const toolArguments = z.looseObject({ meta: meta.optional(), id: z.string().max(255).optional() });
const readArguments = checkOf(toolArguments);

const byName = new Map(operations.map((one) => [one.name, one]));

const list = { type: 'array', items: { type: 'object' } };
const word = { type: 'string' };
/** Members that programs go on with, by what is answered. The published schemas say the rest; clients of the protocol fetch none. */
const shownOf = dictionary<object>({
  checkout: {
    id: word,
    status: word,
    currency: word,
    line_items: list,
    totals: list,
    continue_url: word,
    order: { type: 'object' },
  },
  cart: { id: word, currency: word, line_items: list, totals: list },
  order: { id: word, checkout_id: word, permalink_url: word, line_items: list, totals: list },
  catalog: { products: list, product: { type: 'object' }, pagination: { type: 'object' } },
});

/** What it answers: the resource, or messages alone where `ucp.status` is `error`. */
function outputOf(capability: Operation['capability'], version: Version): object {
  const published = capabilitiesOf(version).find(({ name }) => name === capability)?.schema ?? '';
  const [noun = ''] = published.split(/[_.]/);
  return {
    type: 'object',
    description: `https://ucp.dev/${version}/schemas/shopping/${published}; where ucp.status is error, ucp and messages alone.`,
    properties: {
      ucp: {
        type: 'object',
        properties: { version: word, status: { enum: ['success', 'error'] } },
        required: ['version', 'status'],
      },
      ...shownOf[noun],
      messages: list,
    },
    required: ['ucp'],
  };
}

/** As clients read it: what REST sends as the body is one argument. */
const toolIn =
  (version: Version) =>
  ({ name, summary, path, payload, given, key, capability }: Operation): Readonly<Record<string, unknown>> => {
    const id = path.includes(':id');
    const required = ['meta', ...(id ? ['id'] : []), ...(payload === null ? [] : [payload])];
    return {
      name,
      description: summary,
      inputSchema: {
        type: 'object',
        properties: {
          meta: {
            type: 'object',
            properties: {
              'ucp-agent': {
                type: 'object',
                properties: { profile: { type: 'string', format: 'uri' } },
                required: ['profile'],
              },
              ...(key === 'none' ? {} : { 'idempotency-key': { type: 'string' } }),
            },
            required: ['ucp-agent', ...(key === 'always' ? ['idempotency-key'] : [])],
          },
          ...(id ? { id: { type: 'string' } } : {}),
          ...(payload === null || given === null
            ? {}
            : { [payload]: z.toJSONSchema(given, { io: 'input', unrepresentable: 'any' }) }),
        },
        required,
      },
      outputSchema: outputOf(capability, version),
      annotations: { readOnlyHint: key === 'none' },
    };
  };

/** Codes of JSON-RPC by codes of the protocol; any other fault is -32000. */
const rpcCodes = dictionary<number>({
  invalid_profile_url: -32001,
  profile_unreachable: -32001,
  profile_malformed: -32001,
  version_unsupported: -32001,
  digest_mismatch: -32600,
  algorithm_unsupported: -32600,
  invalid_request: codes.invalidParams,
  invalid_cursor: codes.invalidParams,
  write_key_required: codes.invalidParams,
  request_too_large: codes.invalidParams,
  internal_error: codes.internalError,
});

const refused = (error: Problem): ProtocolError => {
  const retry = Number(error.headers['retry-after']);
  const data = { ...flat(error), ...(Number.isFinite(retry) ? { retry_after: retry } : {}) };
  const code = rpcCodes[error.code] ?? -32000;
  // Clients take another status than 200 for a broken connection; the protocol wants it where nothing was looked at.
  const status = code === codes.invalidParams ? 200 : error.status;
  return new ProtocolError(status, code, error.detail, data);
};

/** The same operations as REST, as tools of a Model Context Protocol server: one request, one answer, no session. */
export function mcpRoute(
  guard: Guard<Door>,
  { addresses, agentic, config, log }: Pick<UcpPorts, 'addresses' | 'agentic' | 'config' | 'log'>,
  serve: Serve,
): Route {
  const server = createAgentServer(
    { serverInfo, tools: operations.map(toolIn(config.ucp.version)), flat: false, refused },
    log,
  );
  const call = async (
    { name, given }: ToolCall,
    door: Door,
    arrived: Arrived,
    requestId: string,
  ): Promise<ToolAnswer> => {
    const operation = byName.get(name);
    if (operation === undefined) throw badArguments('There is no such tool.');
    const read = readArguments(given);
    if (!read.success) throw badArguments('The arguments are not valid: see meta and id.');
    const { meta: about, id, ...rest } = read.data;
    const named = operation.path.includes(':id');
    if (named && id === undefined) throw badArguments('The argument id is required.');
    const payload = operation.payload === null ? undefined : rest[operation.payload];
    return serve({
      door,
      arrived: { ...arrived, profileUrl: about?.['ucp-agent']?.profile },
      operation,
      id: named ? (id ?? '') : '',
      given: operation.payload === null ? undefined : (payload ?? {}),
      // What REST has as its body: each request has an id of its own, a repetition too.
      sent: Buffer.from(payload === undefined ? '' : JSON.stringify(payload)).toString('latin1'),
      key: operation.key === 'none' ? undefined : (about?.['idempotency-key'] ?? keyOf(arrived)),
      keyRequired: operation.key === 'always',
      requestId,
    });
  };

  return route({
    method: 'POST',
    path: `${base}/mcp`,
    does: 'for_anyone',
    summary: 'The same as tools of the Model Context Protocol',
    description: 'JSON-RPC, one request each; `meta["ucp-agent"].profile` says who asks.',
    tag: 'Universal Commerce Protocol',
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
      const { done, ...answer } = reply;
      return signed(answer, door, agentic, done);
    },
  });
}
