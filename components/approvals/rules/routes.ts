import { type Guard, pageOf, pageQuery, route, type Route } from '@steward/contract';
import type { Admitted } from '@steward/identity';
import { principalId } from '@steward/identity';
import { z } from 'zod';
import type { Ground } from '../ground.ts';
import { money } from '../policy/money.ts';
import { createRule } from './create.ts';
import { listRules } from './list.ts';
import { revokeRule } from './revoke.ts';

const tag = 'Standing rules';
const deciding = ['not_human', 'client_not_approver', 'insufficient_scope', 'login_too_old', 'insufficient_role'];
const rule = z.object({
  id: z.uuid(),
  tool: z.string(),
  agentId: z.string().nullable(),
  upTo: money.nullable(),
  upToDaily: money.nullable(),
  upToInBase: money.nullable().meta({
    description:
      'What may leave in the base currency where the limit is in another: its worth by the stored rate when the rule was made, and a twentieth. Smaller amounts in proportion. null in another currency: the rule lets nothing out.',
  }),
  validUntil: z.string(),
  createdBy: z.string(),
  createdAt: z.string(),
  revokedBy: z.string().nullable(),
  revokedAt: z.string().nullable(),
});

export const ruleRoutes = (ground: Ground, guard: Guard<Admitted>): Route[] => [
  route({
    method: 'GET',
    path: '/api/standing-rules',
    does: { pillar: 'portal', tier: 'read' },
    summary: 'List standing rules, newest first',
    tag,
    guard,
    query: pageQuery(),
    answers: {
      200: {
        description: 'A page of rules.',
        schema: pageOf(rule),
      },
    },
    errors: ['insufficient_role'],
    handle: async ({ guard: { context }, query }) => ({
      status: 200,
      body: await listRules(context, query),
    }),
  }),
  route({
    method: 'POST',
    path: '/api/standing-rules',
    does: 'for_people',
    summary: 'Approve actions of one tool in advance, for a time',
    description:
      'It stands in for one approval: what needs two people still waits for them. It holds while its creator may approve.',
    tag,
    guard,
    body: z.strictObject({
      tool: z.string().max(64),
      agentId: principalId.optional(),
      upTo: money.optional(),
      upToDaily: money.optional(),
      validUntil: z.iso.datetime({ offset: true }),
    }),
    answers: { 201: { description: 'The rule.', schema: rule } },
    errors: deciding,
    handle: async ({ guard: { caller, context }, body }) => {
      ground.decider.require(caller);
      return { status: 201, body: await createRule(ground, context, body) };
    },
  }),
  route({
    method: 'DELETE',
    path: '/api/standing-rules/:id',
    does: 'for_people',
    summary: 'Revoke a standing rule',
    tag,
    guard,
    params: z.strictObject({ id: z.uuid() }),
    answers: { 200: { description: 'The rule, revoked.', schema: rule } },
    errors: [...deciding, 'not_found'],
    handle: async ({ guard: { caller, context }, params: { id } }) => {
      ground.decider.require(caller);
      return { status: 200, body: await revokeRule(context, id) };
    },
  }),
];
