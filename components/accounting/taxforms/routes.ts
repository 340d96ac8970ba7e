import type { Decider } from '@steward/access';
import { type Guard, type Route, route } from '@steward/contract';
import type { Admitted } from '@steward/identity';
import { z } from 'zod';
import { boxes } from './box.ts';
import { readW9, revealTin } from './read-w9.ts';
import { recordW9 } from './record-w9.ts';
import { classifications, w9Statuses } from './taxpayer.ts';

const byParty = z.strictObject({ partyId: z.uuid() });
const w9 = z.object({
  partyId: z.uuid(),
  status: z.enum(w9Statuses),
  statusOn: z.iso.date(),
  legalName: z.string().nullable(),
  classification: z.enum(classifications).nullable(),
  tinKind: z.enum(['ssn', 'ein']).nullable(),
  tinLast4: z.string().nullable(),
  eligible: z.boolean(),
  box: z.enum(boxes),
});

const deciding = ['not_human', 'client_not_approver', 'insufficient_scope', 'login_too_old'];

/** Taxpayers' numbers come and go through these only: no tool ever sees one, and no token that an agent may hold. */
export const taxFormRoutes = (
  guard: Guard<Admitted>,
  secret: Uint8Array,
  decider: Pick<Decider, 'requireFor'>,
): Route[] => [
  route({
    method: 'PUT',
    path: '/api/parties/:partyId/w9',
    does: 'service_set_w9_status',
    summary: 'Record a supplier’s Form W-9',
    description: 'What is not given stays as it was. The number is sealed; four digits of it are shown from then on.',
    tag: 'Tax forms',
    guard,
    params: byParty,
    body: z.strictObject({
      status: z.enum(w9Statuses),
      legalName: z.string().trim().min(1).max(200).optional(),
      classification: z.enum(classifications).optional(),
      tin: z.strictObject({ kind: z.enum(['ssn', 'ein']), number: z.string().max(20) }).optional(),
      eligible: z.boolean().optional(),
      box: z.enum(boxes).optional(),
    }),
    answers: { 200: { description: 'What is kept.', schema: w9 } },
    errors: ['not_found', ...deciding, 'insufficient_role', 'not_matching', 'invalid_tin'],
    handle: async ({ guard: { context }, params, body }) => {
      if (body.tin !== undefined) decider.requireFor(context);
      return {
        status: 200,
        body: await recordW9(context, secret, {
          partyId: params.partyId,
          ...body,
        }),
      };
    },
  }),
  route({
    method: 'GET',
    path: '/api/parties/:partyId/w9',
    does: 'service_get_1099_summary',
    summary: 'Read what is kept of a supplier’s Form W-9',
    tag: 'Tax forms',
    guard,
    params: byParty,
    answers: { 200: { description: 'What is kept, without the number.', schema: w9 } },
    errors: ['not_found', 'insufficient_role'],
    handle: async ({ guard: { context }, params }) => ({ status: 200, body: await readW9(context, params.partyId) }),
  }),
  route({
    method: 'POST',
    path: '/api/parties/:partyId/w9/reveal',
    does: 'for_people',
    summary: 'Reveal a supplier’s taxpayer id',
    description: 'For the form that is filed. Who looked is in the audit log.',
    tag: 'Tax forms',
    guard,
    params: byParty,
    answers: { 200: { description: 'The number.', schema: z.object({ tin: z.string() }) } },
    errors: ['not_found', ...deciding, 'insufficient_role'],
    handle: async ({ guard: { context }, params }) => {
      decider.requireFor(context);
      return { status: 200, body: { tin: await revealTin(context, secret, params.partyId) } };
    },
  }),
];
