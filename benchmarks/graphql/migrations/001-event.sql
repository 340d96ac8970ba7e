create schema bench;
grant usage on schema bench to {{app}};
create table bench.event (tenant_id uuid not null, sequence bigint not null, event text not null, primary key (tenant_id, sequence));
alter table bench.event enable row level security;
alter table bench.event force row level security;
create policy tenant on bench.event using (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid);
grant select, insert on bench.event to {{app}};
