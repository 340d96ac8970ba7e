import { roles, type Role } from '@steward/access';
import { toolOf, type Outcome, type Tool } from '@steward/tools';
import { z } from 'zod';
import type { PortalPorts } from '../door.ts';
import type { AgentGrant } from '../grants/grant.ts';
import { proposeGrant } from '../grants/propose.ts';
import { invite } from '../invitations/invite.ts';
import { addMachine } from './add.ts';
import { changeRoleByName, removeByName } from './by-name.ts';
import { roleInWords, type shownMember } from './named.ts';
import type { Left } from './remove.ts';

/** Who may decide: only an owner if ownership is given or taken, as over the other doors. */
const administrators: readonly Role[] = ['owner', 'admin'];
const decidersOf = (...touched: readonly unknown[]): readonly Role[] =>
  touched.includes('owner') ? ['owner'] : administrators;
const previewed = ({ preview }: Outcome): Readonly<Record<string, unknown>> => preview as Record<string, unknown>;

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
    say: ({ email, role }, preview) => {
      const who = `${email} as ${role}, who ${roleInWords[role]}`;
      return preview ? `Would invite ${who}.` : `Invited ${who}. Whoever approved it makes the secret to hand over.`;
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
  toolOf(changeRoleByName, {
    core: false,
    annotations: { destructiveHint: false, idempotentHint: true },
    approval: {
      moneyOut: false,
      appoints: ({ role }, outcome) => decidersOf(role, previewed(outcome)['before']),
    },
    title: "Change a member's role",
    description: 'Gives a member another role. Takes effect on the next request of the member.',
    say: ({ member, before, after }, preview) =>
      before === after
        ? `${nameOf(member)} is ${after}.`
        : `${preview ? 'Would make' : 'Made'} ${nameOf(member)} ${after} instead of ${before}: ${roleInWords[after]}.`,
    preview: (change) => ({ ...change, meaning: roleInWords[change.after] }),
    keepsPreview: true,
  }),
  toolOf(removeByName, {
    core: false,
    annotations: { destructiveHint: true, idempotentHint: false },
    approval: { moneyOut: false, appoints: (_args, outcome) => decidersOf(previewed(outcome)['role']) },
    title: 'Remove a member',
    description:
      'Ends a membership. Takes effect on the next request of the member, who needs a new invitation to come back.',
    say: ({ member, role, leaves }, preview) =>
      `${preview ? 'Would remove' : 'Removed'} ${nameOf(member)}, ${role}, from the organization.${behind(leaves)}`,
    preview: (removed) => ({ ...removed, loses: roleInWords[removed.role] }),
    keepsPreview: true,
  }),
  toolOf(proposeGrant, {
    core: false,
    annotations: { destructiveHint: false, idempotentHint: true },
    approval: { moneyOut: false, appoints: () => administrators },
    title: 'Grant an agent',
    description:
      'Limits what an agent may do in the organization, or lets in an agent that was shut out. A list that is left out ' +
      'limits nothing; an empty list allows nothing.',
    shows: {
      schema: z.object({ agentId: z.string(), status: z.string() }),
      of: ({ after: { agentId, status } }) => ({ agentId, status }),
    },
    say: ({ before, after }, preview) =>
      before === after
        ? `The agent ${after.agentId} may use ${termsInWords(after)}.`
        : `${preview ? 'Would let' : 'Let'} the agent ${after.agentId} use ${termsInWords(after)}; before: ${termsInWords(before)}.`,
    warn: ({ after: { agentId, seen } }) =>
      seen ? undefined : `No agent or client came here by the name ${agentId} yet: is it spelled so?`,
    preview: ({ before, after }) => ({
      agent: after.agentId,
      before: termsInWords(before),
      after: termsInWords(after),
    }),
    keepsPreview: true,
  }),
];

/** What goes on without them, for a person to look at. */
const behind = (leaves: readonly Left[]): string =>
  leaves.length === 0
    ? ''
    : ` What they made goes on: ${leaves
        .slice(0, 10)
        .map(
          ({ kind, name, secretKnown }) =>
            `${kind.replaceAll('_', ' ')} ${name}${secretKnown ? ', whose secret they know' : ''}`,
        )
        .join('; ')}${leaves.length > 10 ? `; and ${leaves.length - 10} more` : ''}. Rotate its secrets, or end it.`;

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
