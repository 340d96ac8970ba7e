-- Days that are sealed, the keys they are signed with, and what restored backups left behind. The manifest of a day is
-- rebuilt from its row and from the row of the day before (docs/guides/audit-archive.md).
grant usage on schema audit to {{job:audit_sealer}};

create table audit.sealed_day (
  tenant_id uuid not null,
  day date not null,
  incarnation int not null check (incarnation > 0),
  first_sequence bigint not null check (first_sequence > 0),
  last_sequence bigint not null check (last_sequence >= first_sequence - 1),
  first_previous_hash bytea not null check (octet_length(first_previous_hash) = 32),
  last_row_hash bytea not null check (octet_length(last_row_hash) = 32),
  -- Of the rows' file.
  bytes bigint not null check (bytes >= 0),
  sha256 bytea not null check (octet_length(sha256) = 32),
  root bytea not null check (octet_length(root) = 32),
  -- RFC 8785 text of the manifest's `target`.
  powers text collate "C" not null,
  manifest_sha256 bytea not null check (octet_length(manifest_sha256) = 32),
  -- Null where the archive's objects have no versions.
  rows_version text collate "C",
  manifest_version text collate "C",
  checkpoint_version text collate "C",
  -- The signed note.
  checkpoint text collate "C" not null,
  key_id text collate "C" not null,
  sealed_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, day)
);

-- Where a chain stood when it was seen that its database had been restored from a backup: rows up to `archived_sequence`
-- are in the archive, those behind `sequence` were lost, and the chain goes on from `sequence` in this incarnation.
-- Sequence 0: the tenant itself was lost.
create table audit.restored_chain (
  tenant_id uuid not null,
  incarnation int not null check (incarnation > 1),
  sequence bigint not null check (sequence >= 0),
  row_hash bytea not null check (octet_length(row_hash) = 32),
  archived_sequence bigint not null check (archived_sequence >= 0),
  primary key (tenant_id, incarnation)
);

-- Each incarnation after the first; `day` is the archived day that told.
create table audit.incarnation (
  number int primary key check (number > 1),
  day date not null,
  noticed_at timestamptz not null default clock_timestamp()
);

create table audit.platform_day (
  day date primary key,
  incarnation int not null check (incarnation > 0),
  -- Tenants.
  count bigint not null check (count >= 0),
  bytes bigint not null check (bytes >= 0),
  sha256 bytea not null check (octet_length(sha256) = 32),
  root bytea not null check (octet_length(root) = 32),
  powers text collate "C" not null,
  manifest_sha256 bytea not null check (octet_length(manifest_sha256) = 32),
  rows_version text collate "C",
  manifest_version text collate "C",
  checkpoint_version text collate "C",
  checkpoint text collate "C" not null,
  key_id text collate "C" not null,
  sealed_at timestamptz not null default clock_timestamp()
);

-- In the order of their registration; the last one signs.
create table audit.signing_key (
  number int primary key check (number > 0),
  key_id text collate "C" not null unique check (key_id ~ '^[0-9a-f]{16}$'),
  -- As `steward/audit+…+…`.
  verifier_key text collate "C" not null unique,
  -- Signed by the key itself and by the one before it, unless that one was lost.
  note text collate "C" not null,
  registered_at timestamptz not null default clock_timestamp()
);

-- What verifications found, for those who ask how fresh the last one is.
create table audit.verification (
  at timestamptz not null default clock_timestamp(),
  kind text collate "C" not null,
  ok boolean not null,
  detail text collate "C" not null,
  id uuid primary key default gen_random_uuid()
);
create index verification_at on audit.verification (at);

do $$
declare
  relation text;
begin
  foreach relation in array array['sealed_day', 'restored_chain', 'incarnation', 'platform_day', 'signing_key', 'verification'] loop
    execute format('alter table audit.%I enable row level security', relation);
    execute format('alter table audit.%I force row level security', relation);
    execute format('create policy verifier on audit.%I for select to {{job:audit_verifier}} using (true)', relation);
    execute format('create policy sealer on audit.%I to {{job:audit_sealer}} using (true) with check (true)', relation);
    execute format('grant select on audit.%I to {{app}}, {{job:audit_verifier}}', relation);
    execute format('grant select, insert on audit.%I to {{job:audit_sealer}}', relation);
    execute format($trigger$create trigger append_only before update or delete or truncate on audit.%I
      for each statement execute function audit.refuse_change()$trigger$, relation);
    execute format('alter table audit.%I enable always trigger append_only', relation);
  end loop;
  foreach relation in array array['sealed_day', 'restored_chain'] loop
    execute format($policy$create policy tenant on audit.%I for select to {{app}}
      using (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid)$policy$, relation);
  end loop;
  foreach relation in array array['incarnation', 'platform_day', 'signing_key', 'verification'] loop
    execute format('create policy platform on audit.%I for select to {{app}} using (true)', relation);
  end loop;
end
$$;
-- Whoever verifies says so, the application or the verifier.
create policy reporter on audit.verification for insert to {{app}}, {{job:audit_verifier}} with check (true);
grant insert on audit.verification to {{app}}, {{job:audit_verifier}};

create policy sealer on audit.head to {{job:audit_sealer}} using (true) with check (true);
create policy sealer on audit.event for select to {{job:audit_sealer}} using (true);
grant select, update (sealed_through) on audit.head to {{job:audit_sealer}};
grant select on audit.event to {{job:audit_sealer}};
-- The sealer moves its mark, and its grant lets it move nothing else.
drop trigger moves_with_chain on audit.head;
create trigger moves_with_chain before update on audit.head
  for each statement when ('"' || current_user || '"' not in ('{{job:audit_appender}}', '{{job:audit_sealer}}'))
  execute function audit.refuse_change();
alter table audit.head enable always trigger moves_with_chain;
