-- What the studio knows of submissions, from commerce's events: ids. Commerce holds what was submitted.
create table studio.submission (
  tenant_id uuid not null,
  submission_id uuid not null,
  form_id uuid not null,
  form_version int not null check (form_version >= 1),
  site_id uuid not null,
  contact_id uuid,
  mode text not null check (mode in ('live', 'test')),
  submitted_at timestamptz not null,
  primary key (tenant_id, submission_id)
);
create index submission_by_form on studio.submission (tenant_id, form_id, submission_id desc);

-- Submissions that somebody was told of, or counted for somebody: kept for ever and apart from the projection, so that
-- filling that again tells nobody twice.
create table studio.notified (
  tenant_id uuid not null,
  submission_id uuid not null,
  primary key (tenant_id, submission_id)
);

-- How many submissions of a form a recipient was told of in one hour, and counted for. Recipients as SHA-256.
create table studio.notified_hour (
  tenant_id uuid not null,
  form_id uuid not null,
  recipient bytea not null check (octet_length(recipient) = 32),
  hour timestamptz not null,
  submissions int not null,
  primary key (tenant_id, form_id, recipient, hour)
);

do $$
declare name text;
begin
  foreach name in array array['submission', 'notified', 'notified_hour'] loop
    execute format('alter table studio.%I enable row level security', name);
    execute format('alter table studio.%I force row level security', name);
    execute format($policy$create policy tenant on studio.%I to {{app}}
      using (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid)
      with check (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid)$policy$, name);
    execute format('grant select, insert on studio.%I to {{app}}', name);
  end loop;
end $$;
grant update (submissions), delete on studio.notified_hour to {{app}};
