import { restOf } from '@steward/access';
import { route, type Route } from '@steward/contract';
import { z } from 'zod';
import { deciding, type MemberGuards, type PortalPorts } from '../door.ts';
import { addMachine } from './add.ts';
import { changeRole } from './change-role.ts';
import { listMembers } from './list.ts';
import { removeMember } from './remove.ts';

const { clientId: principalId, role } = addMachine.input.shape;
const machine = z.strictObject({ principalType: z.literal('service'), principalId, role });

/** As agents name a member. */
const ofMember = ({ principalId: member = '' }: Readonly<Record<string, string>>) => ({ member });

export function memberRoutes(ports: PortalPorts, { member, agents }: MemberGuards): Route[] {
  const tag = 'Members';
  const rest = restOf({ guard: agents, tag, ports });
  return [
    restOf({ guard: member, tag, ports })('GET', '/api/members', listMembers, {
      summary: 'List members',
      answers: { 200: 'A page of members.' },
    }),
    route({
      method: 'POST',
      path: '/api/members',
      does: 'service_add_machine',
      summary: 'Add a machine as a member',
      description: 'Only for machines; invite people with POST /api/invitations. This needs a token that may decide.',
      tag,
      guard: agents,
      body: machine,
      answers: { 201: { description: 'The member.', schema: machine } },
      errors: [...(addMachine.errors ?? []), ...deciding],
      handle: async ({ guard: { context }, body }) => {
        await addMachine(context, { clientId: body.principalId, role: body.role }, ports);
        return { status: 201, body };
      },
    }),
    rest('PATCH', '/api/members/:principalType/:principalId', changeRole, {
      summary: "Change a member's role",
      description:
        'Takes effect on the next request. This needs a token that may decide; every other caller proposes it with `POST ' +
        '/api/pending-actions`.',
      answers: { 200: 'The member.' },
      shows: { schema: changeRole.input, of: ({ before: _before, ...member }) => member },
      proposes: ofMember,
      errors: deciding,
    }),
    rest('DELETE', '/api/members/:principalType/:principalId', removeMember, {
      summary: 'Remove a member',
      description:
        'Takes effect on the next request. What they made that gives data or entry to somebody outside goes on, and the answer names it: rotate its ' +
        'secret, or end it. This needs a token that may decide; every other caller proposes it with `POST /api/pending-actions`.',
      answers: { 200: 'The role that they had, and what they leave behind.' },
      proposes: ofMember,
      errors: deciding,
    }),
  ];
}
