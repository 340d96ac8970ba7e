import { asItWas, operation, roles } from '@steward/access';
import { principalId, type Member } from '@steward/identity';
import { z } from 'zod';
import type { PortalPorts } from '../door.ts';
import { appoints } from '../operations.ts';
import { changeRole } from './change-role.ts';
import { memberNamed, shownMember } from './named.ts';
import { leaves, type RemovalPorts, removeMember } from './remove.ts';

const called = principalId.meta({ description: 'E-mail address or id of the member.' });
const member = z.object({
  name: z.string().nullable(),
  email: z.string().nullable(),
  kind: z.enum(['person', 'machine']),
  id: z.string(),
});

const refOf = ({ principal: { type, id } }: Member) => ({
  principalType: type === 'service' ? ('service' as const) : ('user' as const),
  principalId: id,
});

/**
 * The same as `changeRole`, of a member as agents name one.
 * @throws Problem what `memberNamed` and `changeRole` throw
 */
export const changeRoleByName = operation(
  {
    ...appoints,
    name: 'service_change_member_role',
    input: z.strictObject({ member: called, role: z.enum(roles).meta({ description: 'The new role.' }) }),
    answer: z.object({ member, before: z.enum(roles), after: z.enum(roles) }),
    errors: ['not_found', 'conflict', 'last_owner'],
  },
  async ({ context }, { member: given, role }, ports: Pick<PortalPorts, 'identity' | 'endRules'>) => {
    const held = await memberNamed(ports.identity, context, given);
    const { before } = await changeRole(context, { ...refOf(held), role }, ports);
    const changed = { member: shownMember(held), before, after: role };
    return before === role ? asItWas(changed) : changed;
  },
);

/**
 * The same as `removeMember`, of a member as agents name one.
 * @throws Problem what `memberNamed` and `removeMember` throw
 */
export const removeByName = operation(
  {
    ...appoints,
    name: 'service_remove_member',
    input: z.strictObject({ member: called }),
    answer: z.object({ member, role: z.enum(roles), leaves }),
    errors: ['not_found', 'conflict', 'last_owner'],
  },
  async ({ context }, { member: given }, ports: RemovalPorts) => {
    const held = await memberNamed(ports.identity, context, given);
    return { member: shownMember(held), ...(await removeMember(context, refOf(held), ports)) };
  },
);
