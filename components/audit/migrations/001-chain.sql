create schema audit;
grant usage on schema audit to {{app}}, {{job:audit_appender}}, {{job:audit_verifier}};

-- One row a tenant. Its lock orders the tenant's appends; half-filled pages keep its updates off the index (HOT).
create table audit.head (
  tenant_id uuid primary key,
  sequence bigint not null default 0 check (sequence >= 0),
  row_hash bytea not null check (octet_length(row_hash) = 32),
  received_at timestamptz not null default '-infinity',
  -- The last sealed UTC day: nothing may be received in it or before it.
  sealed_through date
) with (fillfactor = 50);

-- `event` is the RFC 8785 text that is hashed. The columns from `id` to `principals` are copies for searching.
create table audit.event (
  tenant_id uuid not null,
  sequence bigint not null check (sequence > 0),
  received_at timestamptz not null,
  event_hash bytea not null check (octet_length(event_hash) = 32),
  row_hash bytea not null check (octet_length(row_hash) = 32),
  id uuid not null,
  type text collate "C" not null,
  grammar text collate "C" not null,
  occurred_at timestamptz not null,
  causal_id text collate "C",
  correlation_id text collate "C",
  principals text[] not null,
  event text not null,
  primary key (tenant_id, sequence),
  unique (tenant_id, id)
);
create index event_type on audit.event (tenant_id, type, sequence);
create index event_grammar on audit.event (tenant_id, grammar, sequence);
create index event_correlation on audit.event (tenant_id, correlation_id, sequence) where correlation_id is not null;
create index event_cause on audit.event (tenant_id, causal_id, sequence) where causal_id is not null;

-- Apart from the events, so that events can be partitioned by day while a key stays unique for ever.
create table audit.idempotency (
  tenant_id uuid not null,
  key text collate "C" not null,
  sequence bigint not null,
  primary key (tenant_id, key)
);

do $$
declare
  relation text;
begin
  foreach relation in array array['head', 'event', 'idempotency'] loop
    execute format('alter table audit.%I enable row level security', relation);
    execute format('alter table audit.%I force row level security', relation);
    execute format($policy$create policy tenant on audit.%I for select to {{app}}
      using (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid)$policy$, relation);
    execute format('create policy appender on audit.%I to {{job:audit_appender}} using (true) with check (true)', relation);
    execute format('create policy verifier on audit.%I for select to {{job:audit_verifier}} using (true)', relation);
    execute format('grant select on audit.%I to {{job:audit_verifier}}', relation);
    execute format('grant select, insert on audit.%I to {{job:audit_appender}}', relation);
  end loop;
end
$$;
grant select on audit.head, audit.event to {{app}};
grant update on audit.head to {{job:audit_appender}};
