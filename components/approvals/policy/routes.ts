import { restOf } from '@steward/access';
import type { Guard, Route } from '@steward/contract';
import type { Admitted } from '@steward/identity';
import type { Deps } from '../deps.ts';
import { readApprovalPolicy, replaceApprovalPolicy } from './policy.ts';

export function policyRoutes(deps: Deps, guard: Guard<Admitted>): Route[] {
  const rest = restOf({ guard, tag: 'Approval policy', ports: deps });
  return [
    rest('GET', '/api/approval-policy', readApprovalPolicy, {
      does: { pillar: 'portal', tier: 'read' },
      summary: 'Read the approval policy',
      answers: { 200: 'The policy.' },
    }),
    rest('PUT', '/api/approval-policy', replaceApprovalPolicy, {
      summary: 'Replace the approval policy',
      description: 'Only for owners. Pending actions get a new preview before anybody can approve them.',
      answers: { 200: 'The policy as it is now.' },
    }),
  ];
}
