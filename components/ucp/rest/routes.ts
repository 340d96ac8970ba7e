import { arrivedOf } from '@steward/agentic';
import { type Guard, route, type Route } from '@steward/contract';
import { arrivalOf, bodyLimit, isId, parseJson, type Request } from '@steward/kernel';
import { z } from 'zod';
import { ucpFail } from '../errors.ts';
import type { Serve } from '../door.ts';
import { type Operation, operations } from '../operations.ts';
import type { Arrived, Door, UcpPorts } from '../ports.ts';
import { answered, signed } from './answer.ts';

export const base = '/ucp/:brandId';

/** Before the body is read: whether there is such a door. @throws Problem `door_closed` (404) */
export const doorGuard = ({
  agentic,
  config,
  addresses,
}: Pick<UcpPorts, 'agentic' | 'config' | 'addresses'>): Guard<Door> => ({
  security: 'none',
  errors: ['rate_limited', 'door_closed'],
  admit: async ({ params, raw }) => {
    const { brandId = '' } = params as { brandId?: string };
    const door = isId(brandId) ? await agentic.doorOf(brandId, 'ucp') : undefined;
    // The suite proves nothing, so nothing that counts is sold to it.
    if (door === undefined || (config.ucp.conformance && door.mode === 'live'))
      throw ucpFail('door_closed', 'No brand sells at this address through this protocol.');
    return { ...door, at: publicBase(raw, addresses, brandId) };
  },
});

/** Public address of the door of a brand, as the request was sent to it. */
export const publicBase = (raw: Request['raw'], { commerce }: UcpPorts['addresses'], brandId: string): string => {
  const arrival = arrivalOf(raw);
  return arrival === undefined ? `${commerce}/ucp/${brandId}` : `${arrival.origin}/ucp`;
};

const text = (header: string | string[] | undefined): string | undefined =>
  typeof header === 'string' && header !== '' ? header : undefined;

/** A key as an agent sends it; RFC 8941 lets it stand in quotes. */
export const keyOf = ({ headers }: Pick<Arrived, 'headers'>): string | undefined =>
  text(headers['idempotency-key'])?.replace(/^"([^"]*)"$/, '$1');

const headers = {
  'UCP-Agent': 'Dictionary of RFC 8941 with `profile`: the address of the profile of the agent. Required.',
  Signature: 'RFC 9421. Required where orders are live.',
  'Signature-Input': 'RFC 9421.',
  'Content-Digest': 'RFC 9530, of what is signed with a body.',
  'Request-Id': 'For tracing; answered as it came.',
};

/** Everything that agents ask for, each with the same steps. */
export function restRoutes(guard: Guard<Door>, ports: Pick<UcpPorts, 'addresses' | 'agentic'>, serve: Serve): Route[] {
  return operations.map((operation) => restRoute(guard, ports, serve, operation));
}

const shown = z.looseObject({ ucp: z.looseObject({ version: z.string() }) });

function restRoute(
  guard: Guard<Door>,
  { addresses, agentic }: Pick<UcpPorts, 'addresses' | 'agentic'>,
  serve: Serve,
  operation: Operation,
): Route {
  const { method, path, made, given, key } = operation;
  const success = {
    description: 'The resource, or `ucp.status` `error` with messages that say why there is none.',
    schema: shown,
  };
  return route({
    method,
    path: `${base}${path}`,
    does: 'for_anyone',
    summary: operation.summary,
    description: `\`${operation.capability}\` of the Universal Commerce Protocol. Members that are not known are passed over.`,
    tag: 'Universal Commerce Protocol',
    guard,
    headers: { ...headers, ...(key === 'none' ? {} : { 'Idempotency-Key': 'Such as a UUID. Required.' }) },
    params: z.object({ brandId: z.string(), ...(path.includes(':id') ? { id: z.string() } : {}) }),
    ...(method === 'GET' ? {} : { upload: { types: ['application/json'], mostBytes: bodyLimit } }),
    ...(given === null ? {} : { described: given }),
    answers: made
      ? { 201: success, 200: { description: 'What there is already, or why nothing was made.', schema: shown } }
      : { 200: success },
    errors: [
      'version_unsupported',
      ...(made || method === 'PUT' ? ['cart_limit'] : []),
      ...(key === 'none' ? [] : ['write_key_required', 'idempotency_key_reused']),
    ],
    handle: async ({ guard: door, params, body, request }) => {
      const arrived = arrivedOf(request, body, addresses.commerce);
      const payload = arrived.body.length === 0 ? undefined : parseJson(arrived.body);
      const sent = keyOf(arrived);
      const outcome = await serve({
        door,
        arrived,
        operation,
        id: (params as { id?: string }).id ?? '',
        given: payload,
        key: key === 'none' ? undefined : sent,
        keyRequired: key !== 'none',
        requestId: request.id,
      });
      const asked = arrived.headers['request-id'];
      const answer = await signed(answered(outcome), door, agentic, operation.name);
      return {
        ...answer,
        headers: {
          ...answer.headers,
          ...(asked !== undefined && /^[\x21-\x7e]{1,200}$/.test(asked) ? { 'request-id': asked } : {}),
        },
      };
    },
  });
}
