import type { Decider } from '@steward/access';
import { type Guard, inSnake, type Route, route } from '@steward/contract';
import { fail } from '@steward/kernel';
import { z } from 'zod';
import { isPlatformService } from '../events/platform-service.ts';
import type { Admitted } from '../events/routes.ts';
import { hold, placeHold, readHold, releaseHold } from './holds/legal-hold.ts';
import { maxSubject } from './marks/personal-marks.ts';
import type { PersonalVerbs } from './personal.ts';

const tag = 'Audit';
const text = (most: number) =>
  z
    .string()
    .min(1)
    .max(most)
    .refine((value) => !/\p{Cc}/u.test(value) && value.isWellFormed(), 'Remove the control character');
const reason = text(500);
const standing = inSnake(z.object({ hold: hold.nullable() }));
const erased = inSnake(z.object({ keyIds: z.array(z.uuid()), eventId: z.uuid().nullable() }));
const stands = { description: 'The present legal hold, or null', schema: standing.schema };

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
      'Destroys the keys that seal values about the subject. The events stay and still verify; the values read ' +
      '`{"$erased": true}` from now on, in the archive too. Repeating it is safe. This needs a token that may decide, of ' +
      'a person, or a service token of the platform.',
    tag,
    guard,
    body: z.strictObject({ subject: text(maxSubject), reason }),
    answers: {
      200: { description: 'The keys that this call destroyed, and the event that records it', schema: erased.schema },
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
      'During a legal hold nothing is erased and no archived day expires. An existing hold stays. A hold prevents the ' +
      'erasure of people, so it needs a token that may decide, of a person; a service token cannot place one.',
    tag,
    guard,
    body: z.strictObject({ reason }),
    answers: { 200: stands },
    errors: deciding,
    handle: async ({ guard: { context }, body }) => {
      if (isPlatformService(context.subject))
        throw fail('not_human', 'Only a person can place a legal hold: use a token of a person.');
      decider.requireUnlessService(context);
      return { status: 200, body: standing.of({ hold: await placeHold(context, body.reason) }) };
    },
  }),
  route({
    method: 'DELETE',
    path: '/api/audit/hold',
    does: 'for_people',
    summary: 'Release the legal hold',
    description: 'Data that the hold protected can then be erased, so this needs the same token as an erasure.',
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
