import { callerOf, operation } from '@steward/access';
import { closeClients, type Makers, principalId, type Suspended } from '@steward/identity';
import { fail, type PrincipalRef } from '@steward/kernel';
import { sql, type Statement, type TenantTransaction } from '@steward/sql';
import { z } from 'zod';
import { event, memberFacts } from '../events.ts';
import type { PortalPorts } from '../door.ts';
import { portalFail } from '../errors.ts';
import { madeAmong } from '../integrations/list.ts';
import { requireRoom } from './room.ts';
import { people, writes } from '../operations.ts';

type Ports = Pick<PortalPorts, 'identity' | 'withdrawAll' | 'endRules' | 'decider' | 'clientsSeen' | 'integrations'>;

/**
 * Shuts an agent or client out of the tenant, whoever it acts for; also one that has no grant of its own. Suspends members, grants and invitations
 * that were made through it until a person restores them, and webhooks, credentials of agent platforms and product feeds; and also what was made
 * through the agents, or by the members, that are suspended so. Withdraws what was proposed through any of them.
 * If it is shut out already, this does what was left of that.
 * @throws Problem `unknown_client` (404); `grant_limit` (409); `own_origin` (403) for a caller who came through it; `own_client` (403) for a client that people decide with, with its own token; what deciding throws, if it shuts out
 *   such a client, or one that never connected, or if members are suspended; `insufficient_role` (403)
 */
export const revokeAgent = operation(
  {
    ...writes,
    ...people,
    input: z.strictObject({
      agentId: principalId,
      ahead: z.boolean().optional().meta({
        description:
          'true: also shut out a client that never connected and has no grant. This needs a token that may decide.',
      }),
    }),
    answer: z.void(),
    errors: ['unknown_client', 'grant_limit', 'own_client', 'own_origin'],
  },
  async (scope, { agentId, ahead }, ports: Ports) => {
    const { context } = scope;
    await ports.clientsSeen();
    await scope.write(async (tx) => {
      await closeClients(tx);
      if (!(await isKnown(tx, agentId))) {
        if (ahead !== true)
          throw portalFail(
            'unknown_client',
            `No agent or client named ${JSON.stringify(agentId)} ever connected or has a grant. Look up its name in GET ` +
              '/api/agent-grants or in the audit log. To shut it out before it connects, add ?ahead=true.',
          );
        // A caller who may not decide cannot shut out a future client: people may come to decide with it.
        ports.decider.requireFor(context);
        await requireRoom(tx);
      }
      await tx.mark();
      const rows = await tx.query(sql`
      insert into portal.agent_grant as g (tenant_id, agent_id, granted_by, revoked_at)
      values (${context.tenant}::uuid, ${agentId}, ${context.subject.id}, clock_timestamp())
      on conflict (tenant_id, agent_id) do update set revoked_at = clock_timestamp() where g.revoked_at is null
      returning agent_id`);
      if (ports.decider.decidesThrough(agentId)) await requireAnotherApprover(ports, tx, agentId);
      if (rows.length > 0) tx.record(event('portal.agent_grant.revoked', { agent_id: agentId }));
      const members: Suspended[] = [];
      const brought: PrincipalRef[] = [];
      const shutOut = new Set([agentId]);
      // What was made through what was made through it, and so on: the set grows while it is gone through.
      for (const client of shutOut) {
        const { all, suspended } = await ports.identity.memberships.suspendThrough(tx, client);
        members.push(...suspended);
        brought.push(...all);
        for (const id of await suspendGrants(ports, tx, client, all)) shutOut.add(id);
        await suspendInvitations(tx, client, all);
      }
      await suspendIntegrations(ports, tx, { clients: [...shutOut], members: brought });
      // Otherwise a caller who may not decide would remove members who may.
      if (members.length > 0) ports.decider.requireFor(context);
      for (const { principal, role } of members)
        tx.record(
          event('portal.member.suspended', {
            ...memberFacts(principal),
            role,
            client_id: agentId,
          }),
        );
      const people = members.filter(({ principal: { type } }) => type === 'user');
      await ports.endRules(tx, new Map(people.map(({ principal: { id } }) => [id, undefined])));
      const suspended = new Set(members.map(({ principal: { type, id } }) => `${type}:${id}`));
      await ports.withdrawAll(tx, ({ clientId, subject }) =>
        (clientId !== undefined && shutOut.has(clientId)) || suspended.has(`${subject.type}:${subject.id}`)
          ? 'client_shut_out'
          : undefined,
      );
      await ports.identity.changed(tx);
    });
  },
);

async function isKnown(tx: TenantTransaction, agentId: string): Promise<boolean> {
  const rows = await tx.query(sql`
    select from portal.client_seen where tenant_id = ${tx.context.tenant}::uuid and agent_id = ${agentId}
    union all select from portal.agent_grant where tenant_id = ${tx.context.tenant}::uuid and agent_id = ${agentId}`);
  return rows.length > 0;
}

/** One client that people decide with is always left: without any, nobody could let another in again. */
async function requireAnotherApprover({ decider }: Ports, tx: TenantTransaction, agentId: string): Promise<void> {
  decider.requireFor(tx.context);
  const own = callerOf(tx.context)?.agentId ?? '';
  if (own === agentId)
    throw portalFail(
      'own_client',
      'People decide with this client, so only another client of APPROVER_CLIENTS can shut it out.',
    );
  const shut = await tx.query(
    sql`select from portal.agent_grant where agent_id = ${own} and (revoked_at is not null or suspended_at is not null)`,
  );
  if (shut.length > 0)
    throw fail(
      'tenant_forbidden',
      'This client was shut out of the tenant. An owner can let it in again with a grant.',
    );
}

/** To compare with the maker of a row; in rows from before the type was stored, only the id is known. */
const among = (brought: readonly PrincipalRef[]): readonly [types: string[], ids: string[]] => [
  brought.map(({ type }) => type),
  brought.map(({ id }) => id),
];

export interface MadeThrough extends Record<string, unknown> {
  readonly id: string;
  readonly suspended: boolean;
}

/** Grants that were made through a client, or by a member whom it brought. */
export function grantsThrough(client: string, brought: readonly PrincipalRef[]): Statement {
  const [types, ids] = among(brought);
  return sql`
    select agent_id as id, suspended_at is not null as suspended from portal.agent_grant g
    where agent_id <> ${client} and revoked_at is null and (created_through = ${client} or exists (
      select from unnest(${types}::text[], ${ids}::text[]) as b (type, id) where b.id = g.granted_by and b.type = coalesce(g.granted_by_type, b.type)))`;
}

/** Open invitations that were made so, and are not suspended yet. */
export function invitationsThrough(client: string, brought: readonly PrincipalRef[]): Statement {
  const [types, ids] = among(brought);
  return sql`
    select invitation_id as id, email, role from portal.invitation i
    where accepted_at is null and revoked_at is null and suspended_at is null and (created_through = ${client} or exists (
      select from unnest(${types}::text[], ${ids}::text[]) as b (type, id) where b.id = i.invited_by and b.type = coalesce(i.invited_by_type, b.type)))`;
}

/**
 * Answers all grants made so, also those suspended before. Never grants of clients that people decide with: nobody could restore anything,
 * and people decided to admit them.
 */
async function suspendGrants(
  { decider }: Ports,
  tx: TenantTransaction,
  client: string,
  brought: readonly PrincipalRef[],
): Promise<string[]> {
  const rows = await tx.query<MadeThrough>(grantsThrough(client, brought));
  const made = rows.filter(({ id }) => !decider.decidesThrough(id));
  const anew = made.flatMap(({ id, suspended }) => (suspended ? [] : [id]));
  await tx.query(
    sql`update portal.agent_grant set suspended_at = clock_timestamp() where agent_id = any (${anew}::text[])`,
  );
  for (const id of anew) tx.record(event('portal.agent_grant.suspended', { agent_id: id, client_id: client }));
  return made.map(({ id }) => id);
}

async function suspendInvitations(
  tx: TenantTransaction,
  client: string,
  brought: readonly PrincipalRef[],
): Promise<void> {
  const found = await tx.query<{ id: string }>(invitationsThrough(client, brought));
  const rows = await tx.query<{ id: string }>(sql`
    update portal.invitation set suspended_at = clock_timestamp()
    where invitation_id = any (${found.map(({ id }) => id)}::uuid[]) and accepted_at is null and revoked_at is null and suspended_at is null
    returning invitation_id as id`);
  for (const { id } of rows) tx.record(event('portal.invitation.suspended', { invitation_id: id, client_id: client }));
}

/** What gives data or entry to somebody outside. What nobody gains by, or what would stop the business, is only listed. */
async function suspendIntegrations({ integrations }: Ports, tx: TenantTransaction, among: Makers): Promise<void> {
  for (const one of integrations) {
    if (one.suspend === undefined) continue;
    const made = await madeAmong(tx.query, tx.context.tenant, [one], among);
    const anew = made.flatMap(({ id, suspendedAt }) => (suspendedAt === null ? [id] : []));
    if (anew.length > 0) await one.suspend(tx, anew);
  }
}
