import { operation } from '@steward/access';
import { integration, principalId, type Identity } from '@steward/identity';
import type { PrincipalRef } from '@steward/kernel';
import { z } from 'zod';
import type { PortalPorts } from '../door.ts';
import { madeAmong } from '../integrations/list.ts';
import { appointees } from '../operations.ts';
import { membersWhere, suspendable, suspension } from '../suspensions/list.ts';
import { grantsThrough, invitationsThrough, type MadeThrough } from './revoke.ts';

const one = suspension.pick({ kind: true, id: true, displayName: true, email: true, role: true });

interface Ports extends Pick<PortalPorts, 'decider' | 'integrations'> {
  readonly identity: { readonly memberships: Pick<Identity['memberships'], 'list' | 'broughtThrough'> };
}

/** What shutting out an agent or client would suspend at this moment: what `revokeAgent` would find, by the same statements. */
export const listSuspends = operation(
  {
    ...appointees,
    input: z.strictObject({ agentId: principalId }),
    answer: z.object({
      items: z.array(one),
      leaves: z.array(integration).meta({
        description:
          'What was made so and goes on, for a person to rotate or end: shutting the agent out does not suspend it.',
      }),
    }),
  },
  async (scope, { agentId }, { identity: { memberships }, decider, integrations }: Ports) => {
    const members = new Map<string, PrincipalRef>();
    const grants = new Set<string>();
    const invitations = new Map<string, z.output<typeof one>>();
    const nameOf = ({ type, id }: PrincipalRef): string => `${type}:${id}`;
    const clients = new Set([agentId]);
    for (const client of clients) {
      const brought = await memberships.broughtThrough(scope, client);
      for (const principal of brought) members.set(nameOf(principal), principal);
      const made = await scope.read<MadeThrough>(grantsThrough(client, brought));
      for (const { id, suspended } of made) {
        if (decider.decidesThrough(id)) continue;
        clients.add(id);
        if (!suspended) grants.add(id);
      }
      for (const { id, email, role } of await scope.read<{ id: string; email: string; role: string }>(
        invitationsThrough(client, brought),
      ))
        invitations.set(id, { kind: 'invitation', id, displayName: null, email, role });
    }
    const made = await madeAmong(scope.read, scope.context.tenant, integrations, {
      clients: [...clients],
      members: [...members.values()],
    });
    const present =
      members.size === 0
        ? []
        : await membersWhere(
            memberships,
            scope,
            ({ principal, suspendedAt }) => suspendedAt === undefined && members.has(nameOf(principal)),
          );
    return {
      items: [
        ...present.map(({ principal, displayName, email, role }) => ({
          kind: 'member' as const,
          id: nameOf(principal),
          displayName: displayName ?? null,
          email: email ?? null,
          role,
        })),
        ...[...grants].map((id) => ({ kind: 'grant' as const, id, displayName: null, email: null, role: null })),
        ...invitations.values(),
        ...made.flatMap(({ kind, id, name, suspendedAt }) =>
          suspendable(kind) && suspendedAt === null ? [{ kind, id, displayName: name, email: null, role: null }] : [],
        ),
      ],
      leaves: made.filter(({ kind }) => !suspendable(kind)),
    };
  },
);
