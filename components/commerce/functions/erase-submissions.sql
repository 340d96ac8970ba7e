-- Takes away what submissions of these contacts say, in the transaction's tenant; answers those that it erased. Ids stay.
create or replace function commerce.erase_submissions_of(p_contacts uuid[])
returns table (submission_id uuid, form_id uuid, form_version int)
language sql volatile security definer set search_path = pg_catalog, pg_temp
set enable_seqscan = off as $$
  update commerce.submission s set data = '{}', erased_at = clock_timestamp()
  where s.tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid and s.contact_id = any (p_contacts)
    and s.erased_at is null
  returning s.submission_id, s.form_id, s.form_version
$$;
alter function commerce.erase_submissions_of(uuid[]) owner to {{job:commerce_erasure}};
revoke execute on function commerce.erase_submissions_of(uuid[]) from public;
grant execute on function commerce.erase_submissions_of(uuid[]) to {{app}};

-- One; no row where there is none. `fresh`: it was not erased before.
create or replace function commerce.erase_submission(p_submission uuid)
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
alter function commerce.erase_submission(uuid) owner to {{job:commerce_erasure}};
revoke execute on function commerce.erase_submission(uuid) from public;
grant execute on function commerce.erase_submission(uuid) to {{app}};

-- What test keys sent and still says something, the first ones first.
create or replace function commerce.erase_test_submissions(p_before uuid, p_most int)
returns table (submission_id uuid, form_id uuid, form_version int)
language sql volatile security definer set search_path = pg_catalog, pg_temp
set enable_seqscan = off as $$
  update commerce.submission s set data = '{}', erased_at = clock_timestamp()
  where s.tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid and s.submission_id in (
    select t.submission_id from commerce.submission t
    where t.tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid and t.mode = 'test' and t.erased_at is null
      and t.submission_id < p_before
    order by t.submission_id limit p_most for update)
  returning s.submission_id, s.form_id, s.form_version
$$;
alter function commerce.erase_test_submissions(uuid, int) owner to {{job:commerce_erasure}};
revoke execute on function commerce.erase_test_submissions(uuid, int) from public;
grant execute on function commerce.erase_test_submissions(uuid, int) to {{app}};
