import { restOf } from '@steward/access';
import type { Route } from '@steward/contract';
import { deciding, type MemberGuard, type PortalPorts } from '../door.ts';
import { grant, grantAgent } from './grant.ts';
import { listGrants } from './list.ts';
import { revokeAgent } from './revoke.ts';

export function grantRoutes(ports: PortalPorts, guard: MemberGuard): Route[] {
  const rest = restOf({ guard, tag: 'Agent grants', ports });
  return [
    rest('GET', '/api/agent-grants', listGrants, {
      summary: 'List what agents were granted',
      answers: { 200: 'A page of grants.' },
    }),
    rest('POST', '/api/agent-grants', grantAgent, {
      summary: 'Grant an agent, or replace its grant',
      description:
        'A list that is left out narrows nothing; an empty list allows nothing. Not with a token of the very client that is granted. A first ' +
        'grant, and one by which the agent may do more than before, takes what deciding takes. What the agent had proposed and is no longer granted is withdrawn.',
      answers: { 201: 'The grant.' },
      shows: { schema: grant.answer, of: ({ after }) => after },
      errors: deciding,
    }),
    rest('DELETE', '/api/agent-grants/:agentId', revokeAgent, {
      summary: 'Shut an agent out of the tenant',
      description:
        'Effective on the next request, by every door, whoever the agent acts for and whatever its token says; of a client, with tokens of people as well. ' +
        'What was proposed through it is withdrawn; members, grants and invitations that were made through it are suspended (`GET /api/suspensions`). Where ' +
        'members are, or people decide with it, that takes what deciding takes.',
      answers: { 204: 'Revoked.' },
      errors: deciding,
    }),
  ];
}
