import { roles } from '@steward/access';
import { pageOf, pageQuery, route, type Route } from '@steward/contract';
import { principalId } from '@steward/identity';
import { type PrincipalRef } from '@steward/kernel';
import { z } from 'zod';
import { deciding, type MemberGuards, type PortalPorts } from '../door.ts';
import { addService } from './add.ts';
import { changeRole } from './change-role.ts';
import { listMembers } from './list.ts';
import { removeMember } from './remove.ts';

const memberParam = z.strictObject({ principalType: z.enum(['user', 'service']), principalId });
const member = z.object({
  principalType: z.string(),
  principalId: z.string(),
  displayName: z.string().nullable(),
  role: z.enum(roles),
  since: z.string(),
  createdThrough: z.string().nullable(),
  suspendedAt: z.string().nullable(),
});

const refOf = (params: z.infer<typeof memberParam>): PrincipalRef => ({
  type: params.principalType,
  id: params.principalId,
});

export const memberRoutes = (ports: PortalPorts, { member: people, agents }: MemberGuards): Route[] => [
  route({
    method: 'GET',
    path: '/api/members',
    does: 'for_people',
    summary: 'List members',
    tag: 'Members',
    guard: people,
    query: pageQuery(z.string().min(1).max(310)),
    answers: {
      200: {
        description: 'A page of members.',
        schema: pageOf(member),
      },
    },
    errors: ['invalid_cursor'],
    handle: async ({ guard: { context }, query }) => ({
      status: 200,
      body: await listMembers(ports.identity, context, query),
    }),
  }),
  route({
    method: 'POST',
    path: '/api/members',
    does: 'service_add_machine',
    summary: 'Add a machine as a member',
    description: 'People are invited instead: POST /api/invitations. It takes what deciding takes.',
    tag: 'Members',
    guard: agents,
    body: z.strictObject({
      principalType: z.literal('service'),
      principalId,
      role: z.enum(roles).exclude(['owner']),
    }),
    answers: { 201: { description: 'The member.' } },
    errors: ['already_member', ...deciding],
    handle: async ({ guard: { context }, body }) => {
      await addService(ports.identity, context, body.principalId, body.role);
      return { status: 201, body };
    },
  }),
  route({
    method: 'PATCH',
    path: '/api/members/:principalType/:principalId',
    does: 'service_change_member_role',
    summary: "Change a member's role",
    description: 'It takes what deciding takes; anybody else proposes it.',
    tag: 'Members',
    guard: agents,
    params: memberParam,
    body: z.strictObject({ role: z.enum(roles) }),
    answers: { 200: { description: 'The member.' } },
    errors: ['not_found', 'last_owner', ...deciding],
    handle: async ({ guard: { context }, params, body }) => {
      await changeRole(ports.identity, context, refOf(params), body.role);
      return { status: 200, body: { ...params, role: body.role } };
    },
  }),
  route({
    method: 'DELETE',
    path: '/api/members/:principalType/:principalId',
    does: 'service_remove_member',
    summary: 'Remove a member',
    description: 'Effective on the next request. It takes what deciding takes; anybody else proposes it.',
    tag: 'Members',
    guard: agents,
    params: memberParam,
    answers: { 204: { description: 'Removed.' } },
    errors: ['not_found', 'last_owner', ...deciding],
    handle: async ({ guard: { context }, params }) => {
      await removeMember(ports, context, refOf(params));
      return { status: 204 };
    },
  }),
];
