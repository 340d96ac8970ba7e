import { fail, isId } from '@steward/kernel';
import { type Guard, inSnake, pageOf, type Route, route } from '@steward/contract';
import { page, type TenantContext } from '@steward/sql';
import { z } from 'zod';
import type { Open } from '../personal/values/open-events.ts';
import type { Sign } from '../receipts/receipt.ts';
import { cursorOf, sequenceOf } from './cursor.ts';
import { filterOf, filterQuery } from './filter.ts';
import type { Ingested } from './ingest.ts';
import { findEvent, listEvents } from './list.ts';
import type { RequireAnswerable } from './require-answerable.ts';
import type { NamesOf } from './names.ts';
import { presentEvent, principalsOf } from './present.ts';
import { ingestSchema, shownEvent } from './schema.ts';

/** What a door needs of a guard: the caller's way into one tenant. */
export interface Admitted {
  readonly context: TenantContext;
}

export interface EventDoors {
  readonly ingest: (context: TenantContext, input: unknown, spelling: 'snake') => Promise<Ingested>;
  readonly sign: Sign;
  readonly open: Open;
  readonly namesOf: NamesOf;
  readonly requireAnswerable: RequireAnswerable;
}

const tag = 'Audit';
const one = inSnake(shownEvent);
const several = inSnake(pageOf(shownEvent));

export const eventRoutes = (
  guard: Guard<Admitted>,
  { ingest, sign, open, namesOf, requireAnswerable }: EventDoors,
): Route[] => [
  route({
    method: 'POST',
    path: '/api/audit/events',
    does: { pillar: 'accounting', tier: 'write', services: true },
    summary: 'Ingest one audit event',
    description:
      'Appends one event to the chain of the tenant. A repeated idempotency_key answers the stored event and ' +
      '`Idempotent-Replayed: true`. With `Prefer: receipt` the answer has a signed receipt.',
    tag,
    guard,
    body: ingestSchema,
    headers: { prefer: '`receipt` asks for a signed receipt' },
    answers: { 201: { description: 'The stored event', schema: one.schema } },
    errors: [
      'invalid_envelope',
      'unknown_grammar',
      'reserved_event_type',
      'invalid_payload',
      'idempotency_conflict',
      'insufficient_role',
      'master_key_missing',
    ],
    handle: async ({ guard: { context }, body, request }) => {
      const { event, replayed } = await ingest(context, body, 'snake');
      const receipt = prefersReceipt(request.headers['prefer'])
        ? await sign({ ...event.envelope, ...event })
        : undefined;
      return {
        status: 201,
        body: one.of(presentEvent(event, await namesOf(principalsOf(event), context), receipt)),
        headers: {
          ...(replayed ? { 'idempotent-replayed': 'true' } : {}),
          ...(receipt === undefined ? {} : { 'preference-applied': 'receipt' }),
        },
      };
    },
  }),
  route({
    method: 'GET',
    path: '/api/audit/events',
    does: { pillar: 'accounting', tier: 'read' },
    summary: 'Read audit events, newest first',
    description:
      'Filters combine with AND; pages stay stable while events are appended. `type` may be a pattern over dotted parts ' +
      '(`commerce.order.*`, `portal.**`). `principal`, such as `user:alice`, matches anywhere in the principal chain. ' +
      '`resource` is a whole string in the payload or the value of a dimensional tag. `received_…` and `sequence_…` use ' +
      'the key and are fast; `occurred_…` and `resource` scan the events that the other filters leave.',
    tag,
    guard,
    query: z.strictObject({
      ...filterQuery,
      limit: z
        .string()
        .regex(/^[1-9]\d{0,2}$/, 'Give an integer from 1 to 500')
        .transform(Number)
        .refine((limit) => limit <= 500, 'Give an integer from 1 to 500')
        .optional(),
      cursor: z.string().max(64).optional(),
    }),
    answers: { 200: { description: 'One page', schema: several.schema } },
    errors: ['invalid_cursor'],
    handle: async ({ guard: { context }, query }) => {
      const limit = query.limit ?? 50;
      const below = query.cursor === undefined ? undefined : sequenceOf(query.cursor);
      const filter = filterOf(query);
      requireAnswerable(filter, 'snake');
      const found = await listEvents(context, filter, { limit: limit + 1, below });
      const events = await open(context, found.slice(0, limit));
      const names = await namesOf(events.flatMap(principalsOf), context);
      const { nextCursor } = page(found, limit, ({ sequence }) => sequence, cursorOf);
      return {
        status: 200,
        body: several.of({ items: events.map((event) => presentEvent(event, names)), nextCursor }),
      };
    },
  }),
  route({
    method: 'GET',
    path: '/api/audit/events/:id',
    does: { pillar: 'accounting', tier: 'read' },
    summary: 'Read one audit event',
    tag,
    guard,
    params: z.object({ id: z.string() }),
    answers: { 200: { description: 'The event', schema: one.schema } },
    errors: ['not_found'],
    handle: async ({ guard: { context }, params: { id } }) => {
      const event = isId(id) ? await findEvent(context, id) : undefined;
      if (event === undefined) throw fail('not_found', 'The tenant has no such event: list the events for their ids.');
      const [opened = event] = await open(context, [event]);
      return { status: 200, body: one.of(presentEvent(opened, await namesOf(principalsOf(opened), context))) };
    },
  }),
];

/** RFC 7240: preferences are a comma list; parameters of ours there are none. */
function prefersReceipt(header: string | string[] | undefined): boolean {
  return [header].flat().some((value) => value?.split(',').some((one) => one.trim().toLowerCase() === 'receipt'));
}
