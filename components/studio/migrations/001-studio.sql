create schema studio;
grant usage on schema studio to {{app}};
-- CREATE is needed only while the functions below change hands.
grant usage, create on schema studio to {{job:studio_directory}};

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
  primary key (tenant_id, site_id)
);

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

-- A published version stands for ever, whoever asks: submissions are read against it.
create function studio.refuse_change() returns trigger language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  raise exception 'studio.form_version is immutable' using errcode = '42501';
end $$;
create trigger immutable before update or delete on studio.form_version
  for each row execute function studio.refuse_change();
create trigger immutable_whole before truncate on studio.form_version
  for each statement execute function studio.refuse_change();

-- Numbers without a gap: the form's row counts, and a version that is not its next one is refused.
create function studio.next_version() returns trigger language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  if new.version <> (select coalesce(max(v.version), 0) + 1 from studio.form_version v
                     where v.tenant_id = new.tenant_id and v.form_id = new.form_id) then
    raise exception 'studio.form_version: % is not the next version', new.version using errcode = '23514';
  end if;
  return new;
end $$;
create trigger next_version before insert on studio.form_version
  for each row execute function studio.next_version();

-- What is revoked stays revoked, and the life of a key is never made longer.
create function studio.key_ends() returns trigger language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  if old.revoked_at is not null and new.revoked_at is distinct from old.revoked_at then
    raise exception 'studio.sdk_key: a revoked key stays revoked' using errcode = '42501';
  end if;
  if old.expires_at is not null and (new.expires_at is null or new.expires_at > old.expires_at) then
    raise exception 'studio.sdk_key: the end of a key is not put off' using errcode = '42501';
  end if;
  return new;
end $$;
create trigger key_ends before update on studio.sdk_key for each row execute function studio.key_ends();

do $$
declare name text;
begin
  foreach name in array array['site', 'sdk_key', 'form', 'form_version'] loop
    execute format('alter table studio.%I enable row level security', name);
    execute format('alter table studio.%I force row level security', name);
    execute format($policy$create policy tenant on studio.%I to {{app}}
      using (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid)
      with check (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid)$policy$, name);
  end loop;
end $$;

grant select, insert on studio.site, studio.form, studio.form_version to {{app}};
grant update (brand_id, name, origins, status, default_country, version, updated_at) on studio.site to {{app}};
grant update (name, draft, revision, latest_version, active_version, archived_at, updated_at) on studio.form to {{app}};
-- The hash goes in and is compared by the directory function; nothing reads it back.
grant insert on studio.sdk_key to {{app}};
grant select (tenant_id, key_id, site_id, mode, last_four, label, origins, replaces, created_at, expires_at, revoked_at, last_used_at)
  on studio.sdk_key to {{app}};
grant update (expires_at, revoked_at) on studio.sdk_key to {{app}};

-- Directory: read before a tenant is known, by the exact key (architecture, exception a).
create policy directory on studio.sdk_key for select to {{job:studio_directory}} using (true);
create policy note_use on studio.sdk_key for update to {{job:studio_directory}} using (true) with check (true);
create policy directory on studio.site for select to {{job:studio_directory}} using (true);
create policy directory on studio.form for select to {{job:studio_directory}} using (true);
grant select, update (last_used_at) on studio.sdk_key to {{job:studio_directory}};
grant select (tenant_id, site_id, origins, status) on studio.site to {{job:studio_directory}};
grant select (tenant_id, form_id, site_id, active_version, archived_at) on studio.form to {{job:studio_directory}};

-- A key that may be used now; `lives` is how many milliseconds it has left, null for one without an end.
create function studio.find_key(a_hash bytea)
returns table (tenant_id uuid, site_id uuid, key_id uuid, mode text, origins text[], lives double precision)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select k.tenant_id, k.site_id, k.key_id, k.mode,
    case when k.origins is null then s.origins
      else array(select o from unnest(k.origins) o where o = any (s.origins)) end,
    extract(epoch from k.expires_at - clock_timestamp())::double precision * 1000
  from studio.sdk_key k join studio.site s on s.tenant_id = k.tenant_id and s.site_id = k.site_id
  where k.key_hash = a_hash and k.revoked_at is null and (k.expires_at is null or k.expires_at > clock_timestamp())
    and s.status = 'active'
$$;

-- The origins of the site of a published form: what a preflight may say. Null and `{}` are told apart by the row.
create function studio.origins_of_form(a_form uuid) returns table (tenant_id uuid, site_id uuid, origins text[])
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select s.tenant_id, s.site_id, s.origins
  from studio.form f join studio.site s on s.tenant_id = f.tenant_id and s.site_id = f.site_id
  where f.form_id = a_form and f.active_version is not null and f.archived_at is null and s.status = 'active'
$$;

-- Keys used lately. Once a minute is enough, and a key that somebody is changing is noted the next time.
create function studio.note_key_use(a_tenants uuid[], a_keys uuid[]) returns void
language sql volatile security definer set search_path = pg_catalog, pg_temp as $$
  update studio.sdk_key k set last_used_at = clock_timestamp()
  from (
    select d.tenant_id, d.key_id from studio.sdk_key d
    join unnest(a_tenants, a_keys) as used (tenant_id, key_id) on used.tenant_id = d.tenant_id and used.key_id = d.key_id
    where d.last_used_at is null or d.last_used_at < clock_timestamp() - interval '1 minute'
    order by d.tenant_id, d.key_id for update of d skip locked) as due
  where k.tenant_id = due.tenant_id and k.key_id = due.key_id
$$;

do $$
declare signature text;
begin
  foreach signature in array array['find_key(bytea)', 'origins_of_form(uuid)', 'note_key_use(uuid[], uuid[])'] loop
    execute 'alter function studio.' || signature || ' owner to {{job:studio_directory}}';
    execute 'revoke all on function studio.' || signature || ' from public';
    execute 'grant execute on function studio.' || signature || ' to {{app}}';
  end loop;
end $$;
revoke create on schema studio from {{job:studio_directory}};
