-- What was edited may be about a person who asks to be forgotten.
grant update (difference) on approvals.edit to {{app}};

-- How often somebody was erased: what was rehearsed before is not stored after.
create table approvals.erasure (
  tenant_id uuid primary key,
  times int not null
);
alter table approvals.erasure enable row level security;
alter table approvals.erasure force row level security;
create policy tenant on approvals.erasure to {{app}}
  using (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid)
  with check (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid);
grant select, insert, update (times) on approvals.erasure to {{app}};
