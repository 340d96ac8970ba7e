import { roles, type Role, type Caller } from '@steward/access';
import { agreedTenant, holdClients, type Identity } from '@steward/identity';
import { fail, newId, type PrincipalRef } from '@steward/kernel';
import { sql, type Tenancy } from '@steward/sql';
import { z } from 'zod';
import { event, memberFacts } from '../events.ts';
import { portalFail } from '../errors.ts';
import { foundTenant } from '../permissions.ts';
import { anotherRole, hashSecret, mayInvite } from './invitation.ts';

export const accepted = z.object({
  organization: z.object({ id: z.uuid(), name: z.string() }),
  role: z.enum(roles),
});

interface Taken extends Record<string, unknown> {
  readonly email: string;
  readonly role: Role;
  readonly by: string;
  readonly by_type: PrincipalRef['type'];
  readonly through: string | null;
}

/**
 * Makes the person a member; the secret is the proof, and where the token says an e-mail address it must be the invited one.
 * @throws Problem `not_found` (404), also where whoever invited them may not any more, `invitation_for_another_address` (403), `already_member`, `member_suspended` (409), `tenant_mismatch` (400) with a token bound to another tenant
 */
export async function acceptInvitation(
  ports: { tenancy: Tenancy; identity: Identity },
  caller: Caller,
  secret: string,
  requestId: string,
): Promise<z.output<typeof accepted>> {
  const hash = hashSecret(secret);
  const [found] = await ports.tenancy.pool.read<{ tenant_id: string; invitation_id: string }>(
    sql`select tenant_id, invitation_id from portal.find_invitation(${hash}::bytea)`,
  );
  if (found === undefined) throw noneOpen();
  agreedTenant(caller, found.tenant_id);
  // Before anything else: as a change of role it may be refused for reasons that are beside the point, such as `last_owner`.
  const memberOf = await ports.identity.memberships.tenantsOf(caller.subject);
  if (memberOf.some(({ tenant }) => tenant === found.tenant_id)) throw memberAlready();
  const context = ports.tenancy.systemContext({
    tenant: found.tenant_id,
    chain: caller.chain,
    subject: caller.subject,
    caller: caller.principal,
    requestId,
    correlationId: newId(),
  });
  await ports.identity.people.remember(caller.subject, caller.displayName, caller.email);
  return context.require(foundTenant).write(async (tx) => {
    await holdClients(tx);
    await tx.mark();
    if ((await ports.identity.memberships.suspended(tx, { principal: caller.subject })) !== undefined)
      throw portalFail(
        'member_suspended',
        'Your membership is suspended, and the invitation stays open. Ask the person who invited you to end the suspension.',
      );
    const [invitation] = await tx.query<Taken>(sql`
      update portal.invitation set accepted_at = clock_timestamp()
      where invitation_id = ${found.invitation_id}::uuid and accepted_at is null and revoked_at is null and suspended_at is null and expires_at > clock_timestamp()
      returning email, role, invited_by as by, coalesce(invited_by_type, 'user') as by_type, created_through as through`);
    if (invitation === undefined) throw noneOpen();
    const { role, by: id, by_type: type, through } = invitation;
    const by = { type, id };
    // Whoever left, or has a lower role by now, brings nobody: they could come back by an address of their own.
    if (!mayInvite(await ports.identity.memberships.roleOf(tx, by), role)) throw noneOpen();
    if (caller.email !== undefined && caller.email.toLowerCase() !== invitation.email)
      throw portalFail('invitation_for_another_address');
    const from = { by, through: through ?? undefined };
    if ((await ports.identity.memberships.set(tx, caller.subject, role, from)) !== undefined) throw memberAlready();
    const [tenant] = await tx.query<{ name: string }>(sql`select name from portal.tenant`);
    const causalId = tx.record(event('portal.invitation.accepted', { invitation_id: found.invitation_id }));
    tx.record(event('portal.member.added', { ...memberFacts(caller.subject), role }, { causalId }));
    return { organization: { id: context.tenant, name: tenant?.name ?? '' }, role };
  });
}

const noneOpen = (): Error =>
  fail('not_found', 'No open invitation has this secret: it may have expired. Ask for a new one.');
const memberAlready = (): Error =>
  portalFail('already_member', `You are a member already, and the invitation stays open: ${anotherRole}.`);
