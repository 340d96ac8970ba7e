import { type Decider, restOf } from '@steward/access';
import { type Guard, type Route, route } from '@steward/contract';
import type { Admitted } from '@steward/identity';
import { z } from 'zod';
import { readW9, revealTin } from './read-w9.ts';
import { recordW9 } from './record-w9.ts';

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
    description:
      'Members that are not given stay as they are. The taxpayer’s number is stored encrypted, and only its last four ' +
      'digits are shown afterwards.',
    tag: 'Tax forms',
    guard,
    params: readW9.input,
    body: recordW9.input.omit({ partyId: true }),
    answers: { 200: { description: 'The stored data.', schema: recordW9.answer } },
    errors: ['not_found', ...deciding, 'insufficient_role', 'not_matching', 'invalid_tin'],
    handle: async ({ guard: { context }, params, body }) => {
      if (body.tin !== undefined) decider.requireFor(context);
      return { status: 200, body: await recordW9(context, { ...params, ...body }, { secret }) };
    },
  }),
  restOf({ guard, tag: 'Tax forms' })('GET', '/api/parties/:partyId/w9', readW9, {
    does: 'service_get_1099_summary',
    summary: 'Read a supplier’s Form W-9',
    answers: { 200: 'The stored data, without the taxpayer’s number.' },
    errors: ['insufficient_role'],
  }),
  route({
    method: 'POST',
    path: '/api/parties/:partyId/w9/reveal',
    does: 'for_people',
    summary: 'Reveal a supplier’s taxpayer id',
    description: 'For filing Form 1099. The audit log records who read the number.',
    tag: 'Tax forms',
    guard,
    params: readW9.input,
    answers: { 200: { description: 'The number.', schema: z.object({ tin: z.string() }) } },
    errors: ['not_found', ...deciding, 'insufficient_role'],
    handle: async ({ guard: { context }, params }) => {
      decider.requireFor(context);
      return { status: 200, body: { tin: await revealTin(context, secret, params.partyId) } };
    },
  }),
];
