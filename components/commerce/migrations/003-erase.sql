alter table commerce.submission add column erased_at timestamptz;
alter table commerce.submission add constraint erased_says_nothing check (erased_at is null or data = '{}');

-- The application may not change submissions: the functions below take away what one says, in the transaction's tenant. Its ids stay.
-- CREATE is needed only while they change hands.
grant usage, create on schema commerce to {{job:commerce_erasure}};
grant select, update (data, erased_at) on commerce.submission to {{job:commerce_erasure}};

-- Of contacts; answers those that it erased.
create function commerce.erase_submissions_of(p_contacts uuid[])
returns table (submission_id uuid, form_id uuid, form_version int)
language sql volatile security definer set search_path = pg_catalog, pg_temp
set enable_seqscan = off as $$
  update commerce.submission s set data = '{}', erased_at = clock_timestamp()
  where s.tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid and s.contact_id = any (p_contacts)
    and s.erased_at is null
  returning s.submission_id, s.form_id, s.form_version
$$;

-- One; no row where there is none. `fresh`: it was not erased before.
create function commerce.erase_submission(p_submission uuid)
returns table (submission_id uuid, form_id uuid, form_version int, erased_at timestamptz, fresh boolean)
language sql volatile security definer set search_path = pg_catalog, pg_temp
set enable_seqscan = off as $$
  with held as (
    select s.submission_id, s.erased_at is null as fresh from commerce.submission s
    where s.tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid and s.submission_id = p_submission for update)
  update commerce.submission s set data = '{}', erased_at = coalesce(s.erased_at, clock_timestamp())
  from held
  where s.tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid and s.submission_id = held.submission_id
  returning s.submission_id, s.form_id, s.form_version, s.erased_at, held.fresh
$$;

do $$
declare signature text;
begin
  foreach signature in array array['erase_submissions_of(uuid[])', 'erase_submission(uuid)'] loop
    execute 'alter function commerce.' || signature || ' owner to {{job:commerce_erasure}}';
    execute 'revoke all on function commerce.' || signature || ' from public';
    execute 'grant execute on function commerce.' || signature || ' to {{app}}';
  end loop;
end $$;
revoke create on schema commerce from {{job:commerce_erasure}};
