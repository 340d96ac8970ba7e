import { pageOf, pageQuery, route, type Route } from '@steward/contract';
import { principalId } from '@steward/identity';
import { z } from 'zod';
import { deciding, type MemberGuard, type PortalPorts } from '../door.ts';
import { agentGrant, grantAgent } from './grant.ts';
import { listGrants } from './list.ts';
import { revokeAgent } from './revoke.ts';

const agentParam = z.strictObject({ agentId: principalId });
const grant = z.object({
  agentId: z.string(),
  pillars: z.array(z.string()).nullable(),
  tiers: z.array(z.string()).nullable(),
  tools: z.array(z.string()).nullable(),
  status: z.enum(['granted', 'revoked', 'suspended']),
  grantedBy: z.string(),
  createdThrough: z.string().nullable(),
  grantedAt: z.string(),
  revokedAt: z.string().nullable(),
});

export const grantRoutes = (ports: PortalPorts, guard: MemberGuard): Route[] => [
  route({
    method: 'GET',
    path: '/api/agent-grants',
    does: 'for_people',
    summary: 'List what agents were granted',
    tag: 'Agent grants',
    guard,
    query: pageQuery(principalId),
    answers: {
      200: {
        description: 'A page of grants.',
        schema: pageOf(grant),
      },
    },
    handle: async ({ guard: { context }, query }) => ({
      status: 200,
      body: await listGrants(context, query),
    }),
  }),
  route({
    method: 'POST',
    path: '/api/agent-grants',
    does: 'for_people',
    summary: 'Grant an agent, or replace its grant',
    description:
      'A list that is left out narrows nothing; an empty list allows nothing. Not with a token of the very client that is granted. A first ' +
      'grant, and one by which the agent may do more than before, takes what deciding takes. What the agent had proposed and is no longer granted is withdrawn.',
    tag: 'Agent grants',
    guard,
    body: agentGrant,
    answers: { 201: { description: 'The grant.', schema: grant } },
    errors: ['own_client', 'grant_limit', ...deciding],
    handle: async ({ guard: { context }, body }) => ({
      status: 201,
      body: (await grantAgent(ports, context, body, () => ports.decider.requireFor(context))).after,
    }),
  }),
  route({
    method: 'DELETE',
    path: '/api/agent-grants/:agentId',
    does: 'for_people',
    summary: 'Shut an agent out of the tenant',
    description:
      'Effective on the next request, by every door, whoever the agent acts for and whatever its token says; of a client, with tokens of people as well. ' +
      'What was proposed through it is withdrawn; members, grants and invitations that were made through it are suspended (`GET /api/suspensions`). Where ' +
      'members are, or people decide with it, that takes what deciding takes.',
    tag: 'Agent grants',
    guard,
    params: agentParam,
    query: z.strictObject({
      ahead: z.enum(['true', 'false']).optional().meta({
        description: 'Shut out also one that never came here and has no grant, which takes what deciding takes.',
      }),
    }),
    answers: { 204: { description: 'Revoked.' } },
    errors: ['unknown_client', 'grant_limit', 'own_client', 'own_origin', ...deciding],
    handle: async ({ guard: { context }, params, query }) => {
      await revokeAgent(ports, context, params.agentId, query.ahead === 'true');
      return { status: 204 };
    },
  }),
];
