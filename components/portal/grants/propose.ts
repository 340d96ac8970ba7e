import { asItWas, operation } from '@steward/access';
import type { PortalPorts } from '../door.ts';
import { appoints } from '../operations.ts';
import { agentGrant, grantAgent, granting } from './grant.ts';

/** The same as `grantAgent`, where people decide about all of it before, also about what narrows. */
export const proposeGrant = operation(
  {
    ...appoints,
    name: granting,
    input: agentGrant,
    answer: grantAgent.answer,
    errors: ['own_client', 'grant_limit'],
  },
  async ({ context }, terms, ports: Pick<PortalPorts, 'identity' | 'withdrawAll' | 'toolNames' | 'clientsSeen'>) => {
    const granted = await grantAgent(context, terms, {
      ...ports,
      decider: { requireFor: () => undefined },
      approvals: { refusedAlone: async () => undefined },
    });
    return granted.after === granted.before ? asItWas(granted) : granted;
  },
);
