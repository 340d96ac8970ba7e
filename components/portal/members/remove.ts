import { operation, roles } from '@steward/access';
import { integration, type Integration } from '@steward/identity';
import { fail } from '@steward/kernel';
import { z } from 'zod';
import { event, memberFacts } from '../events.ts';
import type { PortalPorts } from '../door.ts';
import { openClient } from '../grants/open-client.ts';
import { kindsOf, madeAmong } from '../integrations/list.ts';
import { appoints } from '../operations.ts';
import { memberRef, refOf } from './member.ts';

export type RemovalPorts = Pick<PortalPorts, 'identity' | 'withdrawAll' | 'endRules' | 'integrations'>;

/** Of what somebody leaves behind: enough to find it. */
const left = integration.pick({ kind: true, id: true, name: true }).extend({
  secretKnown: z.boolean().meta({ description: 'Whether they were shown a secret of it that is still good.' }),
});
export const leaves = z.array(left).meta({
  description:
    'What they made, or were shown a secret of, that still gives data or entry to somebody outside: rotate its secret, or end it.',
});
export type Left = z.output<typeof left>;

const leftOf = ({ kind, id, name, knownToLeft }: Integration): Left => ({
  kind,
  id,
  name,
  secretKnown: knownToLeft.length > 0,
});

/**
 * Ends a membership, from the next request on, withdraws what the member, or an agent for them, has proposed, and ends their standing rules. What they made that
 * gives data or entry to somebody outside goes on, for the business relies on it: the answer names it, to be renewed or ended.
 * @throws Problem `not_found` (404), `insufficient_role` (403), `last_owner` (409)
 */
export const removeMember = operation(
  {
    ...appoints,
    name: 'service_remove_member',
    input: z.strictObject(memberRef),
    answer: z.object({ role: z.enum(roles), leaves }),
    errors: ['not_found', 'last_owner'],
  },
  async (scope, input, ports: RemovalPorts) =>
    scope.write(async (tx) => {
      const { identity, withdrawAll, endRules } = ports;
      const member = refOf(input);
      await openClient(tx);
      const before = await identity.memberships.remove(tx, member);
      if (before === undefined) throw fail('not_found', 'There is no such member: list the members for their ids.');
      tx.record(event('portal.member.removed', { ...memberFacts(member), role: before }));
      await withdrawAll(tx, ({ subject }) =>
        subject.type === member.type && subject.id === member.id ? 'member_removed' : undefined,
      );
      if (member.type === 'user') await endRules(tx, new Map([[member.id, undefined]]));
      const made = await madeAmong(tx.query, tx.context.tenant, kindsOf(ports), { clients: [], members: [member] });
      return { role: before, leaves: made.map(leftOf) };
    }),
);
