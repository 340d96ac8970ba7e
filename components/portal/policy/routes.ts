import { restOf } from '@steward/access';
import type { Route } from '@steward/contract';
import { deciding, type MemberGuard, type PortalPorts } from '../door.ts';
import { readToolPolicy, replaceToolPolicy } from './policy.ts';

export function policyRoutes(ports: PortalPorts, guard: MemberGuard): Route[] {
  const rest = restOf({ guard, tag: 'Tool policy', ports });
  return [
    rest('GET', '/api/tool-policy', readToolPolicy, {
      summary: 'Read the tool policy',
      answers: { 200: 'The policy.' },
    }),
    rest('PUT', '/api/tool-policy', replaceToolPolicy, {
      summary: 'Replace the tool policy',
      description: 'Taking a tool off the list, and letting in agents without a grant, need a token that may decide.',
      answers: { 200: 'The policy as it is now.' },
      errors: deciding,
    }),
  ];
}
