-- How often a form was read, refused and submitted on a day of UTC: sums, nothing of anybody.
create table commerce.form_day (
  tenant_id uuid not null,
  form_id uuid not null,
  day date not null,
  mode text not null check (mode in ('live', 'test')),
  reads bigint not null default 0 check (reads >= 0),
  refused bigint not null default 0 check (refused >= 0),
  submitted bigint not null default 0 check (submitted >= 0),
  primary key (tenant_id, form_id, day, mode)
);
alter table commerce.form_day enable row level security;
alter table commerce.form_day force row level security;
create policy tenant on commerce.form_day
  using (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid)
  with check (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid);
grant select, insert, update on commerce.form_day to {{app}};
