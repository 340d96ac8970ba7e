import { route, type Guard, type Route } from '@steward/contract';
import type { Admitted } from '@steward/identity';
import { z } from 'zod';
import { eraseContact } from './erase-contact.ts';
import { eraseSubmission } from './erase-submission.ts';
import { eraseTests, mostTests } from './erase-tests.ts';
import { erasureTools, reasons } from './reason.ts';

const body = z.strictObject({ reason: z.enum(reasons).default('requested') });
const errors = [
  'not_human',
  'client_not_approver',
  'insufficient_scope',
  'login_too_old',
  'insufficient_role',
  'not_found',
  'legal_hold',
];
const who =
  'It cannot be taken back, so it takes the token of an owner or admin who could decide on a pending action. ' +
  'Repeating it is harmless and answers the same.';

export const erasureRoutes = (guard: Guard<Admitted>): Route[] => [
  route({
    method: 'POST',
    path: '/api/contacts/:contactId/erasure',
    does: erasureTools.contact,
    summary: 'Erase a person',
    description:
      'The contact with all that were merged into it, what they submitted, letters about it that were not sent yet, what is kept of ' +
      `calls and approvals that speak of them, and of customers and suppliers that are the same person what the books need not keep. Ids and the fact stay. ${who} Agents ask with ${erasureTools.contact}.`,
    tag: 'Contacts',
    guard,
    params: z.strictObject({ contactId: z.uuid() }),
    body,
    answers: {
      200: {
        description: 'What was erased.',
        schema: z.object({
          contactId: z.uuid(),
          mergedIds: z.array(z.uuid()),
          submissions: z.int(),
          parties: z
            .array(z.object({ partyId: z.uuid(), nameKept: z.boolean() }))
            .meta({ description: 'The same person in the books; where something is booked for them, the name stays.' }),
          erasedAt: z.string(),
        }),
      },
    },
    errors,
    handle: async ({ guard: { context }, params, body: { reason } }) => {
      const done = await eraseContact(context, params.contactId, reason);
      return { status: 200, body: { ...done, mergedIds: [...done.mergedIds], parties: [...done.parties] } };
    },
  }),
  route({
    method: 'POST',
    path: '/api/submissions/:submissionId/erasure',
    does: erasureTools.submission,
    summary: 'Erase what one submission says',
    description:
      'And the letters about it that were not sent yet. Its ids stay, and so does what a contact took from it. ' +
      `${who} Agents ask with ${erasureTools.submission}.`,
    tag: 'Submissions',
    guard,
    params: z.strictObject({ submissionId: z.uuid() }),
    body,
    answers: {
      200: {
        description: 'What was erased.',
        schema: z.object({ submissionId: z.uuid(), erasedAt: z.string() }),
      },
    },
    errors,
    handle: async ({ guard: { context }, params, body: { reason } }) => ({
      status: 200,
      body: await eraseSubmission(context, params.submissionId, reason),
    }),
  }),
  route({
    method: 'POST',
    path: '/api/test-data/erasure',
    does: erasureTools.tests,
    summary: 'Erase what came with test keys',
    description:
      'What the submissions say, and the contacts that nobody but such submissions brought (`test`), as a person is erased. The first ones ' +
      `first, up to ${mostTests} submissions and ${mostTests} contacts in one call; \`more\` says whether to call again. ${who} ` +
      `Agents ask with ${erasureTools.tests}.`,
    tag: 'Submissions',
    guard,
    body: z.strictObject({ before: z.iso.datetime({ offset: true }).optional() }),
    answers: {
      200: {
        description: 'How much was erased.',
        schema: z.object({ submissions: z.int(), contacts: z.int(), more: z.boolean() }),
      },
    },
    errors: errors.filter((code) => code !== 'not_found'),
    handle: async ({ guard: { context }, body: { before } }) => ({
      status: 200,
      body: await eraseTests(context, before),
    }),
  }),
];
