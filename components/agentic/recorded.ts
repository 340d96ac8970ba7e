import { type DerivedRows, instantOf, madeAt, type RecordedRows, rowOf } from '@steward/verification';

const brandAndProtocol = `concat_ws(' ', e.payload ->> 'brand_id', e.payload ->> 'protocol')`;
const keyId = `(e.payload ->> 'key_id')::uuid`;
const agentId = `(e.payload ->> 'agent_id')::uuid`;

/** The credential that an event is about first of all: of a rotation, the new one. */
const credentialId = `coalesce(e.payload ->> 'new_credential_id', e.payload ->> 'credential_id')::uuid`;
const rowOfCredential = rowOf('agentic.credential', 'credential_id', credentialId);
const end = (instant: string): string =>
  `coalesce('ends ' || to_char(${instant} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'without end')`;

const hostId = `(e.payload ->> 'host_id')::uuid`;
const rowOfHost = rowOf('agentic.host', 'host_id', hostId);

/** Doors, keys and agents as they were decided. */
export const recorded: readonly (RecordedRows | DerivedRows)[] = [
  {
    what: 'door for agents',
    types: ['agentic.door.configured'],
    held: `select tenant_id, concat_ws(' ', brand_id, protocol) as key,
      concat_ws(' ', active::text, mode, refuse_unsigned::text, trusted_only::text, version, updated_at) as says from agentic.door`,
    told: `select ${brandAndProtocol} as key, concat_ws(' ', e.payload ->> 'active', e.payload ->> 'mode', e.payload ->> 'refuse_unsigned',
        e.payload ->> 'trusted_only', e.payload ->> 'version', ${instantOf('updated_at')}) as says
      from (select) o left join agentic.door r on r.tenant_id = e.tenant_id and concat_ws(' ', r.brand_id, r.protocol) = ${brandAndProtocol}`,
  },
  madeAt('signing key', 'agentic.key.created', {
    table: 'agentic.signing_key',
    id: 'key_id',
    column: 'created_at',
    key: keyId,
  }),
  {
    what: 'signing key',
    types: ['agentic.key.created'],
    held: `select tenant_id, key_id::text as key, concat_ws(' ', brand_id, thumbprint, jwk ->> 'kid') as says from agentic.signing_key`,
    told: `select e.payload ->> 'key_id' as key, concat_ws(' ', e.payload ->> 'brand_id', e.payload ->> 'thumbprint', e.payload ->> 'thumbprint') as says`,
  },
  {
    what: 'end of signing key',
    types: ['agentic.key.created'],
    held: `select tenant_id, key_id::text as key, ${end('retires_at')} as says from agentic.signing_key`,
    told: `select key, ${end('ends')} as says from (values
      (e.payload ->> 'earlier_key_id', (e.payload ->> 'earlier_end_at')::timestamptz), (e.payload ->> 'key_id', null)) told (key, ends)
      where key is not null`,
  },
  {
    what: 'revocation of signing key',
    types: ['agentic.key.created', 'agentic.key.revoked'],
    held: `select tenant_id, key_id::text as key, case when revoked_at is null then 'good' else 'revoked ' || revoked_at end as says from agentic.signing_key`,
    told: `select e.payload ->> 'key_id' as key, case e.type when 'agentic.key.revoked' then 'revoked ' || (${instantOf('revoked_at')}) else 'good' end as says
      ${rowOf('agentic.signing_key', 'key_id', keyId)}`,
  },
  madeAt('agent', 'agentic.agent.added', {
    table: 'agentic.agent',
    id: 'agent_id',
    column: 'first_seen_at',
    key: agentId,
  }),
  {
    what: 'agent',
    types: ['agentic.agent.added'],
    held: `select tenant_id, agent_id::text as key, concat_ws(' ', brand_id, protocol, profile_url) as says from agentic.agent`,
    told: `select e.payload ->> 'agent_id' as key, concat_ws(' ', e.payload ->> 'brand_id', e.payload ->> 'protocol', e.payload ->> 'profile_url') as says`,
  },
  {
    what: 'standing of agent',
    types: ['agentic.agent.added', 'agentic.agent.judged'],
    held: `select tenant_id, agent_id::text as key, standing as says from agentic.agent`,
    told: `select e.payload ->> 'agent_id' as key, coalesce(e.payload ->> 'standing', 'known') as says`,
  },
  {
    what: 'webhook of agent',
    types: ['agentic.agent.added', 'agentic.agent.webhook_named'],
    held: `select tenant_id, agent_id::text as key,
      concat_ws(' ', coalesce(encode(sha256(convert_to(webhook_url, 'UTF8')), 'hex'), 'nowhere'), release) as says from agentic.agent`,
    told: `select e.payload ->> 'agent_id' as key, concat_ws(' ', coalesce(e.payload ->> 'url_sha256', 'nowhere'), e.payload ->> 'release') as says`,
  },
  {
    what: 'credential of agent',
    types: ['agentic.credential.issued', 'agentic.credential.rotated'],
    held: `select tenant_id, credential_id::text as key, concat_ws(' ', brand_id, agent_id, mode, public_key, encode(key_hash, 'hex'), replaces, created_at) as says from agentic.credential`,
    // It has the mode and the public key of the one that it takes over from.
    told: `select (${credentialId})::text as key, concat_ws(' ', e.payload ->> 'brand_id', e.payload ->> 'agent_id', coalesce(e.payload ->> 'mode', before.mode),
        case e.type when 'agentic.credential.rotated' then before.public_key else e.payload ->> 'public_key' end,
        coalesce(e.payload ->> 'new_key_sha256', e.payload ->> 'key_sha256'),
        case e.type when 'agentic.credential.rotated' then e.payload ->> 'credential_id' end, ${instantOf('created_at')}) as says
      ${rowOfCredential}
      left join agentic.credential before on before.tenant_id = e.tenant_id and before.credential_id = (e.payload ->> 'credential_id')::uuid`,
  },
  {
    what: 'end of credential of agent',
    types: ['agentic.credential.issued', 'agentic.credential.rotated'],
    held: `select tenant_id, credential_id::text as key, ${end('expires_at')} as says from agentic.credential`,
    told: `select key, ${end('ends')} as says from (values
      (e.payload ->> 'credential_id', (e.payload ->> 'old_ends_at')::timestamptz), (e.payload ->> 'new_credential_id', null)) told (key, ends)
      where key is not null`,
  },
  {
    what: 'standing of credential of agent',
    types: ['agentic.credential.issued', 'agentic.credential.rotated', 'agentic.credential.revoked'],
    held: `select tenant_id, credential_id::text as key, coalesce('revoked ' || revoked_at, 'not revoked') as says from agentic.credential`,
    told: `select (${credentialId})::text as key,
      case e.type when 'agentic.credential.revoked' then 'revoked ' || (${instantOf('revoked_at')}) else 'not revoked' end as says ${rowOfCredential}`,
  },
  {
    what: 'suspension of credential of agent',
    types: [
      'agentic.credential.issued',
      'agentic.credential.rotated',
      'agentic.credential.suspended',
      'agentic.credential.restored',
    ],
    held: `select tenant_id, credential_id::text as key, coalesce('suspended ' || suspended_at, 'not suspended') as says from agentic.credential`,
    told: `select (${credentialId})::text as key,
      case e.type when 'agentic.credential.suspended' then 'suspended ' || (${instantOf('suspended_at')}) else 'not suspended' end as says ${rowOfCredential}`,
  },
  madeAt('host of brand', 'agentic.host.claimed', {
    table: 'agentic.host',
    id: 'host_id',
    column: 'claimed_at',
    key: hostId,
  }),
  {
    what: 'host of brand',
    types: ['agentic.host.claimed'],
    held: `select tenant_id, host_id::text as key, concat_ws(' ', brand_id, host) as says from agentic.host`,
    told: `select e.payload ->> 'host_id' as key, concat_ws(' ', e.payload ->> 'brand_id', e.payload ->> 'host') as says`,
  },
  {
    what: 'standing of host of brand',
    types: ['agentic.host.claimed', 'agentic.host.verified', 'agentic.host.lapsed', 'agentic.host.released'],
    held: `select tenant_id, host_id::text as key, standing || coalesce(' ' || released_at, '') as says from agentic.host`,
    told: `select e.payload ->> 'host_id' as key, split_part(e.type, '.', 3) ||
      case e.type when 'agentic.host.released' then ' ' || (${instantOf('released_at')}) else '' end as says ${rowOfHost}`,
  },
  {
    // Who proved it last has it, so an instant that is moved moves the host.
    what: 'proof of host of brand',
    types: ['agentic.host.claimed', 'agentic.host.verified'],
    held: `select tenant_id, host_id::text as key, coalesce('proved ' || verified_at, 'not proved') as says from agentic.host`,
    told: `select e.payload ->> 'host_id' as key,
      case e.type when 'agentic.host.verified' then 'proved ' || (${instantOf('verified_at')}) else 'not proved' end as says ${rowOfHost}`,
  },
];
