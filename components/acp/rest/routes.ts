import { arrivedOf } from '@steward/agentic';
import { type Guard, route, type Route } from '@steward/contract';
import { arrivalOf, bodyLimit, isId, parseJson } from '@steward/kernel';
import { z } from 'zod';
import type { Serve } from '../door.ts';
import { acpFail } from '../errors.ts';
import { type Operation, operations } from '../operations.ts';
import type { AcpPorts, Arrived, Door } from '../ports.ts';
import { answered } from './answer.ts';

export const base = '/acp/:brandId';
export const tag = 'Agentic Commerce Protocol';

/** Before the body is read: whether there is such a door. @throws Problem `acp_door_closed` (404) */
export const doorGuard = ({ agentic, addresses }: Pick<AcpPorts, 'agentic' | 'addresses'>): Guard<Door> => ({
  security: 'none',
  errors: ['rate_limited', 'acp_door_closed'],
  admit: async ({ params, raw }) => {
    const { brandId = '' } = params as { brandId?: string };
    const door = isId(brandId) ? await agentic.doorOf(brandId, 'acp') : undefined;
    if (door === undefined) throw acpFail('acp_door_closed', 'No brand sells at this address through this protocol.');
    const arrival = arrivalOf(raw);
    return { ...door, at: arrival === undefined ? `${addresses.commerce}/acp/${brandId}` : `${arrival.origin}/acp` };
  },
});

export const text = (header: string | undefined): string | undefined => (header === '' ? undefined : header);

const headers = {
  Authorization: '`Bearer` and the key that the shop issued. Required.',
  'API-Version': 'Such as 2026-04-17. Required.',
  Signature: 'Ed25519, base64url, as the guide says. Required where orders are live.',
  Timestamp: 'RFC 3339, of what is signed.',
  'Request-Id': 'For tracing; answered as it came.',
};

/** Everything that agents ask for, each with the same steps. */
export const restRoutes = (guard: Guard<Door>, ports: Pick<AcpPorts, 'addresses'>, serve: Serve): Route[] =>
  operations.map((operation) => restRoute(guard, ports, serve, operation));

const shown = z.looseObject({ id: z.string() });

function restRoute(
  guard: Guard<Door>,
  { addresses }: Pick<AcpPorts, 'addresses'>,
  serve: Serve,
  { ...operation }: Operation,
): Route {
  const { name, method, path, made, given } = operation;
  const success = { description: 'The resource.', schema: shown };
  const writes = method !== 'GET';
  return route({
    method,
    path: `${base}${path}`,
    does: 'for_anyone',
    summary: operation.summary,
    description: 'Of the Agentic Commerce Protocol. Members that the protocol does not know are refused.',
    tag,
    guard,
    headers: { ...headers, ...(writes ? { 'Idempotency-Key': 'Such as a UUID. Required with POST.' } : {}) },
    params: z.object({ brandId: z.string(), ...(path.includes(':id') ? { id: z.string() } : {}) }),
    ...(writes ? { upload: { types: ['application/json'], mostBytes: bodyLimit } } : {}),
    ...(given === null ? {} : { described: given }),
    answers: made ? { 201: success } : { 200: success },
    errors: [
      'missing_api_version',
      'unsupported_api_version',
      ...(made || name.startsWith('update_')
        ? [path.endsWith('delegate_payment') ? 'payment_token_limit' : 'cart_limit']
        : []),
      ...(method === 'POST' ? ['acp_idempotency_key_required'] : []),
      ...(writes ? ['idempotency_key_reused', 'idempotency_in_flight'] : []),
    ],
    handle: async ({ guard: door, params, body, request }) => {
      const arrived = arrivedOf(request, body, addresses.commerce);
      const sent = arrived.body.length === 0 ? undefined : parseJson(arrived.body);
      const key = text(arrived.headers['idempotency-key']);
      const outcome = await serve({
        door,
        arrived,
        operation,
        id: (params as { id?: string }).id ?? '',
        body: sent,
        given: sent,
        version: text(arrived.headers['api-version']),
        key,
        keyRequired: method === 'POST',
        requestId: request.id,
      });
      const answer = answered(outcome);
      return { ...answer, headers: { ...answer.headers, ...echoed(arrived) } };
    },
  });
}

/** What the protocol wants to be said again. */
export const echoed = ({ headers: sent }: Pick<Arrived, 'headers'>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    ['idempotency-key', 'request-id'].flatMap((name) => {
      const value = sent[name];
      return value !== undefined && /^[\x21-\x7e]{1,255}$/.test(value) ? [[name, value]] : [];
    }),
  );
