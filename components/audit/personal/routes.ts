import type { Decider } from '@steward/access';
import { type Guard, inSnake, type Route, route } from '@steward/contract';
import { fail } from '@steward/kernel';
import { z } from 'zod';
import { isPlatformService } from '../events/platform-service.ts';
import type { Admitted } from '../events/routes.ts';
import { hold, placeHold, readHold, releaseHold } from './hold.ts';
import { maxSubject } from './marks.ts';
import type { PersonalVerbs } from './personal.ts';

const tag = 'Audit';
const text = (most: number) =>
  z
    .string()
    .min(1)
    .max(most)
    .refine((value) => !/\p{Cc}/u.test(value) && value.isWellFormed(), 'This holds a control character');
const reason = text(500);
const standing = inSnake(z.object({ hold: hold.nullable() }));
const erased = inSnake(z.object({ keyIds: z.array(z.uuid()), eventId: z.uuid().nullable() }));
const stands = { description: 'The hold that stands, or null', schema: standing.schema };

/**
 * Who may do what nothing brings back: a person who could approve as much, or the platform's own service. An agent may not,
 * whatever token it was given.
 */
type Irrevocable = Pick<Decider, 'requireUnlessService'>;

const deciding = ['not_human', 'client_not_approver', 'insufficient_scope', 'login_too_old', 'insufficient_role'];

export const personalRoutes = (
  guard: Guard<Admitted>,
  verbs: Pick<PersonalVerbs, 'eraseSubject'>,
  decider: Irrevocable,
): Route[] => [
  route({
    method: 'POST',
    path: '/api/audit/erasures',
    does: 'for_people',
    summary: 'Erase the personal data of a subject',
    description:
      'Destroys the keys that values about the subject are sealed with. The events stay and everything verifies; the ' +
      'values read `{"$erased": true}` from now on, from the archive too. Repeating it is harmless. It takes the token of a ' +
      'person who could decide on a pending action, or a service token of the platform.',
    tag,
    guard,
    body: z.strictObject({ subject: text(maxSubject), reason }),
    answers: {
      200: { description: 'The keys destroyed by this call, and the event that tells of it', schema: erased.schema },
    },
    errors: [...deciding, 'legal_hold'],
    handle: async ({ guard: { context }, body }) => {
      decider.requireUnlessService(context);
      const { keyIds, eventId } = await verbs.eraseSubject(context, body);
      return { status: 200, body: erased.of({ keyIds, eventId: eventId ?? null }) };
    },
  }),
  route({
    method: 'GET',
    path: '/api/audit/hold',
    does: { pillar: 'accounting', tier: 'read' },
    summary: 'The legal hold on the tenant',
    tag,
    guard,
    answers: { 200: stands },
    handle: async ({ guard: { context } }) => ({
      status: 200,
      body: standing.of({ hold: (await readHold(context)) ?? null }),
    }),
  }),
  route({
    method: 'PUT',
    path: '/api/audit/hold',
    does: 'for_people',
    summary: 'Place a legal hold on the tenant',
    description:
      'While it stands nothing is erased and no archived day expires. One that stands already is kept. It keeps people from ' +
      'being forgotten, so it takes a person who could decide on a pending action; no service token places one.',
    tag,
    guard,
    body: z.strictObject({ reason }),
    answers: { 200: stands },
    errors: deciding,
    handle: async ({ guard: { context }, body }) => {
      if (isPlatformService(context.subject)) throw fail('not_human', 'A person places a hold; no service does.');
      decider.requireUnlessService(context);
      return { status: 200, body: standing.of({ hold: await placeHold(context, body.reason) }) };
    },
  }),
  route({
    method: 'DELETE',
    path: '/api/audit/hold',
    does: 'for_people',
    summary: 'Release the legal hold',
    description: 'What it kept may be erased from then on, so it takes what an erasure takes.',
    tag,
    guard,
    answers: { 200: stands },
    errors: deciding,
    handle: async ({ guard: { context } }) => {
      decider.requireUnlessService(context);
      await releaseHold(context);
      return { status: 200, body: standing.of({ hold: (await readHold(context)) ?? null }) };
    },
  }),
];
