create schema commerce;
grant usage on schema commerce to {{app}}, {{job:intake}}, {{job:commerce_erasure}};

-- What was submitted, for ever as it came: the application may add rows and read them. The id is a UUIDv7 whose time is
-- the submission's, so ranges of time are ranges of ids. `data` is JSON text as it was sent; version, form and site name what
-- it was checked against.
create table commerce.submission (
  tenant_id uuid not null,
  submission_id uuid not null,
  form_id uuid not null,
  form_version int not null check (form_version > 0),
  site_id uuid not null,
  key_id uuid not null,
  mode text not null check (mode in ('live', 'test')),
  contact_id uuid,
  data text not null check (octet_length(data) <= 65536),
  erased_at timestamptz,
  -- One that was sent twice, as after an answer that got lost, is kept twice and told: what it says is compared by a digest, whose
  -- operators may be used below row-level security. Erasing takes the digest along.
  digest bigint not null generated always as (hashtextextended(data, 0)) stored,
  primary key (tenant_id, submission_id),
  constraint erased_says_nothing check (erased_at is null or data = '{}')
);
create index submission_form on commerce.submission (tenant_id, form_id, submission_id desc);
create index submission_contact on commerce.submission (tenant_id, contact_id, submission_id desc) where contact_id is not null;
create index submission_digest on commerce.submission (tenant_id, key_id, form_id, digest, submission_id) where erased_at is null;
-- What test keys sent and still says something, in the order it came.
create index submission_tests on commerce.submission (tenant_id, submission_id) where mode = 'test' and erased_at is null;

-- Why submissions were refused, for whoever builds the page: kinds of faults per form and minute with how often, never a
-- value that was sent, never an address.
create table commerce.refusal (
  tenant_id uuid not null,
  form_id uuid not null,
  refusal_id uuid not null,
  status int not null,
  code text not null,
  faults text not null check (octet_length(faults) <= 8192),
  times int not null check (times > 0),
  last_at timestamptz not null,
  primary key (tenant_id, form_id, refusal_id)
);

do $$
declare
  relation text;
begin
  foreach relation in array array['submission', 'refusal'] loop
    execute format('alter table commerce.%I enable row level security', relation);
    execute format('alter table commerce.%I force row level security', relation);
    execute format($policy$create policy tenant on commerce.%I
      using (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid)
      with check (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid)$policy$, relation);
  end loop;
end
$$;
grant select, insert on commerce.submission to {{app}};
grant select, insert, update, delete on commerce.refusal to {{app}};

-- Submissions of several tenants in a transaction that they share: no tenant is set in it, each row names its own.
create policy intake on commerce.submission for insert to {{job:intake}} with check (true);
grant insert on commerce.submission to {{job:intake}};

-- The application may not change submissions: functions of this role take away what one says, in the transaction's tenant. Its ids stay.
grant select, update (data, erased_at) on commerce.submission to {{job:commerce_erasure}};

-- For whoever verifies that submissions stand in the audit log: nothing of what they say.
grant usage on schema commerce to {{job:audit_verifier}};
create policy verifier on commerce.submission for select to {{job:audit_verifier}} using (true);
grant select (tenant_id, submission_id, form_id, form_version, site_id, key_id, mode, contact_id, erased_at)
  on commerce.submission to {{job:audit_verifier}};
