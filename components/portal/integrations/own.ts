import { listingOf, machines, type Integrations } from '@steward/identity';

/** What the portal itself has: shutting out a client suspends these by its own rules. */
export const ownIntegrations: readonly Integrations[] = [
  machines,
  {
    kind: 'invitation',
    select: listingOf({
      kind: 'invitation',
      from: 'portal.invitation i',
      row: 'i',
      id: 'i.invitation_id',
      name: 'i.email',
      where: 'i.accepted_at is null and i.revoked_at is null and i.expires_at > clock_timestamp()',
      createdAt: 'i.invited_at',
      by: 'invited_by',
      suspendedAt: 'i.suspended_at',
      // Whoever invites is shown the secret.
      knowers:
        'select i.tenant_id, i.invited_by as created_by, i.invited_by_type as created_by_type, i.created_through where i.action_id is null',
    }),
  },
  {
    kind: 'grant',
    select: listingOf({
      kind: 'grant',
      from: 'portal.agent_grant g',
      row: 'g',
      id: 'g.agent_id',
      name: 'g.agent_id',
      where: 'g.revoked_at is null',
      createdAt: 'g.granted_at',
      by: 'granted_by',
      suspendedAt: 'g.suspended_at',
    }),
  },
];
