-- Contacts of a tenant, and the schema that their custom fields follow.
create schema crm;
grant usage on schema crm to {{app}}, {{job:crm_erasure}};

-- Ids of contacts are random: they tell nothing. Lists go by the time of creation and, where two are of one moment, by id.
create table crm.contact (
  tenant_id uuid not null,
  contact_id uuid not null,
  -- As shown; the key is what is compared: folded case, the domain in ASCII.
  email text check (length(email) between 3 and 254),
  email_key text collate "C" check (length(email_key) between 3 and 320),
  -- E.164, with ;ext= where there is an extension (RFC 3966).
  phone text collate "C" check (phone ~ '^\+[1-9][0-9]{3,16}(;ext=[0-9]{1,15})?$'),
  name text check (length(name) between 1 and 400),
  name_key text collate "C" check (length(name_key) between 1 and 800),
  custom jsonb not null default '{}' check (jsonb_typeof(custom) = 'object'),
  -- Where it came from: a kind and ids.
  source jsonb not null check (jsonb_typeof(source) = 'object'),
  version int not null default 1,
  created_at timestamptz not null default coalesce(nullif(current_setting('app.happened_at', true), '')::timestamptz, clock_timestamp()),
  updated_at timestamptz not null default clock_timestamp(),
  archived_at timestamptz,
  -- A contact that was merged stays as a signpost: its id, its e-mail address and its phone still lead to the other.
  merged_into uuid,
  -- Made by test keys' submissions alone: nobody else has brought or changed anything of it.
  test boolean not null default false,
  -- What a merge did not take over, for the contact that stays had its own: kept with the one that was merged, and gone with it.
  discarded jsonb,
  primary key (tenant_id, contact_id),
  foreign key (tenant_id, merged_into) references crm.contact (tenant_id, contact_id),
  check ((email is null) = (email_key is null)),
  check (name is null or name_key is not null),
  check (merged_into is not null or email_key is not null or phone is not null or name_key is not null),
  check (merged_into <> contact_id),
  check (discarded is null or (merged_into is not null and jsonb_typeof(discarded) = 'object'))
);
-- Partial, so that changing an address is no change of a key: those who only point at the row need not wait.
create unique index contact_email on crm.contact (tenant_id, email_key) where email_key is not null;
create unique index contact_phone on crm.contact (tenant_id, phone) where phone is not null;
-- A name alone says who somebody is only where nothing better is known.
create unique index contact_name on crm.contact (tenant_id, name_key)
  where name_key is not null and email_key is null and phone is null;
create index contact_merged on crm.contact (tenant_id, merged_into) where merged_into is not null;
create index contact_created on crm.contact (tenant_id, created_at desc, contact_id desc);
create index contact_test on crm.contact (tenant_id, created_at desc, contact_id desc) where test;

-- What contacts are found by: words of the name, the domain of the address, values of custom fields. Only ever written
-- with its contact, in one statement, so it names the contact without a foreign key; read in the contacts' order, so it bears
-- their time.
create table crm.contact_term (
  tenant_id uuid not null,
  -- name, email, custom.<key>
  field text collate "C" not null check (length(field) between 1 and 80),
  value text collate "C" not null check (length(value) <= 320),
  contact_id uuid not null,
  created_at timestamptz not null,
  primary key (tenant_id, field, value, created_at, contact_id)
);
create index contact_term_of on crm.contact_term (tenant_id, contact_id);

-- Every version of the schema of contacts; version 1 has the built-in fields alone and is not stored.
create table crm.contact_schema (
  tenant_id uuid not null,
  version int not null check (version >= 2),
  document jsonb not null,
  created_at timestamptz not null default coalesce(nullif(current_setting('app.happened_at', true), '')::timestamptz, clock_timestamp()),
  primary key (tenant_id, version)
);

-- What happened with a contact, by ids of what others keep.
create table crm.timeline_entry (
  tenant_id uuid not null,
  contact_id uuid not null,
  entry_id uuid not null,
  kind text not null check (kind ~ '^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*){0,5}$' and length(kind) <= 100),
  refs jsonb not null check (jsonb_typeof(refs) = 'object'),
  occurred_at timestamptz not null default coalesce(nullif(current_setting('app.happened_at', true), '')::timestamptz, clock_timestamp()),
  primary key (tenant_id, contact_id, entry_id),
  foreign key (tenant_id, contact_id) references crm.contact (tenant_id, contact_id)
);

-- Contacts that were erased: ids and when, nothing else. `erased_as` is the contact that they were by then.
create table crm.erased_contact (
  tenant_id uuid not null,
  contact_id uuid not null,
  erased_as uuid not null,
  erased_at timestamptz not null,
  primary key (tenant_id, contact_id)
);
create index erased_contact_as on crm.erased_contact (tenant_id, erased_as);

do $$
declare
  name text;
begin
  foreach name in array array['contact', 'contact_term', 'contact_schema', 'timeline_entry', 'erased_contact'] loop
    execute format('alter table crm.%I enable row level security', name);
    execute format('alter table crm.%I force row level security', name);
    execute format($policy$create policy tenant on crm.%I
      using (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid)
      with check (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid)$policy$, name);
  end loop;
end $$;
-- Contacts are merged and archived, never deleted; versions of the schema never change.
grant select, insert, update on crm.contact to {{app}};
grant select, insert, delete on crm.contact_term to {{app}};
grant select, insert on crm.contact_schema to {{app}};
grant select, insert, update (contact_id) on crm.timeline_entry to {{app}};
grant select on crm.erased_contact to {{app}};

-- The application cannot delete contacts: a function of this role does. A row is locked by whoever may update it.
grant select, update, delete on crm.contact to {{job:crm_erasure}};
grant select, delete on crm.contact_term, crm.timeline_entry to {{job:crm_erasure}};
grant select, insert on crm.erased_contact to {{job:crm_erasure}};

-- For whoever verifies that they stand in the audit log: nothing of what they say.
grant usage on schema crm to {{job:audit_verifier}};
create policy verifier on crm.contact for select to {{job:audit_verifier}} using (true);
create policy verifier on crm.contact_schema for select to {{job:audit_verifier}} using (true);
grant select (tenant_id, contact_id, created_at, archived_at) on crm.contact to {{job:audit_verifier}};
grant select (tenant_id, version, created_at) on crm.contact_schema to {{job:audit_verifier}};
