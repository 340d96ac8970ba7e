import { restOf } from '@steward/access';
import type { Route } from '@steward/contract';
import type { MemberGuard, PortalPorts } from '../door.ts';
import { listIntegrations } from './list.ts';

export const integrationRoutes = (ports: PortalPorts, guard: MemberGuard): Route[] => [
  restOf({ guard, tag: 'Members', ports })('GET', '/api/integrations', listIntegrations, {
    summary: 'List what gives data or entry to somebody outside',
    description:
      'Webhooks, credentials of agent platforms, product feeds, SDK keys, connections, channels, machines, open invitations and grants of agents, ' +
      'with who made each, through which client, and whether they have left since. `knownToLeft` names those who left and were shown a secret that is ' +
      'still good: make a new one, or end it. The newest 1000 of each kind.',
    answers: { 200: 'All of it.' },
  }),
];
