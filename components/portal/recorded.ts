import { actor, instantOf, rowOf, type RecordedRows } from '@steward/verification';
import { invitationContents } from './invitations/content.ts';
import { departures, memberOrigins, memberRows, memberStates, memberTimes, roleOrigins } from '@steward/identity';

const memberKey = `concat_ws(' ', e.payload ->> 'principal_type', e.payload ->> 'principal_id')`;
const rowOfMember = `left join identity.member r on r.tenant_id = e.tenant_id and r.principal_type = e.payload ->> 'principal_type'
  and r.principal_id = e.payload ->> 'principal_id'`;
const byActor = `concat_ws(' ', 'by ' || (${actor.type}), ${actor.id}, 'through ' || e.client)`;
const invitationId = `(e.payload ->> 'invitation_id')::uuid`;
/** Who made a grant or an invitation. */
const made = (by: string): string => `concat_ws(' ', 'by ' || ${by}_type, ${by}, 'through ' || created_through)`;

const utc = (column: string): string => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** The rows that must agree with the audit log: members, invitations, grants of agents, and billing. */
export const recorded: readonly RecordedRows[] = [
  {
    what: 'member',
    types: ['portal.member.added', 'portal.member.role_changed', 'portal.member.removed'],
    held: memberRows,
    told: `select concat_ws(' ', e.payload ->> 'principal_type', e.payload ->> 'principal_id') as key, case e.type
      when 'portal.member.added' then e.payload ->> 'role' when 'portal.member.role_changed' then e.payload ->> 'after' end as says`,
  },
  {
    what: 'standing of member',
    types: ['portal.member.added', 'portal.member.suspended', 'portal.member.restored', 'portal.member.removed'],
    held: memberStates,
    told: `select ${memberKey} as key, case e.type when 'portal.member.suspended' then 'suspended ' || (${instantOf('suspended_at')})
        when 'portal.member.removed' then null else 'in standing' end as says
      from (select) o ${rowOfMember}`,
  },
  {
    what: 'time of membership',
    types: ['portal.member.added', 'portal.member.removed'],
    held: memberTimes,
    told: `select ${memberKey} as key, case e.type when 'portal.member.added' then (${instantOf('added_at')})::text end as says
      from (select) o ${rowOfMember}`,
  },
  {
    what: 'origin of member',
    types: ['portal.member.added', 'portal.member.restored', 'portal.member.removed'],
    held: memberOrigins,
    // Whoever accepts an invitation comes from where that came from, and whoever founded the tenant from nobody.
    told: `select ${memberKey} as key, case when e.type = 'portal.member.removed' then null
        when i.invitation_id is not null then ${made('i.invited_by').replace('created_through', 'i.created_through')}
        when e.type = 'portal.member.added' and ${actor.type} = e.payload ->> 'principal_type' and ${actor.id} = e.payload ->> 'principal_id' then ''
        else ${byActor} end as says
      from (select) o
      left join audit.event c on e.type = 'portal.member.added' and c.tenant_id = e.tenant_id and c.id::text = e.cause
        and c.type = 'portal.invitation.accepted'
      left join portal.invitation i on i.tenant_id = c.tenant_id and i.invitation_id = (c.event::jsonb #>> '{payload,invitation_id}')::uuid`,
  },
  {
    what: 'origin of role',
    types: ['added', 'restored', 'role_changed', 'removed'].map((one) => `portal.member.${one}`),
    held: roleOrigins,
    told: `select ${memberKey} as key, case e.type when 'portal.member.removed' then null when 'portal.member.role_changed' then ${byActor}
      else '' end as says`,
  },
  {
    what: 'departure of member',
    types: ['portal.member.removed'],
    held: departures,
    told: `select ${memberKey} as key, (case when r.says::timestamptz between e.received_at - interval '1 hour' and e.received_at + interval '1 hour'
        then r.says::timestamptz else e.received_at end)::text as says
      from (select) o left join (${departures}) r on r.tenant_id = e.tenant_id and r.key = ${memberKey}`,
  },
  {
    what: 'role of invitation',
    types: ['portal.invitation.sent'],
    held: `select tenant_id, invitation_id::text as key, role as says from portal.invitation`,
    told: `select e.payload ->> 'invitation_id' as key, e.payload ->> 'role' as says`,
  },
  {
    what: 'address, secret and end of invitation',
    types: ['portal.invitation.sent', 'portal.invitation.reissued'],
    held: `select tenant_id, invitation_id::text as key, digest as says from (${invitationContents}) c`,
    // Events of earlier versions have none.
    told: `select (e.payload ->> 'invitation_id')::uuid::text as key, coalesce(e.payload ->> 'content_sha256', (select c.digest
      from (${invitationContents}) c where c.tenant_id = e.tenant_id and c.invitation_id = (e.payload ->> 'invitation_id')::uuid)) as says`,
  },
  {
    what: 'invitation',
    types: ['sent', 'reissued', 'accepted', 'suspended', 'restored', 'revoked'].map(
      (one) => `portal.invitation.${one}`,
    ),
    // One that expired and was ended since makes nobody a member, whatever ended it.
    held: `select tenant_id, invitation_id::text as key, case when accepted_at is not null then 'accepted ' || accepted_at
        when revoked_at is not null then 'revoked ' || revoked_at when suspended_at is not null then 'suspended ' || suspended_at else 'open' end as says
      from portal.invitation where revoked_at is null or revoked_at < expires_at`,
    told: `select e.payload ->> 'invitation_id' as key, case e.type
        when 'portal.invitation.accepted' then 'accepted ' || (${instantOf('accepted_at')})
        when 'portal.invitation.revoked' then 'revoked ' || (${instantOf('revoked_at')})
        when 'portal.invitation.suspended' then 'suspended ' || (${instantOf('suspended_at')}) else 'open' end as says
      ${rowOf('portal.invitation', 'invitation_id', invitationId)}
      where not exists (select from portal.invitation i where i.tenant_id = e.tenant_id
        and i.invitation_id = (e.payload ->> 'invitation_id')::uuid and i.revoked_at >= i.expires_at)`,
  },
  {
    what: 'inviter of invitation',
    types: ['portal.invitation.sent', 'portal.invitation.reissued', 'portal.invitation.restored'],
    held: `select tenant_id, invitation_id::text as key, concat_ws(' ', invited_by_type, invited_by) as says from portal.invitation`,
    // Of events before version 1.1.0, which have no role, whoever had sent it stayed its inviter.
    told: `select e.payload ->> 'invitation_id' as key, concat_ws(' ', ${actor.type}, ${actor.id}) as says
      where e.type <> 'portal.invitation.reissued' or e.payload ? 'role'`,
  },
  {
    what: 'client of invitation',
    // Whoever makes a new secret does not end that it came through a client.
    types: ['portal.invitation.sent', 'portal.invitation.restored'],
    held: `select tenant_id, invitation_id::text as key, coalesce(created_through, '') as says from portal.invitation`,
    told: `select e.payload ->> 'invitation_id' as key, coalesce(e.client, '') as says`,
  },
  {
    what: 'time of invitation',
    types: ['portal.invitation.sent'],
    held: `select tenant_id, invitation_id::text as key, invited_at::text as says from portal.invitation`,
    told: `select e.payload ->> 'invitation_id' as key, (${instantOf('invited_at')})::text as says
      ${rowOf('portal.invitation', 'invitation_id', invitationId)}`,
  },
  {
    what: 'agent grant',
    types: ['granted', 'revoked', 'suspended', 'restored'].map((one) => `portal.agent_grant.${one}`),
    held: `select tenant_id, agent_id as key, case when revoked_at is not null then 'revoked ' || revoked_at
      when suspended_at is not null then 'suspended ' || suspended_at else 'granted' end as says from portal.agent_grant`,
    told: `select e.payload ->> 'agent_id' as key, case e.type when 'portal.agent_grant.revoked' then 'revoked ' || (${instantOf('revoked_at')})
        when 'portal.agent_grant.suspended' then 'suspended ' || (${instantOf('suspended_at')}) else 'granted' end as says
      ${rowOf('portal.agent_grant', 'agent_id', `e.payload ->> 'agent_id'`)}`,
  },
  {
    what: 'terms of agent grant',
    types: ['portal.agent_grant.granted', 'portal.agent_grant.revoked'],
    held: `select tenant_id, agent_id as key, jsonb_build_array(pillars, tiers, tools)::text as says
      from portal.agent_grant where revoked_at is null`,
    told: `select e.payload ->> 'agent_id' as key, case e.type when 'portal.agent_grant.granted'
      then jsonb_build_array(e.payload -> 'pillars', e.payload -> 'tiers', e.payload -> 'tools')::text end as says`,
  },
  {
    what: 'tool policy',
    types: ['portal.tenant.created', 'portal.tool_policy.changed'],
    held: `select tenant_id, 'version' as key, concat_ws(' ', version, to_jsonb(agents_need_grant), to_jsonb(denied_tools)) as says
      from portal.tool_policy`,
    told: `select 'version' as key, case e.type when 'portal.tenant.created' then '1 false []' else
      concat_ws(' ', e.payload -> 'version', e.payload -> 'agents_need_grant', e.payload -> 'denied_tools') end as says`,
  },
  {
    what: 'billing',
    types: ['portal.tenant.created', 'portal.billing.changed'],
    held: `select tenant_id, 'tier' as key, concat_ws(' ', tier, status, case when status = 'trialing'
      then ${utc('trial_ends_at')} end, ${utc('past_due_since')}) as says from portal.billing`,
    told: `select 'tier' as key, case e.type
      when 'portal.tenant.created' then concat_ws(' ', e.payload ->> 'billing_tier', 'trialing', e.payload ->> 'trial_ends_at')
      else concat_ws(' ', e.payload ->> 'after', e.payload ->> 'status', e.payload ->> 'past_due_since') end as says`,
  },
  {
    what: 'customer of the billing provider',
    types: ['portal.billing.customer_linked'],
    held: `select tenant_id, 'customer' as key, concat_ws(' ', customer_id, live) as says from portal.billing_account`,
    told: `select 'customer' as key, concat_ws(' ', e.payload ->> 'customer_id', (e.payload ->> 'live')::boolean) as says`,
  },
  {
    what: 'subscription to a billing tier',
    types: ['portal.billing.customer_linked', 'portal.billing.subscription_changed'],
    held: `select tenant_id, 'subscription' as key, concat_ws(' ', subscription_id, subscription_tier, standing, ${utc('began_at')}, ${utc('past_due_since')}) as says
      from portal.billing_account where subscription_id is not null`,
    told: `select 'subscription' as key, case e.type when 'portal.billing.subscription_changed' then concat_ws(' ', e.payload ->> 'subscription_id',
      e.payload ->> 'tier', e.payload ->> 'standing', e.payload ->> 'began_at', e.payload ->> 'past_due_since') end as says`,
  },
  {
    what: 'disputed payment of a billing tier',
    types: ['portal.billing.dispute_changed'],
    held: `select tenant_id, dispute_id as key, concat_ws(' ', status, ${utc('opened_at')}) as says from portal.billing_dispute`,
    told: `select e.payload ->> 'dispute_id' as key, concat_ws(' ', e.payload ->> 'status', e.payload ->> 'opened_at') as says`,
  },
  {
    what: 'currency and fiscal year of the organization',
    types: ['portal.tenant.created'],
    held: `select tenant_id, 'first' as key, concat_ws(' ', default_currency, fiscal_year_start_month, created_at) as says from portal.tenant`,
    told: `select 'first' as key, concat_ws(' ', e.payload ->> 'default_currency', e.payload ->> 'fiscal_year_start_month',
      ${instantOf('created_at')}) as says ${rowOf('portal.tenant', 'tenant_id', 'e.tenant_id')}`,
  },
  {
    what: 'persona',
    types: ['portal.tenant.created', 'portal.organization.updated'],
    held: `select tenant_id, 'persona' as key, persona as says from portal.tenant`,
    // An event that changes it does not say to which.
    told: `select 'persona' as key, coalesce(e.payload ->> 'persona', r.persona) as says ${rowOf('portal.tenant', 'tenant_id', 'e.tenant_id')}
      where e.type = 'portal.tenant.created' or e.payload -> 'fields' ? 'persona'`,
  },
  {
    what: 'version of the organization',
    types: ['portal.tenant.created', 'portal.organization.updated'],
    held: `select tenant_id, 'version' as key, version::text as says from portal.tenant`,
    told: `select 'version' as key, coalesce(e.payload ->> 'version', '1') as says`,
  },
  {
    what: 'brand',
    types: ['portal.tenant.created', 'portal.brand.created'],
    held: `select tenant_id, brand_id::text as key, concat_ws(' ', case when is_default then 'default' end, created_at) as says from portal.brand`,
    told: `select r.key, concat_ws(' ', case when e.type = 'portal.tenant.created' then 'default' end, ${instantOf('created_at')}) as says
      from (select coalesce(e.payload ->> 'brand_id', e.payload ->> 'default_brand_id') as key) k
      cross join lateral (select k.key, b.created_at from (select) o left join portal.brand b on b.tenant_id = e.tenant_id and b.brand_id = k.key::uuid) r`,
  },
  {
    what: 'links of brand',
    types: ['portal.brand.links_changed'],
    held: `select tenant_id, brand_id::text as key, links::text as says from portal.brand where links <> '{}'`,
    told: `select e.payload ->> 'brand_id' as key, nullif(e.payload -> 'links', '{}')::text as says`,
  },
  {
    what: 'standing of brand',
    types: ['portal.tenant.created', 'portal.brand.created', 'portal.brand.archived'],
    held: `select tenant_id, brand_id::text as key, coalesce('archived ' || archived_at, 'in use') as says from portal.brand`,
    told: `select coalesce(e.payload ->> 'brand_id', e.payload ->> 'default_brand_id') as key,
        case e.type when 'portal.brand.archived' then 'archived ' || (${instantOf('archived_at')}) else 'in use' end as says
      ${rowOf('portal.brand', 'brand_id', `(e.payload ->> 'brand_id')::uuid`)}`,
  },
];
