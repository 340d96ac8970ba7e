create schema agentic;
grant usage on schema agentic to {{app}}, {{job:agentic}}, {{job:audit_verifier}};

-- Which protocols of agents a brand sells by.
create table agentic.door (
  tenant_id uuid not null,
  brand_id uuid not null,
  protocol text not null check (protocol in ('ucp', 'acp')),
  active boolean not null,
  mode text not null check (mode in ('test', 'live')),
  -- Of tests; a live door refuses them in any case.
  refuse_unsigned boolean not null,
  trusted_only boolean not null,
  version int not null check (version >= 1),
  updated_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, brand_id, protocol)
);
-- An address names the brand alone.
create index door_of_brand on agentic.door (brand_id, protocol) where active;

-- What a brand signs with: the newest that is neither retired nor revoked. The others are published until they retire.
create table agentic.signing_key (
  tenant_id uuid not null,
  brand_id uuid not null,
  key_id uuid not null,
  -- RFC 7638; the `kid` that others know it by.
  thumbprint text not null check (length(thumbprint) = 43),
  -- The thumbprint is that of what is published: nothing else passes for it.
  jwk jsonb not null check (jwk = jsonb_build_object('kid', thumbprint, 'kty', 'EC', 'crv', 'P-256', 'x', jwk ->> 'x', 'y', jwk ->> 'y', 'use', 'sig', 'alg', 'ES256')
    and thumbprint = rtrim(translate(encode(sha256(convert_to(
      format('{"crv":"P-256","kty":"EC","x":"%s","y":"%s"}', jwk ->> 'x', jwk ->> 'y'), 'UTF8')), 'base64'), '+/', '-_'), '=')),
  created_at timestamptz not null default clock_timestamp(),
  retires_at timestamptz,
  revoked_at timestamptz,
  primary key (tenant_id, key_id)
);
create index signing_key_of_brand on agentic.signing_key (tenant_id, brand_id, created_at desc);

-- The private part of a key, by the key of the tenant; a revoked one has none.
create table agentic.signing_secret (
  tenant_id uuid not null,
  key_id uuid not null,
  sealed text not null check (length(sealed) <= 2000),
  primary key (tenant_id, key_id),
  foreign key (tenant_id, key_id) references agentic.signing_key (tenant_id, key_id)
);

-- Agents that have come to a brand's door, by the addresses of their profiles.
create table agentic.agent (
  tenant_id uuid not null,
  agent_id uuid not null,
  brand_id uuid not null,
  protocol text not null check (protocol in ('ucp', 'acp')),
  profile_url text not null check (length(profile_url) <= 2000),
  -- Of the key that its last request was signed with.
  key_id text check (length(key_id) <= 500),
  verdict text not null check (verdict in ('signed', 'bearer', 'unsigned', 'unseen')),
  -- Where it is told of orders, as its profile says or the organization; and in which release of the protocol, as its profile says.
  webhook_url text check (length(webhook_url) <= 2000),
  release text check (length(release) <= 20),
  standing text not null default 'known' check (standing in ('known', 'trusted', 'shut_out')),
  first_seen_at timestamptz not null default clock_timestamp(),
  -- To about an hour.
  last_seen_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, agent_id),
  unique (tenant_id, brand_id, protocol, profile_url)
);
create index agent_by_day on agentic.agent (tenant_id, brand_id, first_seen_at);

-- Keys that a brand issued to agent platforms, which have no profile to prove themselves by. No table holds a key itself.
create table agentic.credential (
  tenant_id uuid not null,
  credential_id uuid not null,
  brand_id uuid not null,
  agent_id uuid not null,
  mode text not null check (mode in ('test', 'live')),
  key_hash bytea not null check (octet_length(key_hash) = 32),
  last_four text not null check (length(last_four) = 4),
  label text not null check (length(label) between 1 and 200),
  -- Ed25519, of the platform: live doors demand that requests are signed.
  public_key text check (length(public_key) = 43),
  -- The key that this one took over from.
  replaces uuid,
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz,
  revoked_at timestamptz,
  primary key (tenant_id, credential_id),
  unique (tenant_id, key_hash),
  foreign key (tenant_id, agent_id) references agentic.agent (tenant_id, agent_id),
  foreign key (tenant_id, replaces) references agentic.credential (tenant_id, credential_id),
  check (mode = 'test' or public_key is not null)
);
create index credential_of_brand on agentic.credential (tenant_id, brand_id, credential_id);
create index credential_of_agent on agentic.credential (tenant_id, agent_id);
-- Two rotations of one key at once make one successor.
create unique index credential_successor on agentic.credential (tenant_id, replaces) where replaces is not null;

-- Where brands are found. Who proved last that a host is theirs has it, of all tenants.
create table agentic.host (
  tenant_id uuid not null,
  host_id uuid not null,
  brand_id uuid not null,
  -- As DNS and the header `Host` have it.
  host text not null check (length(host) between 3 and 253 and host = lower(host) and host ~ '^[a-z0-9.-]+$'),
  standing text not null default 'claimed' check (standing in ('claimed', 'verified', 'lapsed', 'released')),
  claimed_at timestamptz not null default clock_timestamp(),
  verified_at timestamptz,
  released_at timestamptz,
  primary key (tenant_id, host_id),
  check (standing not in ('verified', 'lapsed') or verified_at is not null),
  check ((standing = 'released') = (released_at is not null))
);
create unique index host_of_brand on agentic.host (tenant_id, brand_id, host) where standing <> 'released';
create index host_by_name on agentic.host (host, verified_at desc) where standing = 'verified';
create index host_by_brand on agentic.host (tenant_id, brand_id, host_id);

do $$
declare name text;
begin
  foreach name in array array['door', 'signing_key', 'signing_secret', 'agent', 'credential', 'host'] loop
    execute format('alter table agentic.%I enable row level security', name);
    execute format('alter table agentic.%I force row level security', name);
    execute format($policy$create policy tenant on agentic.%I to {{app}}
      using (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid)
      with check (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid)$policy$, name);
    execute format('grant select, insert on agentic.%I to {{app}}', name);
  end loop;
end $$;
grant update (active, mode, refuse_unsigned, trusted_only, version, updated_at) on agentic.door to {{app}};
grant update (retires_at, revoked_at) on agentic.signing_key to {{app}};
grant delete on agentic.signing_secret to {{app}};
grant update (key_id, verdict, webhook_url, release, standing, last_seen_at) on agentic.agent to {{app}};
grant update (expires_at, revoked_at) on agentic.credential to {{app}};
grant update (standing, verified_at, released_at) on agentic.host to {{app}};

-- Directory: read before a tenant is known, by the exact key.
create policy directory on agentic.door for select to {{job:agentic}} using (true);
grant select on agentic.door to {{job:agentic}};
create policy directory on agentic.host for select to {{job:agentic}} using (true);
grant select on agentic.host to {{job:agentic}};

create policy verifier on agentic.door for select to {{job:audit_verifier}} using (true);
create policy verifier on agentic.signing_key for select to {{job:audit_verifier}} using (true);
create policy verifier on agentic.credential for select to {{job:audit_verifier}} using (true);
create policy verifier on agentic.agent for select to {{job:audit_verifier}} using (true);
grant select on agentic.door to {{job:audit_verifier}};
grant select (tenant_id, brand_id, key_id, thumbprint, jwk, created_at, retires_at, revoked_at) on agentic.signing_key to {{job:audit_verifier}};
grant select (tenant_id, agent_id, brand_id, protocol, profile_url, webhook_url, release, standing, first_seen_at) on agentic.agent to {{job:audit_verifier}};
grant select (tenant_id, credential_id, brand_id, agent_id, mode, key_hash, public_key, replaces, created_at, expires_at, revoked_at) on agentic.credential to {{job:audit_verifier}};
create policy verifier on agentic.host for select to {{job:audit_verifier}} using (true);
grant select on agentic.host to {{job:audit_verifier}};
