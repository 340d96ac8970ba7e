import { roles, type Role } from '@steward/access';
import { principalId } from '@steward/identity';
import { administerMembers } from '../permissions.ts';
import { tool, type Outcome, type Tool } from '@steward/tools';
import { z } from 'zod';
import type { PortalPorts } from '../door.ts';
import { agentGrant, grantAgent, type AgentGrant } from '../grants/grant.ts';
import { newInvitation } from '../invitations/invitation.ts';
import { invite } from '../invitations/invite.ts';
import { addService } from './add.ts';
import { changeRole } from './change-role.ts';
import { memberNamed, roleInWords, shownMember } from './named.ts';
import { removeMember } from './remove.ts';

const shared = {
  pillar: 'portal',
  kind: 'command',
  tier: 'approval',
  core: false,
  surfaces: ['public', 'internal'],
  requires: administerMembers,
  personas: [],
} as const;

/** Who may decide: an owner alone where ownership is given or taken, as for whoever does it in person. */
const administrators: readonly Role[] = ['owner', 'admin'];
const decidersOf = (...touched: readonly unknown[]): readonly Role[] =>
  touched.includes('owner') ? ['owner'] : administrators;
const previewed = ({ preview }: Outcome): Readonly<Record<string, unknown>> => preview as Record<string, unknown>;

const named = principalId.meta({ description: 'E-mail address or id of the member.' });
const member = z.object({
  name: z.string().nullable(),
  email: z.string().nullable(),
  kind: z.enum(['person', 'machine']),
  id: z.string(),
});

/** For agents, and for people whose login may not decide: who may do what is proposed, and people decide about it. */
export const appointingTools: readonly Tool<PortalPorts>[] = [
  tool({
    ...shared,
    name: 'service_invite_member',
    title: 'Invite somebody',
    description:
      'Invites a person by e-mail address to become a member with a role. Whoever approves is given the secret to hand over; you are not.',
    core: true,
    input: z.strictObject({ email: z.email().max(254), role: z.enum(roles) }),
    output: z.object({ invitation_id: z.string(), email: z.string(), role: z.enum(roles), expires_at: z.string() }),
    annotations: { destructiveHint: false, idempotentHint: false },
    approval: { moneyOut: false, appoints: ({ role }) => decidersOf(role) },
    run: async ({ context, preview }, given, ports) => {
      const wanted = newInvitation.parse(given);
      const { id, email, role, expiresAt } = await invite(ports.identity, context, wanted);
      const who = `${email} as ${role}, who ${roleInWords[role]}`;
      return {
        summary: preview
          ? `Would invite ${who}.`
          : `Invited ${who}. Whoever approved makes the secret to hand over: POST /api/invitations/${id}/secret at the portal.`,
        data: { invitation_id: id, email, role, expires_at: expiresAt },
        preview: { email, role, meaning: roleInWords[role] },
      };
    },
  }),
  tool({
    ...shared,
    name: 'service_add_machine',
    title: 'Make a machine a member',
    description:
      'Makes a client of the identity provider, such as an integration, a member that acts by itself with a role.',
    input: z.strictObject({
      client_id: principalId.meta({ description: 'Its subject id at the identity provider.' }),
      role: z.enum(roles).exclude(['owner']),
    }),
    output: z.object({ client_id: z.string(), role: z.enum(roles) }),
    annotations: { destructiveHint: false, idempotentHint: false },
    approval: { moneyOut: false, appoints: () => administrators },
    run: async ({ context, preview }, { client_id: id, role }, ports) => {
      await addService(ports.identity, context, id, role);
      const who = `the machine ${id} a member as ${role}: it ${roleInWords[role]}, by itself`;
      return {
        summary: `${preview ? 'Would make' : 'Made'} ${who}.`,
        data: { client_id: id, role },
        preview: { machine: id, role, meaning: roleInWords[role] },
      };
    },
  }),
  tool({
    ...shared,
    name: 'service_change_member_role',
    title: "Change a member's role",
    description: 'Gives a member another role, from the next request on.',
    input: z.strictObject({ member: named, role: z.enum(roles) }),
    output: z.object({ member, before: z.enum(roles), after: z.enum(roles) }),
    annotations: { destructiveHint: false, idempotentHint: true },
    approval: {
      moneyOut: false,
      appoints: ({ role }, outcome) => decidersOf(role, previewed(outcome)['before']),
    },
    run: async ({ context, preview }, { member: given, role }, ports) => {
      const held = await memberNamed(ports.identity, context, given);
      await changeRole(ports.identity, context, held.principal, role);
      const shown = shownMember(held);
      const change = { member: shown, before: held.role, after: role };
      return {
        summary: `${preview ? 'Would make' : 'Made'} ${nameOf(shown)} ${role} instead of ${held.role}: ${roleInWords[role]}.`,
        data: change,
        preview: { ...change, meaning: roleInWords[role] },
      };
    },
  }),
  tool({
    ...shared,
    name: 'service_remove_member',
    title: 'Remove a member',
    description: 'Ends a membership, from the next request on; to come back takes a new invitation.',
    input: z.strictObject({ member: named }),
    output: z.object({ member, role: z.enum(roles) }),
    annotations: { destructiveHint: true, idempotentHint: false },
    approval: { moneyOut: false, appoints: (_args, outcome) => decidersOf(previewed(outcome)['role']) },
    run: async ({ context, preview }, { member: given }, ports) => {
      const held = await memberNamed(ports.identity, context, given);
      await removeMember(ports, context, held.principal);
      const shown = shownMember(held);
      return {
        summary: `${preview ? 'Would remove' : 'Removed'} ${nameOf(shown)}, ${held.role}, from the organization.`,
        data: { member: shown, role: held.role },
        preview: { member: shown, role: held.role, loses: roleInWords[held.role] },
      };
    },
  }),
  tool({
    ...shared,
    name: 'service_grant_agent',
    title: 'Grant an agent',
    description:
      'Says what an agent may do here at most, or lets one in again that was shut out. A list that is left out narrows nothing.',
    input: z.strictObject({
      agent_id: agentGrant.shape.agentId,
      pillars: agentGrant.shape.pillars,
      tiers: agentGrant.shape.tiers,
      tools: agentGrant.shape.tools,
    }),
    output: z.object({ agent_id: z.string(), status: z.string() }),
    annotations: { destructiveHint: false, idempotentHint: true },
    approval: { moneyOut: false, appoints: () => administrators },
    run: async ({ context, preview }, { agent_id: agentId, ...terms }, ports) => {
      // People decide about all of it, also where it narrows.
      const { before, after } = await grantAgent(ports, context, { agentId, ...terms }, () => undefined);
      const [from, to] = [termsInWords(before), termsInWords(after)];
      return {
        summary: `${preview ? 'Would let' : 'Let'} the agent ${agentId} use ${to}; until now ${from}.`,
        data: { agent_id: agentId, status: after.status },
        preview: { agent: agentId, before: from, after: to },
      };
    },
  }),
];

const nameOf = ({ name, email, id }: ReturnType<typeof shownMember>): string => {
  const called = [name, email].filter((part, at, all) => part !== null && all.indexOf(part) === at);
  return called.length === 0 ? id : called.length === 2 ? `${called[0]} (${called[1]})` : String(called[0]);
};

function termsInWords(grant: AgentGrant | undefined): string {
  if (grant === undefined) return 'what the tool policy lets agents without a grant';
  if (grant.status !== 'granted') return `nothing: it is ${grant.status === 'revoked' ? 'shut out' : 'suspended'}`;
  const { pillars, tiers, tools } = grant;
  const lists = [
    tools === null ? undefined : `the tools ${tools.join(', ') || 'none'}`,
    tiers === null ? undefined : `what is of tier ${tiers.join(' or ') || 'none'}`,
    pillars === null ? undefined : `what is of ${pillars.join(' or ') || 'no pillar'}`,
  ].filter((part) => part !== undefined);
  return lists.length === 0 ? 'everything that whoever it acts for may use' : lists.join(', and only ');
}
