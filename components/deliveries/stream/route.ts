import type { Caller, Decider, ReadAccessProfile } from '@steward/access';
import { isSequence, outboxEnd, readOn } from '@steward/bus';
import { type Guard, route, type Route } from '@steward/contract';
import type { Admitted } from '@steward/identity';
import { fail } from '@steward/kernel';
import { z } from 'zod';
import { typesOf } from '../endpoints/target.ts';
import { listEventTypes } from '../endpoints/types.ts';
import { readEvents } from '../permissions.ts';
import type { Announced } from '../announced.ts';
import { seenBy } from '../seen.ts';
import type { Listener, Streams } from './streams.ts';

export interface StreamRoutePorts {
  readonly streams: Pick<Streams, 'open'>;
  readonly accessProfile: ReadAccessProfile;
  readonly decider: Pick<Decider, 'decidesThrough'>;
  readonly announced: Announced;
}

/** Events read at a time. */
const page = 500;

/** For pages and agents that listen: what is announced in the organization, by ids and types. */
export const streamRoute = (guard: Guard<Admitted>, ports: StreamRoutePorts): Route =>
  route({
    method: 'GET',
    path: '/api/events/stream',
    tag: 'Webhooks',
    does: listEventTypes.name as `service_${string}`,
    summary: 'Follow events as they are announced',
    description:
      'Server-sent events: each has the `sequence` of an event as its id, and its id, type, subject and time as data. Read what it is about ' +
      'with the other routes. Without `Last-Event-ID` the stream begins now; with it, behind that event, and nothing is left out. ' +
      'Send `Accept: text/event-stream`: without it the answer ends with what there is at the moment. An agent gets the events of the ' +
      'pillars that its token and its grant leave it; what is announced of an action reaches whoever may see the action. The stream ends with the token and with the access.',
    headers: { 'Last-Event-ID': 'The id of the last event that you had.' },
    guard,
    query: z.strictObject({
      types: z.string().min(1).max(4_000).optional().meta({ description: 'Only these types, separated by commas.' }),
    }),
    answers: {
      200: { description: 'The events.', types: ['text/event-stream'] },
    },
    errors: ['stream_limit', 'insufficient_role'],
    handle: async ({ guard: { caller, context }, query, request }) => {
      const scope = context.require(readEvents);
      const types = typesOf(ports, query.types === undefined ? null : query.types.split(','));
      const last = request.headers['last-event-id'];
      if (last !== undefined && (typeof last !== 'string' || !isSequence(last)))
        throw fail('invalid_request', 'Last-Event-ID must be the id of an event of this stream.');
      // Asks for the membership too, before the status has left.
      const end = await outboxEnd(scope);
      const headers = { 'x-accel-buffering': 'no' };
      const type = 'text/event-stream; charset=utf-8';
      if (request.method === 'HEAD') return { status: 200, text: '', type, headers };
      const stream = ports.streams.open(context.tenant, listenerOf(caller, ports.decider), {
        after: last ?? end,
        finite: !/\btext\/event-stream\b/i.test(request.headers.accept ?? ''),
        expiresAt: caller.expiresAt,
        cut: () => void request.raw.socket.destroy(),
        read: async (after) => readOn(scope, after, types, page),
        seen: async () => seenBy(caller, await ports.accessProfile(caller, context.tenant), ports.announced),
      });
      return { status: 200, stream, type, headers };
    },
  });

/** People are there in person where their token names no client, or one where people decide; any other may be an agent's. */
function listenerOf({ subject, agentId, clientId, human }: Caller, decider: StreamRoutePorts['decider']): Listener {
  return {
    holder: JSON.stringify([subject.type, subject.id, agentId]),
    inPerson: human && (clientId === undefined || decider.decidesThrough(agentId ?? clientId)),
  };
}
