import { operation, roles } from '@steward/access';
import { fail } from '@steward/kernel';
import { z } from 'zod';
import { event, memberFacts } from '../events.ts';
import type { PortalPorts } from '../door.ts';
import { openClient } from '../grants/open-client.ts';
import { appoints } from '../operations.ts';
import { memberRef, refOf } from './member.ts';

/**
 * Ends a membership, from the next request on, withdraws what the member, or an agent for them, has proposed, and ends their standing rules.
 * @throws Problem `not_found` (404), `insufficient_role` (403), `last_owner` (409)
 */
export const removeMember = operation(
  {
    ...appoints,
    name: 'service_remove_member',
    input: z.strictObject(memberRef),
    answer: z.object({ role: z.enum(roles) }),
    errors: ['not_found', 'last_owner'],
  },
  async (
    scope,
    input,
    { identity, withdrawAll, endRules }: Pick<PortalPorts, 'identity' | 'withdrawAll' | 'endRules'>,
  ) =>
    scope.write(async (tx) => {
      const member = refOf(input);
      await openClient(tx);
      const before = await identity.memberships.remove(tx, member);
      if (before === undefined) throw fail('not_found', 'There is no such member: list the members for their ids.');
      tx.record(event('portal.member.removed', { ...memberFacts(member), role: before }));
      await withdrawAll(tx, ({ subject }) =>
        subject.type === member.type && subject.id === member.id ? 'member_removed' : undefined,
      );
      if (member.type === 'user') await endRules(tx, new Map([[member.id, undefined]]));
      return { role: before };
    }),
);
