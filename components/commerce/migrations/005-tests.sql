-- What test keys sent and still says something, in the order it came.
create index submission_tests on commerce.submission (tenant_id, submission_id) where mode = 'test' and erased_at is null;

-- Takes away what they say, the first ones first, in the transaction's tenant. CREATE is needed only while it changes hands.
grant usage, create on schema commerce to {{job:commerce_erasure}};
create function commerce.erase_test_submissions(p_before uuid, p_most int)
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
revoke create on schema commerce from {{job:commerce_erasure}};
revoke all on function commerce.erase_test_submissions(uuid, int) from public;
grant execute on function commerce.erase_test_submissions(uuid, int) to {{app}};
