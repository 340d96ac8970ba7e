import { route, type Route } from '@steward/contract';
import { z } from 'zod';
import { byForm, type MemberGuard } from '../door.ts';
import type { StudioGround } from '../ground.ts';
import { listRecipients } from './list.ts';
import { retryRecipient } from './retry.ts';

const time = z.string().nullable();
const recipient = z.object({
  address: z.string(),
  standing: z.enum(['member', 'confirmed', 'unconfirmed']),
  told: z.boolean(),
  published: z.boolean(),
  askedAt: time,
  confirmedAt: time,
  unsubscribedAt: time,
  stoppedAt: time,
  lastRefusal: z.object({ at: z.string(), reason: z.string() }).nullable(),
});

export const recipientRoutes = (guard: MemberGuard, ground: StudioGround): Route[] => [
  route({
    method: 'GET',
    path: '/api/forms/:formId/recipients',
    does: 'service_list_form_recipients',
    summary: 'List whom a form has us write to',
    description:
      'The addresses of the draft and of the version that is served: who confirmed, who wants no letters any more, and which a mail server refused.',
    tag: 'Forms',
    guard,
    params: byForm,
    answers: { 200: { description: 'The addresses.', schema: z.object({ items: z.array(recipient) }) } },
    errors: ['insufficient_role', 'not_found'],
    handle: async ({ guard: { context }, params }) => ({
      status: 200,
      body: { items: await listRecipients(context, ground, params.formId) },
    }),
  }),
  route({
    method: 'POST',
    path: '/api/forms/:formId/recipients/retry',
    does: 'service_retry_form_recipient',
    summary: 'Write again to an address of a form',
    description:
      'Tries an address again that a mail server refused, and asks one that is neither a member’s nor confirmed to confirm, once a day.',
    tag: 'Forms',
    guard,
    params: byForm,
    body: z.strictObject({ address: z.email().max(254) }),
    answers: { 200: { description: 'The address.', schema: recipient } },
    errors: ['insufficient_role', 'not_found', 'recipient_unsubscribed'],
    handle: async ({ guard: { context }, params, body }) => ({
      status: 200,
      body: await retryRecipient(context, ground, params.formId, body.address),
    }),
  }),
];
