-- What left, or is asked to leave, by currency: sums of a day are taken over every tool and every other door. Of an action, what
-- it would take while it waits and what it took once it was carried out; its state says which counts.
create table approvals.outflow (
  tenant_id uuid not null,
  -- The action; an id of its own for what a person did at once.
  outflow_id uuid not null,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  tool text not null,
  taken bigint not null check (taken >= 0),
  owed bigint not null check (owed >= 0),
  -- When it was asked for or carried out, whatever day it is posted on.
  at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, outflow_id, currency)
);
create index outflow_of_day on approvals.outflow (tenant_id, at);
alter table approvals.outflow enable row level security;
alter table approvals.outflow force row level security;
create policy tenant on approvals.outflow
  using (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid)
  with check (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid);
grant select on approvals.outflow to {{app}};

grant usage, create on schema approvals to {{job:approvals_outflow}};
grant select, insert, delete on approvals.outflow to {{job:approvals_outflow}};
create policy own on approvals.action to {{job:approvals_outflow}}
  using (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid);
grant select (tenant_id, action_id, state) on approvals.action to {{job:approvals_outflow}};

-- Says anew what an action takes, while it has not been settled; and once what anything else took.
create function approvals.keep_outflow(p_id uuid, p_tool text, p_currencies text[], p_taken bigint[], p_owed bigint[]) returns void
language plpgsql security definer set search_path = approvals, pg_temp as $$
declare
  v_tenant uuid := nullif(current_setting('app.tenant_id', true), '')::uuid;
begin
  if exists (
    select from action where tenant_id = v_tenant and action_id = p_id and state in ('pending', 'approved')) then
    delete from outflow where tenant_id = v_tenant and outflow_id = p_id;
  elsif exists (select from outflow where tenant_id = v_tenant and outflow_id = p_id) then
    raise exception 'what was taken stays as it is' using errcode = '42501';
  end if;
  insert into outflow (tenant_id, outflow_id, currency, tool, taken, owed)
  select v_tenant, p_id, f.currency, p_tool, f.taken, f.owed
  from unnest(p_currencies, p_taken, p_owed) as f (currency, taken, owed);
end
$$;
alter function approvals.keep_outflow(uuid, text, text[], bigint[], bigint[]) owner to {{job:approvals_outflow}};
revoke create on schema approvals from {{job:approvals_outflow}};
revoke all on function approvals.keep_outflow(uuid, text, text[], bigint[], bigint[]) from public;
grant execute on function approvals.keep_outflow(uuid, text, text[], bigint[], bigint[]) to {{app}};
