import { type Guard, route, type Route } from '@steward/contract';
import { type Request } from '@steward/kernel';
import { z } from 'zod';
import type { Arrived } from '../adapters/adapter.ts';
import type { Receiver } from '../receivers/receiver.ts';
import type { Receive } from './receive.ts';

/** Contracts §1. */
export const mostBytes = 2 * 1024 * 1024;

const anybody: Guard<undefined> = { security: 'none', errors: [], admit: () => undefined };

const named = z.object({
  c: z
    .string()
    .max(64)
    .optional()
    .meta({ description: 'The connection, as in the address that the connection shows.' }),
});

const errors = [
  'provider_not_configured',
  'callback_unverified',
  'callback_malformed',
  'callback_refused',
  'quota_exceeded',
];

/** Where a receiver takes requests, as they come. */
export function intakeRoutes(receiver: Receiver, receive: Receive, address: string): Route[] {
  const answer = async (request: Request, body: Buffer, connection: string | undefined) => {
    const { status, text, type } = await receive(receiver, arrived(request, body, address), connection);
    return { status, text, ...(type === undefined ? {} : { type }) };
  };
  const common = {
    path: receiver.path,
    does: 'for_anyone',
    tag: 'Provider callbacks',
    guard: anybody,
    query: named,
    answers: {
      200: {
        description: 'Taken, or taken before. What becomes of it is not known yet.',
        types: ['application/json', 'text/plain'],
      },
    },
    errors,
  } as const;
  const posted = route({
    ...common,
    method: 'POST',
    summary: receiver.summary,
    description:
      'For the provider: it signs its requests, and the signature admits them. Answered as soon as the request is kept; repetitions have no effect.',
    upload: { types: ['*/*'], mostBytes },
    handle: async ({ request, body, query: { c } }) =>
      answer(request, Buffer.isBuffer(body) ? body : Buffer.alloc(0), c),
  });
  if (!receiver.adapters.some(({ handshakeByGet }) => handshakeByGet === true)) return [posted];
  const challenged = route({
    ...common,
    method: 'GET',
    summary: `${receiver.summary}: the provider checks the address`,
    query: named.loose(),
    handle: async ({ request, query: { c } }) => answer(request, Buffer.alloc(0), c),
  });
  return [posted, challenged];
}

function arrived(request: Request, body: Buffer, address: string): Arrived {
  const at = request.url.indexOf('?');
  return {
    body,
    headers: Object.fromEntries(
      Object.entries(request.raw.headersDistinct).map(([name, values = []]) => [
        name,
        values.length === 1 ? values[0] : undefined,
      ]),
    ),
    url: `${address}${at < 0 ? '' : request.url.slice(at)}`,
    receivedAt: Date.now(),
  };
}
