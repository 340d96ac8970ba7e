import { route, type Route } from '@steward/contract';
import { deciding, type MemberGuard, type PortalPorts } from '../door.ts';
import { readToolPolicy, replaceToolPolicy, toolPolicy } from './policy.ts';

export const policyRoutes = (ports: PortalPorts, guard: MemberGuard): Route[] => [
  route({
    method: 'GET',
    path: '/api/tool-policy',
    does: 'for_people',
    summary: 'Read the tool policy',
    tag: 'Tool policy',
    guard,
    answers: { 200: { description: 'The policy.', schema: toolPolicy } },
    handle: async ({ guard: { context } }) => ({ status: 200, body: await readToolPolicy(context) }),
  }),
  route({
    method: 'PUT',
    path: '/api/tool-policy',
    does: 'for_people',
    summary: 'Replace the tool policy',
    description:
      'Taking a tool off the list, or letting agents in without a grant, takes what deciding about an action takes.',
    tag: 'Tool policy',
    guard,
    body: toolPolicy,
    answers: { 200: { description: 'The policy as it is now.', schema: toolPolicy } },
    errors: ['version_conflict', ...deciding],
    handle: async ({ guard: { context }, body }) => ({
      status: 200,
      body: await replaceToolPolicy(ports, context, body),
    }),
  }),
];
