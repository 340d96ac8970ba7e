-- The last submission with the same values to the same form with the same key in the ten minutes before; ids contain their time.
create or replace function commerce.repeated_by(s commerce.submission) returns uuid
language sql stable set search_path = pg_catalog, pg_temp as $$
  select e.submission_id from commerce.submission e
  where e.tenant_id = s.tenant_id and e.key_id = s.key_id and e.form_id = s.form_id and e.digest = s.digest and e.data = s.data
    and e.erased_at is null and s.erased_at is null and e.submission_id < s.submission_id
    and e.submission_id >= (lpad(to_hex(greatest(0,
      ('x' || translate(left(s.submission_id::text, 13), '-', ''))::bit(48)::bigint - 600000)), 12, '0') || repeat('0', 20))::uuid
  order by e.submission_id desc limit 1
$$;
revoke execute on function commerce.repeated_by(commerce.submission) from public;
grant execute on function commerce.repeated_by(commerce.submission) to {{app}};
