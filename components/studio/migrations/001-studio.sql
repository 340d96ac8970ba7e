create schema studio;
grant usage on schema studio to {{app}}, {{job:studio_directory}}, {{job:audit_verifier}};

create table studio.site (
  tenant_id uuid not null,
  site_id uuid not null,
  -- A brand of the portal's; checked when it is set, because components do not refer to each other's tables.
  brand_id uuid not null,
  name text not null check (length(name) between 1 and 200),
  origins text[] not null check (cardinality(origins) <= 50),
  status text not null default 'active' check (status in ('active', 'disabled')),
  default_country text check (default_country ~ '^[A-Z]{2}$'),
  version int not null default 1,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  -- What each key may ask in a minute, where that is not what all keys may.
  requests_per_minute int check (requests_per_minute between 1 and 1000000),
  primary key (tenant_id, site_id)
);
create index site_origins on studio.site using gin (origins);

create table studio.sdk_key (
  tenant_id uuid not null,
  key_id uuid not null,
  site_id uuid not null,
  mode text not null check (mode in ('live', 'test')),
  key_hash bytea not null check (octet_length(key_hash) = 32),
  last_four text not null check (length(last_four) = 4),
  label text not null check (length(label) between 1 and 200),
  -- Null: those of the site. A list narrows the site's and never widens it.
  origins text[] check (cardinality(origins) <= 50),
  -- The key that this one took over from.
  replaces uuid,
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  primary key (tenant_id, key_id),
  foreign key (tenant_id, site_id) references studio.site (tenant_id, site_id),
  foreign key (tenant_id, replaces) references studio.sdk_key (tenant_id, key_id)
);
create index sdk_key_by_site on studio.sdk_key (tenant_id, site_id, key_id);
-- An index and no constraint, for it begins with no tenant: the directory function finds the tenant by it.
create unique index sdk_key_by_hash on studio.sdk_key (key_hash);
-- Two rotations of one key at once make one successor.
create unique index sdk_key_successor on studio.sdk_key (tenant_id, replaces) where replaces is not null;

create table studio.form (
  tenant_id uuid not null,
  form_id uuid not null,
  site_id uuid not null,
  name text not null check (length(name) between 1 and 200),
  -- JSON as text: jsonb would forget the order of members.
  draft text not null check (octet_length(draft) <= 131072),
  -- Counts changes of the draft.
  revision int not null default 1,
  latest_version int not null default 0,
  active_version int,
  archived_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, form_id),
  foreign key (tenant_id, site_id) references studio.site (tenant_id, site_id),
  check (active_version between 1 and latest_version)
);
create index form_by_site on studio.form (tenant_id, site_id, form_id);
create unique index form_by_id on studio.form (form_id);

create table studio.form_version (
  tenant_id uuid not null,
  form_id uuid not null,
  version int not null check (version >= 1),
  site_id uuid not null,
  name text not null,
  -- What was published, as it stood in the draft.
  definition text not null,
  -- The document of the storefront, to the byte.
  document text not null check (octet_length(document) <= 65536),
  published_at timestamptz not null default clock_timestamp(),
  published_by text not null,
  primary key (tenant_id, form_id, version),
  foreign key (tenant_id, form_id) references studio.form (tenant_id, form_id)
);
alter table studio.form add foreign key (tenant_id, form_id, active_version)
  references studio.form_version (tenant_id, form_id, version);

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

-- How many submissions of a form a recipient was told of in one hour, and counted for, and what it was sent of them. A brand that asked it about
-- letters of its orders counts as a form. Recipients as
-- SHA-256.
create table studio.notified_hour (
  tenant_id uuid not null,
  form_id uuid not null,
  recipient bytea not null check (octet_length(recipient) = 32),
  hour timestamptz not null,
  submissions int not null,
  -- Letters of their own, and one that counts the rest.
  letters int not null default 0,
  summary boolean not null default false,
  -- It was neither a member's address nor confirmed by whoever reads it.
  stranger boolean not null default true,
  -- Letters that asked the recipient whether they want any: these have a quota of their own, so that nobody uses up by other letters
  -- what others ask with.
  asked int not null default 0,
  primary key (tenant_id, form_id, recipient, hour)
);
create index notified_hour_by_recipient on studio.notified_hour (recipient, hour);
create index notified_hour_by_hour on studio.notified_hour (tenant_id, hour);

do $$
declare name text;
begin
  foreach name in array array['site', 'sdk_key', 'form', 'form_version', 'submission', 'notified', 'notified_hour'] loop
    execute format('alter table studio.%I enable row level security', name);
    execute format('alter table studio.%I force row level security', name);
    execute format($policy$create policy tenant on studio.%I to {{app}}
      using (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid)
      with check (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid)$policy$, name);
  end loop;
end $$;

grant select, insert on studio.site, studio.form, studio.form_version, studio.submission, studio.notified, studio.notified_hour to {{app}};
grant update (brand_id, name, origins, status, default_country, version, updated_at, requests_per_minute) on studio.site to {{app}};
grant update (name, draft, revision, latest_version, active_version, archived_at, updated_at) on studio.form to {{app}};
-- The hash goes in and is compared by the directory function; nothing reads it back.
grant insert on studio.sdk_key to {{app}};
grant select (tenant_id, key_id, site_id, mode, last_four, label, origins, replaces, created_at, expires_at, revoked_at, last_used_at)
  on studio.sdk_key to {{app}};
grant update (expires_at, revoked_at) on studio.sdk_key to {{app}};
grant update (submissions, letters, summary, stranger, asked), delete on studio.notified_hour to {{app}};

-- Directory: read before a tenant is known, by the exact key (architecture, exception a).
create policy directory on studio.sdk_key for select to {{job:studio_directory}} using (true);
create policy note_use on studio.sdk_key for update to {{job:studio_directory}} using (true) with check (true);
create policy directory on studio.site for select to {{job:studio_directory}} using (true);
create policy directory on studio.form for select to {{job:studio_directory}} using (true);
create policy directory on studio.form_version for select to {{job:studio_directory}} using (true);
create policy recipients on studio.notified_hour for select to {{job:studio_directory}} using (true);
grant select, update (last_used_at) on studio.sdk_key to {{job:studio_directory}};
grant select (tenant_id, site_id, brand_id, origins, status, default_country, requests_per_minute) on studio.site to {{job:studio_directory}};
grant select (tenant_id, form_id, site_id, active_version, archived_at) on studio.form to {{job:studio_directory}};
grant select (tenant_id, form_id, version, document, definition) on studio.form_version to {{job:studio_directory}};
grant select (recipient, hour, letters, summary, stranger, asked) on studio.notified_hour to {{job:studio_directory}};

-- For whoever verifies that they stand in the audit log: no name, origin, hash or text.
create policy verifier on studio.site for select to {{job:audit_verifier}} using (true);
create policy verifier on studio.sdk_key for select to {{job:audit_verifier}} using (true);
create policy verifier on studio.form for select to {{job:audit_verifier}} using (true);
create policy verifier on studio.form_version for select to {{job:audit_verifier}} using (true);
grant select (tenant_id, site_id, brand_id, status, version, created_at, updated_at) on studio.site to {{job:audit_verifier}};
grant select (tenant_id, key_id, site_id, mode, replaces, created_at, expires_at, revoked_at) on studio.sdk_key to {{job:audit_verifier}};
grant select (tenant_id, form_id, site_id, revision, latest_version, active_version, archived_at, created_at, updated_at)
  on studio.form to {{job:audit_verifier}};
grant select (tenant_id, form_id, version, site_id, published_at, published_by) on studio.form_version to {{job:audit_verifier}};
