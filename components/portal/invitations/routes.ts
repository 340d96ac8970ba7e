import type { Caller } from '@steward/access';
import { pageQuery, route, type Guard, type Route } from '@steward/contract';
import { fail } from '@steward/kernel';
import { z } from 'zod';
import { deciding, uuidParam, type MemberGuards, type PortalPorts } from '../door.ts';
import { acceptInvitation } from './accept.ts';
import { newInvitation } from './invitation.ts';
import { invite } from './invite.ts';
import { listInvitations } from './list.ts';
import { reissueInvitation } from './reissue.ts';
import { revokeInvitation } from './revoke.ts';

export const invitationRoutes = (
  ports: PortalPorts,
  { member, agents }: MemberGuards,
  person: Guard<Caller>,
): Route[] => [
  route({
    method: 'POST',
    path: '/api/invitations',
    does: 'service_invite_member',
    summary: 'Invite a person',
    description:
      'The answer holds a secret, shown this once. Send it to the invited person, who accepts with it. It takes what deciding takes; ' +
      'anybody else proposes it (`POST /api/pending-actions`).',
    tag: 'Members',
    guard: agents,
    body: newInvitation,
    answers: { 201: { description: 'The invitation and its secret.' } },
    errors: ['invitation_open', 'already_member', 'member_suspended', ...deciding],
    handle: async ({ guard: { context }, body }) => ({
      status: 201,
      body: await invite(ports.identity, context, body),
    }),
  }),
  route({
    method: 'POST',
    path: '/api/invitations/:invitationId/secret',
    does: 'service_invite_member',
    summary: 'Make a new secret for an open invitation',
    description:
      'Shown this once; the secret before it ends. For invitations that were proposed and approved, or whose secret is lost.',
    tag: 'Members',
    guard: agents,
    params: uuidParam('invitationId'),
    answers: { 201: { description: 'The invitation and its secret.' } },
    errors: ['not_found', ...deciding],
    handle: async ({ guard: { context }, params }) => ({
      status: 201,
      body: await reissueInvitation(context, params['invitationId'] ?? ''),
    }),
  }),
  route({
    method: 'GET',
    path: '/api/invitations',
    does: 'for_people',
    summary: 'List invitations',
    tag: 'Members',
    guard: member,
    query: pageQuery(),
    answers: { 200: { description: 'A page of invitations, newest first.' } },
    handle: async ({ guard: { context }, query }) => ({
      status: 200,
      body: await listInvitations(context, query),
    }),
  }),
  route({
    method: 'DELETE',
    path: '/api/invitations/:invitationId',
    does: 'for_people',
    summary: 'Revoke an open invitation',
    description: 'It takes what deciding takes, unless it was proposed through the same client.',
    tag: 'Members',
    guard: member,
    params: uuidParam('invitationId'),
    answers: { 204: { description: 'Revoked.' } },
    errors: ['not_found', ...deciding],
    handle: async ({ guard: { context }, params }) => {
      await revokeInvitation(ports, context, params['invitationId'] ?? '');
      return { status: 204 };
    },
  }),
  route({
    method: 'POST',
    path: '/api/invitations/accept',
    does: 'for_people',
    summary: 'Accept an invitation',
    description: 'Called by the invited person; no tenant is named, the secret leads to it.',
    tag: 'Members',
    guard: person,
    body: z.strictObject({ secret: z.string().min(1).max(200) }),
    answers: { 200: { description: 'The organization and the role in it.' } },
    errors: ['not_found', 'invitation_for_another_address', 'already_member', 'member_suspended', 'tenant_mismatch'],
    handle: async ({ guard: caller, body, request }) => ({
      status: 200,
      body: await acceptInvitation(ports, caller, body.secret, request.id),
    }),
  }),
];

/** A person with no tenant named. */
export const personGuard = (bearer: Guard<Caller>): Guard<Caller> => ({
  security: 'bearer',
  errors: [...bearer.errors, 'not_human'],
  admit: async (request) => {
    const caller = await bearer.admit(request);
    if (!caller.human) throw fail('not_human', 'Only the invited person may accept.');
    return caller;
  },
});
