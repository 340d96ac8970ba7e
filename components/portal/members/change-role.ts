import { operation, roles } from '@steward/access';
import { fail } from '@steward/kernel';
import { z } from 'zod';
import type { PortalPorts } from '../door.ts';
import { event, memberFacts } from '../events.ts';
import { openClient } from '../grants/open-client.ts';
import { appoints } from '../operations.ts';
import { memberRef, refOf } from './member.ts';

const wanted = z.strictObject({ ...memberRef, role: z.enum(roles) });
/** As which role they were a member until now; the same where nothing changed. */
const changed = wanted.extend({ before: z.enum(roles) });

/**
 * Changes what a member may do, from the next request on.
 * @throws Problem `not_human` (403) where a machine is to own it, `not_found` (404), `insufficient_role` (403), `last_owner` (409)
 */
export const changeRole = operation(
  {
    ...appoints,
    name: 'service_change_member_role',
    input: wanted,
    answer: changed,
    errors: ['not_found', 'last_owner'],
  },
  async (scope, input, { identity, endRules }: Pick<PortalPorts, 'identity' | 'endRules'>) => {
    const { role } = input;
    const member = refOf(input);
    if (member.type === 'service' && role === 'owner')
      throw fail('not_human', 'A machine cannot own a tenant: give it another role.');
    return scope.write(async (tx) => {
      const through = await openClient(tx);
      const before = await identity.memberships.set(tx, member, role, { by: tx.context.subject, through });
      // Undoes the membership that was just made: roles are changed here, members are made by invitation.
      if (before === undefined) throw fail('not_found', 'There is no such member: list the members for their ids.');
      if (before !== role) {
        tx.record(event('portal.member.role_changed', { ...memberFacts(member), before, after: role }));
        if (member.type === 'user') await endRules(tx, new Map([[member.id, role]]));
      }
      return { ...input, before };
    });
  },
);
