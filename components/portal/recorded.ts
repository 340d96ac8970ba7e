import type { RecordedRows } from '@steward/verification';
import { invitationContents } from './invitations/content.ts';
import { memberRows, memberStates } from '@steward/identity';

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
    told: `select concat_ws(' ', e.payload ->> 'principal_type', e.payload ->> 'principal_id') as key, case e.type
      when 'portal.member.suspended' then 'suspended' when 'portal.member.removed' then null else 'in standing' end as says`,
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
    held: `select tenant_id, invitation_id::text as key, case when accepted_at is not null then 'accepted'
        when revoked_at is not null then 'revoked' when suspended_at is not null then 'suspended' else 'open' end as says
      from portal.invitation where revoked_at is null or revoked_at < expires_at`,
    told: `select e.payload ->> 'invitation_id' as key, case when e.type in ('portal.invitation.accepted', 'portal.invitation.suspended',
        'portal.invitation.revoked') then split_part(e.type, '.', 3) else 'open' end as says
      where not exists (select from portal.invitation i where i.tenant_id = e.tenant_id
        and i.invitation_id = (e.payload ->> 'invitation_id')::uuid and i.revoked_at >= i.expires_at)`,
  },
  {
    what: 'agent grant',
    types: ['granted', 'revoked', 'suspended', 'restored'].map((one) => `portal.agent_grant.${one}`),
    held: `select tenant_id, agent_id as key, case when revoked_at is not null then 'revoked'
      when suspended_at is not null then 'suspended' else 'granted' end as says from portal.agent_grant`,
    told: `select e.payload ->> 'agent_id' as key, case when e.type in ('portal.agent_grant.revoked', 'portal.agent_grant.suspended')
      then split_part(e.type, '.', 3) else 'granted' end as says`,
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
      then to_char(trial_ends_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') end) as says from portal.billing`,
    told: `select 'tier' as key, case e.type
      when 'portal.tenant.created' then concat_ws(' ', e.payload ->> 'billing_tier', 'trialing', e.payload ->> 'trial_ends_at')
      else concat_ws(' ', e.payload ->> 'after', e.payload ->> 'status') end as says`,
  },
  {
    what: 'currency and fiscal year of the organization',
    types: ['portal.tenant.created'],
    held: `select tenant_id, 'first' as key, concat_ws(' ', default_currency, fiscal_year_start_month) as says from portal.tenant`,
    told: `select 'first' as key, concat_ws(' ', e.payload ->> 'default_currency', e.payload ->> 'fiscal_year_start_month') as says`,
  },
];
