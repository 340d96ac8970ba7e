import { restOf } from '@steward/access';
import type { Route } from '@steward/contract';
import { deciding, type MemberGuard, type PortalPorts } from '../door.ts';
import { grant, grantAgent } from './grant.ts';
import { listGrants } from './list.ts';
import { revokeAgent } from './revoke.ts';
import { listSuspends } from './suspends.ts';

export function grantRoutes(ports: PortalPorts, guard: MemberGuard): Route[] {
  const rest = restOf({ guard, tag: 'Agent grants', ports });
  return [
    rest('GET', '/api/agent-grants', listGrants, {
      summary: 'List the grants of agents',
      answers: { 200: 'A page of grants.' },
    }),
    rest('POST', '/api/agent-grants', grantAgent, {
      summary: 'Grant an agent, or replace its grant',
      description:
        'A list that is left out narrows nothing; an empty list allows nothing. A client cannot change its own grant. A ' +
        'first grant, and a grant that lets the agent do more than before, need a token that may decide, and are proposed where the ' +
        'approval policy may require two people for them. Pending actions ' +
        'that the grant no longer covers are withdrawn.',
      answers: { 201: 'The grant.' },
      shows: { schema: grant.answer, of: ({ after }) => after },
      errors: deciding,
    }),
    rest('GET', '/api/agent-grants/:agentId/suspensions', listSuspends, {
      summary: 'List what shutting an agent out would suspend',
      description:
        'Members, grants and invitations that have access now and would lose it, and webhooks, credentials of agent platforms and product feeds that would ' +
        'stop; nothing is changed. `leaves` is what was made so and goes on. Both are empty for a name that nothing was made through.',
      answers: { 200: 'All of it.' },
    }),
    rest('DELETE', '/api/agent-grants/:agentId', revokeAgent, {
      summary: 'Shut an agent out of the tenant',
      description:
        'Takes effect on the next request through every door, for every person that the agent acts for and every token. ' +
        'Shutting out a client also refuses tokens of people that were issued to it. Its pending actions are withdrawn. ' +
        'Members, grants, invitations, webhooks, credentials of agent platforms and product feeds that were made through it are suspended (`GET /api/suspensions`). A token that may ' +
        'decide is needed where members are suspended or people decide with the client.',
      answers: { 204: 'Revoked.' },
      errors: deciding,
    }),
  ];
}
