import { restOf, type Caller } from '@steward/access';
import { route, type Guard, type Route } from '@steward/contract';
import { fail } from '@steward/kernel';
import { z } from 'zod';
import { deciding, type MemberGuards, type PortalPorts } from '../door.ts';
import { accepted, acceptInvitation } from './accept.ts';
import { invite } from './invite.ts';
import { listInvitations } from './list.ts';
import { reissueInvitation } from './reissue.ts';
import { revokeInvitation } from './revoke.ts';

export function invitationRoutes(ports: PortalPorts, { member, agents }: MemberGuards, person: Guard<Caller>): Route[] {
  const tag = 'Members';
  const rest = restOf({ guard: member, tag, ports });
  const toAgents = restOf({ guard: agents, tag, ports });
  const secret = { 201: 'The invitation and its secret.' };
  return [
    toAgents('POST', '/api/invitations', invite, {
      summary: 'Invite a person',
      description:
        'The answer shows a secret once. Send it to the invited person, who accepts with it. This needs a token that may ' +
        'decide; every other caller proposes the invitation with `POST /api/pending-actions`.',
      answers: secret,
      errors: deciding,
    }),
    rest('POST', '/api/invitations/:invitationId/secret', reissueInvitation, {
      summary: 'Make a new secret for an open invitation',
      description:
        'The answer shows the new secret once, the previous secret ends, and the time of the invitation starts again. Use it for an ' +
        'invitation that was proposed and approved, or whose secret was lost. This needs a token that may decide. Where the approval ' +
        'policy may require two people for invitations, one of the people whom the approved action names (who asked for it, who ' +
        'approved it) makes its secret, once, before the invitation expires, and its time goes on; then propose another.',
      answers: secret,
      errors: deciding,
    }),
    rest('GET', '/api/invitations', listInvitations, {
      summary: 'List invitations',
      answers: { 200: 'A page of invitations, newest first.' },
    }),
    rest('DELETE', '/api/invitations/:invitationId', revokeInvitation, {
      summary: 'Revoke an open invitation',
      description: 'This needs a token that may decide, unless the invitation was proposed through the same client.',
      answers: { 204: 'Revoked.' },
      errors: deciding,
    }),
    route({
      method: 'POST',
      path: '/api/invitations/accept',
      does: 'for_people',
      summary: 'Accept an invitation',
      description: 'Called by the invited person; no tenant is named, the secret leads to it.',
      tag,
      guard: person,
      body: z.strictObject({ secret: z.string().min(1).max(200) }),
      answers: { 200: { description: 'The organization and the role in it.', schema: accepted } },
      errors: ['not_found', 'invitation_for_another_address', 'already_member', 'member_suspended', 'tenant_mismatch'],
      handle: async ({ guard: caller, body, request }) => ({
        status: 200,
        body: await acceptInvitation(ports, caller, body.secret, request.id),
      }),
    }),
  ];
}

/** A person with no tenant named. */
export const personGuard = (bearer: Guard<Caller>): Guard<Caller> => ({
  security: 'bearer',
  errors: [...bearer.errors, 'not_human'],
  admit: async (request) => {
    const caller = await bearer.admit(request);
    if (!caller.human)
      throw fail('not_human', 'This invitation was sent to another address: log in as the invited person.');
    return caller;
  },
});
