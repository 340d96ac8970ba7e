import { roles, type Role } from '@steward/access';
import { principalId, type Member } from '@steward/identity';
import { tool, toolOf, type Outcome, type Tool } from '@steward/tools';
import { z } from 'zod';
import type { PortalPorts } from '../door.ts';
import { agentGrant, grantAgent, type AgentGrant } from '../grants/grant.ts';
import { invite } from '../invitations/invite.ts';
import { appoints } from '../operations.ts';
import { addMachine } from './add.ts';
import { changeRole } from './change-role.ts';
import { memberNamed, roleInWords, shownMember } from './named.ts';
import { removeMember } from './remove.ts';

const shared = { ...appoints, core: false } as const;

/** Who may decide: only an owner if ownership is given or taken, as over the other doors. */
const administrators: readonly Role[] = ['owner', 'admin'];
const decidersOf = (...touched: readonly unknown[]): readonly Role[] =>
  touched.includes('owner') ? ['owner'] : administrators;
const previewed = ({ preview }: Outcome): Readonly<Record<string, unknown>> => preview as Record<string, unknown>;

const called = principalId.meta({ description: 'E-mail address or id of the member.' });
const member = z.object({
  name: z.string().nullable(),
  email: z.string().nullable(),
  kind: z.enum(['person', 'machine']),
  id: z.string(),
});

/** For agents, and for people whose login may not decide: who may do what is proposed, and people decide about it. */
export const appointingTools: readonly Tool<PortalPorts>[] = [
  toolOf(invite, {
    core: true,
    annotations: { destructiveHint: false, idempotentHint: false },
    approval: { moneyOut: false, appoints: ({ role }) => decidersOf(role) },
    title: 'Invite somebody',
    description:
      'Invites a person by e-mail address to become a member with a role. The approver, not you, receives the secret that ' +
      'the person accepts with.',
    shows: {
      schema: z.object({ invitationId: z.string(), email: z.string(), role: z.enum(roles), expiresAt: z.string() }),
      of: ({ id, email, role, expiresAt }) => ({ invitationId: id, email, role, expiresAt }),
    },
    say: ({ id, email, role }, preview) => {
      const who = `${email} as ${role}, who ${roleInWords[role]}`;
      return preview
        ? `Would invite ${who}.`
        : `Invited ${who}. The approver creates the secret to hand over with POST /api/invitations/${id}/secret at the portal.`;
    },
    preview: ({ email, role }) => ({ email, role, meaning: roleInWords[role] }),
    keepsPreview: true,
  }),
  toolOf(addMachine, {
    core: false,
    annotations: { destructiveHint: false, idempotentHint: false },
    approval: { moneyOut: false, appoints: () => administrators },
    title: 'Make a machine a member',
    description:
      'Makes a machine (a client of the identity provider, such as an integration) a member with a role of its own. ' +
      'Invite people with service_invite_member.',
    say: ({ clientId, role }, preview) =>
      `${preview ? 'Would make' : 'Made'} the machine ${clientId} a member as ${role}: it ${roleInWords[role]}, by itself.`,
    preview: ({ clientId, role }) => ({ machine: clientId, role, meaning: roleInWords[role] }),
    keepsPreview: true,
  }),
  tool({
    ...shared,
    name: 'service_change_member_role',
    title: "Change a member's role",
    description: 'Gives a member another role. Takes effect on the next request of the member.',
    input: z.strictObject({ member: called, role: z.enum(roles).meta({ description: 'The new role.' }) }),
    output: z.object({ member, before: z.enum(roles), after: z.enum(roles) }),
    annotations: { destructiveHint: false, idempotentHint: true },
    approval: {
      moneyOut: false,
      appoints: ({ role }, outcome) => decidersOf(role, previewed(outcome)['before']),
    },
    run: async ({ context, preview }, { member: given, role }, ports) => {
      const held = await memberNamed(ports.identity, context, given);
      const { before } = await changeRole(context, { ...named(held), role }, ports);
      const shown = shownMember(held);
      const change = { member: shown, before, after: role };
      if (before === role)
        return { summary: `${nameOf(shown)} is already ${role}: nothing changes.`, data: change, unchanged: true };
      return {
        summary: `${preview ? 'Would make' : 'Made'} ${nameOf(shown)} ${role} instead of ${before}: ${roleInWords[role]}.`,
        data: change,
        preview: { ...change, meaning: roleInWords[role] },
      };
    },
  }),
  tool({
    ...shared,
    name: 'service_remove_member',
    title: 'Remove a member',
    description:
      'Ends a membership. Takes effect on the next request of the member, who needs a new invitation to come back.',
    input: z.strictObject({ member: called }),
    output: z.object({ member, role: z.enum(roles) }),
    annotations: { destructiveHint: true, idempotentHint: false },
    approval: { moneyOut: false, appoints: (_args, outcome) => decidersOf(previewed(outcome)['role']) },
    run: async ({ context, preview }, { member: given }, ports) => {
      const held = await memberNamed(ports.identity, context, given);
      const { role } = await removeMember(context, named(held), ports);
      const shown = shownMember(held);
      return {
        summary: `${preview ? 'Would remove' : 'Removed'} ${nameOf(shown)}, ${role}, from the organization.`,
        data: { member: shown, role },
        preview: { member: shown, role, loses: roleInWords[role] },
      };
    },
  }),
  tool({
    ...shared,
    name: 'service_grant_agent',
    title: 'Grant an agent',
    description:
      'Limits what an agent may do in the organization, or lets in an agent that was shut out. A list that is left out ' +
      'limits nothing; an empty list allows nothing.',
    input: agentGrant,
    output: z.object({ agentId: z.string(), status: z.string() }),
    annotations: { destructiveHint: false, idempotentHint: true },
    approval: { moneyOut: false, appoints: () => administrators },
    run: async ({ context, preview }, terms, ports) => {
      // People decide about all of it, also where it narrows.
      const { before, after } = await grantAgent(context, terms, {
        ...ports,
        decider: { requireFor: () => undefined },
      });
      const { agentId, status } = after;
      if (after === before)
        return {
          summary: `The agent ${agentId} may already use ${termsInWords(after)}: nothing changes.`,
          data: { agentId, status },
          unchanged: true,
        };
      const [from, to] = [termsInWords(before), termsInWords(after)];
      return {
        summary: `${preview ? 'Would let' : 'Let'} the agent ${agentId} use ${to}; before: ${from}.`,
        ...(after.seen
          ? {}
          : { warning: `No agent or client came here by the name ${agentId} yet: is it spelled so?` }),
        data: { agentId, status },
        preview: { agent: agentId, before: from, after: to },
      };
    },
  }),
];

const named = ({ principal: { type, id } }: Member) => ({
  principalType: type === 'service' ? ('service' as const) : ('user' as const),
  principalId: id,
});

const nameOf = ({ name, email, id }: ReturnType<typeof shownMember>): string => {
  const words = [name, email].filter((part, at, all) => part !== null && all.indexOf(part) === at);
  return words.length === 0 ? id : words.length === 2 ? `${words[0]} (${words[1]})` : String(words[0]);
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
