import { route, type Guard, type Route } from '@steward/contract';
import type { Admitted } from '@steward/identity';
import type { Ground } from '../ground.ts';
import { approvalPolicy, readApprovalPolicy, replaceApprovalPolicy } from './policy.ts';

const tag = 'Approval policy';

export const policyRoutes = (ground: Ground, guard: Guard<Admitted>): Route[] => [
  route({
    method: 'GET',
    path: '/api/approval-policy',
    does: { pillar: 'portal', tier: 'read' },
    summary: 'Read the approval policy',
    tag,
    guard,
    answers: { 200: { description: 'The policy.', schema: approvalPolicy } },
    errors: ['insufficient_role'],
    handle: async ({ guard: { context } }) => ({ status: 200, body: await readApprovalPolicy(ground, context) }),
  }),
  route({
    method: 'PUT',
    path: '/api/approval-policy',
    does: 'for_people',
    summary: 'Replace the approval policy',
    description: 'For owners. What is pending is shown anew before it can be approved.',
    tag,
    guard,
    body: approvalPolicy,
    answers: { 200: { description: 'The policy as it is now.', schema: approvalPolicy } },
    errors: [
      'not_human',
      'client_not_approver',
      'insufficient_scope',
      'login_too_old',
      'insufficient_role',
      'policy_changed',
    ],
    handle: async ({ guard: { caller, context }, body }) => {
      ground.decider.require(caller);
      return { status: 200, body: await replaceApprovalPolicy(ground, context, body) };
    },
  }),
];
