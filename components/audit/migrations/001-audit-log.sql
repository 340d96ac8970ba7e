create schema audit;
grant usage on schema audit to {{app}}, {{job:audit_appender}}, {{job:audit_verifier}}, {{job:audit_sealer}}, {{job:audit_personal}};

-- One row a tenant. Its lock orders the tenant's appends; half-filled pages keep its updates off the index (HOT).
create table audit.head (
  tenant_id uuid primary key,
  sequence bigint not null default 0 check (sequence >= 0),
  row_hash bytea not null check (octet_length(row_hash) = 32),
  received_at timestamptz not null default '-infinity',
  -- The last sealed UTC day: nothing may be received in it or before it.
  sealed_through date
) with (fillfactor = 50);

-- `event` is the RFC 8785 text that is hashed. The columns from `id` to `principals` are copies for searching.
create table audit.event (
  tenant_id uuid not null,
  sequence bigint not null check (sequence > 0),
  received_at timestamptz not null,
  event_hash bytea not null check (octet_length(event_hash) = 32),
  row_hash bytea not null check (octet_length(row_hash) = 32),
  id uuid not null,
  type text collate "C" not null,
  grammar text collate "C" not null,
  occurred_at timestamptz not null,
  causal_id text collate "C",
  correlation_id text collate "C",
  principals text[] not null,
  event text not null,
  primary key (tenant_id, sequence),
  unique (tenant_id, id)
);
create index event_type on audit.event (tenant_id, type, sequence);
create index event_grammar on audit.event (tenant_id, grammar, sequence);
create index event_correlation on audit.event (tenant_id, correlation_id, sequence) where correlation_id is not null;
create index event_cause on audit.event (tenant_id, causal_id, sequence) where causal_id is not null;

-- Apart from the events, so that events can be partitioned by day while a key stays unique for ever.
create table audit.idempotency (
  tenant_id uuid not null,
  key text collate "C" not null,
  sequence bigint not null,
  primary key (tenant_id, key)
);

-- Who stands in the chains of each full block of 1024 sequences (block = sequence / 1024), so that a search for somebody
-- who is seldom there looks into the blocks that hold them and no others. Appending does not pay for it: blocks are
-- noted by searches and sealing. An index over the principals cost each append 6 to 25 %.
create table audit.principal_block (
  tenant_id uuid not null,
  block bigint not null,
  principals text[] not null,
  primary key (tenant_id, block)
);

-- Days that are sealed, the keys they are signed with, and what restored backups left behind. The manifest of a day is
-- rebuilt from its row and from the row of the day before (docs/guides/audit-archive.md).
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

-- Whose the archive is (docs/guides/audit-archive.md): it stays with the data, wherever a backup of it is restored.
create table audit.installation (
  id uuid primary key default gen_random_uuid(),
  only_one boolean not null unique default true check (only_one)
);
insert into audit.installation default values;

-- Hourly checkpoints: what was written to the archive, a row an hour in which anything changed.
create table audit.hour (
  number int primary key check (number > 0),
  taken_at timestamptz not null,
  note_sha256 bytea not null check (octet_length(note_sha256) = 32),
  key_id text collate "C" not null
);

-- What is to be written next: decided once, so that every process writes the same bytes and whoever follows a kill too.
create table audit.hour_draft (
  number int primary key check (number > 0),
  taken_at timestamptz not null,
  body text collate "C" not null
);

-- How far each chain was told.
create table audit.hour_head (
  tenant_id uuid primary key,
  sequence bigint not null check (sequence >= 0)
) with (fillfactor = 50);

-- Personal data of a subject is sealed with the subject's own key, which is wrapped with a master key outside the
-- database. An erased key stays as a row without what it wrapped. At most one key of a subject lives.
create table audit.subject_key (
  tenant_id uuid not null,
  key_id uuid not null,
  subject text collate "C" not null check (subject <> ''),
  -- Which master key wraps it.
  master text collate "C",
  wrapped bytea,
  created_at timestamptz not null default clock_timestamp(),
  erased_at timestamptz,
  primary key (tenant_id, key_id),
  check (case when erased_at is null then num_nulls(master, wrapped) = 0 else num_nonnulls(master, wrapped) = 0 end)
);
create unique index subject_key_alive on audit.subject_key (tenant_id, subject) where erased_at is null;
create index subject_key_master on audit.subject_key (master) where master is not null;

-- While a hold stands, nothing of the tenant may be erased or expire.
create table audit.legal_hold (
  tenant_id uuid not null,
  hold_id uuid not null,
  reason text not null,
  placed_by text not null,
  placed_at timestamptz not null default clock_timestamp(),
  released_by text,
  released_at timestamptz,
  primary key (tenant_id, hold_id),
  check (num_nulls(released_by, released_at) in (0, 2))
);
create unique index legal_hold_standing on audit.legal_hold (tenant_id) where released_at is null;

-- The archived rows of days up to this one were removed because their time was over. The rows here stay.
create table audit.expiry (
  tenant_id uuid primary key,
  through date not null
);

do $$
declare
  relation text;
begin
  foreach relation in array array['head', 'event', 'idempotency', 'principal_block', 'sealed_day', 'restored_chain', 'incarnation',
    'platform_day', 'signing_key', 'verification', 'installation', 'hour', 'hour_draft', 'hour_head', 'subject_key', 'legal_hold',
    'expiry'] loop
    execute format('alter table audit.%I enable row level security', relation);
    execute format('alter table audit.%I force row level security', relation);
    -- Verification sees everything but what is sealed with a key, and what was promised to tenants as well as what the chain tells of it.
    execute format('create policy verifier on audit.%I for select to {{job:audit_verifier}} using (true)', relation);
    if relation <> 'subject_key' then
      execute format('grant select on audit.%I to {{job:audit_verifier}}', relation);
    end if;
  end loop;

  -- What a tenant sees of itself.
  foreach relation in array array['head', 'event', 'idempotency', 'principal_block', 'sealed_day', 'restored_chain', 'subject_key',
    'legal_hold', 'expiry'] loop
    execute format($policy$create policy tenant on audit.%I for select to {{app}}
      using (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid)$policy$, relation);
    if relation <> 'idempotency' then
      execute format('grant select on audit.%I to {{app}}', relation);
    end if;
  end loop;
  -- What everybody sees of the platform.
  foreach relation in array array['incarnation', 'platform_day', 'signing_key', 'verification'] loop
    execute format('create policy platform on audit.%I for select to {{app}} using (true)', relation);
    execute format('grant select on audit.%I to {{app}}', relation);
  end loop;

  -- The application writes nothing itself: functions do, each as a role that owns nothing else and has policies on these tables only.
  foreach relation in array array['head', 'event', 'idempotency', 'principal_block'] loop
    execute format('create policy appender on audit.%I to {{job:audit_appender}} using (true) with check (true)', relation);
    execute format('grant select, insert on audit.%I to {{job:audit_appender}}', relation);
  end loop;
  foreach relation in array array['sealed_day', 'restored_chain', 'incarnation', 'platform_day', 'signing_key', 'verification',
    'installation', 'hour', 'hour_draft', 'hour_head'] loop
    execute format('create policy sealer on audit.%I to {{job:audit_sealer}} using (true) with check (true)', relation);
    execute format('grant select, insert on audit.%I to {{job:audit_sealer}}', relation);
  end loop;
  foreach relation in array array['subject_key', 'legal_hold', 'expiry'] loop
    execute format('create policy personal on audit.%I to {{job:audit_personal}} using (true) with check (true)', relation);
    execute format('grant select, insert, update on audit.%I to {{job:audit_personal}}', relation);
  end loop;
end
$$;
grant update on audit.head to {{job:audit_appender}};

-- The sealer moves its mark, and its grant lets it move nothing else.
create policy sealer on audit.head to {{job:audit_sealer}} using (true) with check (true);
grant select, update (sealed_through) on audit.head to {{job:audit_sealer}};
create policy sealer on audit.event for select to {{job:audit_sealer}} using (true);
grant select on audit.event to {{job:audit_sealer}};
grant update, delete on audit.hour_draft, audit.hour_head to {{job:audit_sealer}};

-- That the log was verified is said by whoever verifies, and when is said by the database: the application's login could say either.
create policy reporter on audit.verification for insert to {{job:audit_verifier}} with check (true);
revoke insert on audit.verification from {{job:audit_sealer}};
grant insert (kind, ok, detail) on audit.verification to {{job:audit_verifier}};

-- Of a key, whoever appends or verifies sees whether it lives, never what is wrapped.
create policy appender on audit.subject_key for select to {{job:audit_appender}} using (true);
grant select (tenant_id, key_id, erased_at) on audit.subject_key to {{job:audit_appender}}, {{job:audit_verifier}};
