-- p_previous: the key that is current, null for the first. Answers false where another one is.
create or replace function audit.register_key(p_previous text, p_key_id text, p_verifier_key text, p_note text) returns boolean
language plpgsql security definer set search_path = audit, pg_temp as $$
declare
  v_number int;
  v_current text;
begin
  perform pg_advisory_xact_lock(hashtext('audit.signing_key'));
  select k.number, k.key_id into v_number, v_current from audit.signing_key k order by k.number desc limit 1;
  if v_current is distinct from p_previous then
    return false;
  end if;
  insert into audit.signing_key (number, key_id, verifier_key, note)
  values (coalesce(v_number, 0) + 1, p_key_id, p_verifier_key, p_note);
  return true;
end
$$;
alter function audit.register_key(text, text, text, text) owner to {{job:audit_sealer}};
revoke execute on function audit.register_key(text, text, text, text) from public;
grant execute on function audit.register_key(text, text, text, text) to {{app}};
