import { operation, roles } from '@steward/access';
import { principalId } from '@steward/identity';
import { z } from 'zod';
import type { PortalPorts } from '../door.ts';
import { event, memberFacts } from '../events.ts';
import { portalFail } from '../errors.ts';
import { openClient } from '../grants/open-client.ts';
import { appoints } from '../operations.ts';
import { suspendedHere } from '../suspensions/suspended.ts';

const machine = {
  clientId: principalId.meta({ description: 'Subject id of the machine at the identity provider.' }),
  role: z.enum(roles).exclude(['owner']).meta({ description: 'What the machine may do.' }),
};

/**
 * Makes a machine (a client of the identity provider) a member; people are invited instead.
 * @throws Problem `already_member`, `member_suspended` (409), `insufficient_role` (403)
 */
export const addMachine = operation(
  {
    ...appoints,
    name: 'service_add_machine',
    input: z.strictObject(machine),
    answer: z.object({ ...machine, clientId: z.string() }),
    errors: ['already_member'],
  },
  async (scope, { clientId, role }, { identity }: Pick<PortalPorts, 'identity'>) => {
    await scope.write(async (tx) => {
      const through = await openClient(tx);
      const member = { type: 'service', id: clientId } as const;
      if ((await identity.memberships.suspended(tx, { principal: member })) !== undefined) throw suspendedHere(member);
      const before = await identity.memberships.set(tx, member, role, { by: tx.context.subject, through });
      if (before !== undefined) throw portalFail('already_member');
      tx.record(event('portal.member.added', { ...memberFacts(member), role }));
    });
    return { clientId, role };
  },
);
