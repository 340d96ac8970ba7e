create schema tools;
grant usage on schema tools to {{app}};

-- What a command did under an idempotency key. Step 0 is the finished call with its tool result; step n > 0 is the
-- n-th transaction of the call, claimed and kept in that same transaction.
create table tools.command_step (
  tenant_id uuid not null,
  caller text not null,
  tool text not null,
  key text not null,
  step int not null,
  arguments_digest text not null,
  -- Of a step: what the transaction answered, as V8 serializes it (dates and bigints survive).
  value bytea,
  -- Of step 0: the tool result as it left.
  result text,
  created_at timestamptz not null default clock_timestamp(),
  -- What it answered may be about a person who asks to be forgotten: then the answer goes, and that there was one stays.
  erased_at timestamptz,
  primary key (tenant_id, caller, tool, key, step)
);
create index command_step_age on tools.command_step (tenant_id, created_at);
alter table tools.command_step enable row level security;
alter table tools.command_step force row level security;
create policy tenant on tools.command_step
  using (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid)
  with check (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid);
grant select, insert, delete, update (value, result, erased_at) on tools.command_step to {{app}};
