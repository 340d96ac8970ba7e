import { isAsItWas, restOf } from '@steward/access';
import type { Guard, Route } from '@steward/contract';
import type { Admitted } from '@steward/identity';
import type { Deps } from '../deps.ts';
import { createRule } from './create.ts';
import { listRules } from './list.ts';
import { revokeRule } from './revoke.ts';

export function ruleRoutes(deps: Deps, guard: Guard<Admitted>): Route[] {
  const rest = restOf({ guard, tag: 'Standing rules', ports: deps });
  return [
    rest('GET', '/api/standing-rules', listRules, {
      does: { pillar: 'portal', tier: 'read' },
      summary: 'List standing rules, newest first',
      answers: { 200: 'A page of rules.' },
    }),
    rest('POST', '/api/standing-rules', createRule, {
      summary: 'Approve actions of one tool in advance',
      description:
        'Until it expires, the rule replaces the approval of one person: an action that needs two people still waits for ' +
        'both. The rule holds while its creator may approve.',
      answers: { 201: 'The rule.', 200: 'The rule of the same person that says the same already.' },
      status: (answer) => (isAsItWas(answer) ? 200 : 201),
    }),
    rest('DELETE', '/api/standing-rules/:id', revokeRule, {
      summary: 'Revoke a standing rule',
      answers: { 200: 'The rule, revoked.' },
    }),
  ];
}
