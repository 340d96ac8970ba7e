-- What a decision binds, as one digest; the application computes the same.
create or replace function approvals.preview_hash(tool text, arguments text, effect_digest text, versions text, policy_version text, needed int)
returns text language sql immutable set search_path = pg_catalog, pg_temp as $$
  select translate(encode(sha256(convert_to('["preview/v1",' || to_json(tool) || ',' || to_json(arguments) || ',' || to_json(effect_digest)
    || ',' || to_json(versions) || ',' || to_json(policy_version) || ',' || needed || ']', 'UTF8')), 'base64'), '+/=', '-_')
$$;
revoke execute on function approvals.preview_hash(text, text, text, text, text, int) from public;
grant execute on function approvals.preview_hash(text, text, text, text, text, int) to {{app}}, {{job:approvals}};

-- Whether a time is of now; a minute of doubt, for clocks that are set.
create or replace function approvals.is_now(at timestamptz) returns boolean
language sql stable set search_path = pg_catalog, pg_temp as $$ select abs(extract(epoch from at - clock_timestamp())) <= 60 $$;
revoke execute on function approvals.is_now(timestamptz) from public;
grant execute on function approvals.is_now(timestamptz) to {{app}}, {{job:approvals}};

-- What an action may become is the database's to say as well: the application's login takes no step that the product does not take, and a
-- settled action stays as it is. Who voted is the application's word; that enough have, about what was shown, follows from the rows.
create or replace function approvals.guard_action() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  v_kept approvals.action;
begin
  if tg_op = 'INSERT' then
    if new.state not in ('pending', 'approved', 'executed') or new.attempts <> 0
      or not approvals.is_now(new.requested_at)
      or new.expires_at not between new.requested_at and new.requested_at + interval '720 hours 1 minute' then
      raise exception 'an action begins now, open or done under a rule, for up to 720 hours' using errcode = '42501';
    end if;
    if new.state <> 'pending' and (new.approvals_needed <> 1 or not exists (
      select from approvals.standing_rule r
      where r.tenant_id = new.tenant_id and r.rule_id = new.rule_id and r.tool = new.tool and r.revoked_at is null
        and r.valid_until > now() and (r.agent_id is null or r.agent_id = new.agent_id)
        and r.currency is not distinct from new.currency and (r.most is null or r.most >= new.amount))) then
      raise exception 'what nobody decides about has a standing rule that covers it' using errcode = '42501';
    end if;
  else
    if old.state not in ('pending', 'approved') then
      -- A client that was sent to the page may come back after the decision, once.
      v_kept := new;
      v_kept.nonce := old.nonce;
      if v_kept is distinct from old or (new.nonce is not null and new.nonce is distinct from old.nonce) then
        raise exception 'a settled action stays as it is' using errcode = '42501';
      end if;
      return new;
    end if;
    -- A process that works on it says so, counts, and stores what happened last.
    v_kept := new;
    v_kept.lease_until := old.lease_until;
    v_kept.attempts := old.attempts;
    v_kept.last_event_id := old.last_event_id;
    v_kept.nonce := old.nonce;
    if (new.nonce is not null and new.nonce is distinct from old.nonce) or new.attempts < old.attempts
      or (new.rule_id is not null and new.rule_id is distinct from old.rule_id) then
      raise exception 'nonce and rule of an action are its first, and attempts are counted' using errcode = '42501';
    end if;
    if v_kept is not distinct from old then
      return new;
    end if;
    if new.state <> 'pending'
      and (new.arguments, new.summary, new.preview, new.effect_digest, new.versions, new.policy_version, new.preview_hash,
        new.approvals_needed, new.reasons, new.currency, new.amount, new.payee)
      is distinct from (old.arguments, old.summary, old.preview, old.effect_digest, old.versions, old.policy_version, old.preview_hash,
        old.approvals_needed, old.reasons, old.currency, old.amount, old.payee) then
      raise exception 'what people approve is what they were shown' using errcode = '42501';
    end if;
    if new.state <> old.state and not (case new.state
      when 'approved' then old.expires_at > now() and new.rule_id is null and (
        select count(*) >= new.approvals_needed or (count(*) > 0 and exists (
          select from approvals.policy p
          where p.tenant_id = new.tenant_id and p.document::json ->> 'soleApprover' = 'true'))
        from approvals.vote v
        where v.tenant_id = new.tenant_id and v.action_id = new.action_id and v.preview_hash = new.preview_hash)
      when 'pending' then true
      when 'rejected' then old.state = 'pending'
      when 'withdrawn' then old.state = 'pending'
      when 'executed' then old.state = 'approved' and old.expires_at > now()
      when 'failed' then old.state = 'approved'
      when 'expired' then old.expires_at <= clock_timestamp()
      else false
    end) then
      raise exception 'an action does not go from % to % as things are', old.state, new.state using errcode = '42501';
    end if;
    if new.state = old.state and new.decided_at is distinct from old.decided_at then
      raise exception 'an action is decided when its state says so' using errcode = '42501';
    end if;
  end if;
  if not (case new.state
    when 'pending' then new.rule_id is null and num_nonnulls(new.decided_at, new.settled_at, new.decided_by, new.reason, new.error_code, new.result) = 0
    when 'approved' then new.decided_at is not null and num_nonnulls(new.settled_at, new.decided_by, new.reason, new.error_code, new.result) = 0
    when 'executed' then num_nulls(new.decided_at, new.settled_at, new.result) = 0 and num_nonnulls(new.decided_by, new.reason, new.error_code) = 0
    when 'failed' then num_nulls(new.decided_at, new.settled_at, new.error_code) = 0 and num_nonnulls(new.decided_by, new.result) = 0
    when 'rejected' then num_nulls(new.decided_at, new.settled_at, new.decided_by, new.reason) = 0 and num_nonnulls(new.error_code, new.result) = 0
    when 'withdrawn' then num_nulls(new.decided_at, new.settled_at, new.decided_by) = 0 and num_nonnulls(new.reason, new.error_code, new.result) = 0
    else new.settled_at is not null and num_nonnulls(new.decided_by, new.reason, new.error_code, new.result) = 0
  end) or not coalesce(approvals.is_now(new.settled_at), true)
    or (new.decided_at is not null and (tg_op = 'INSERT' or new.decided_at is distinct from old.decided_at) and not approvals.is_now(new.decided_at)) then
    raise exception 'an action says no more and no less than its state does' using errcode = '42501';
  end if;
  if new.preview_hash <>
    approvals.preview_hash(new.tool, new.arguments, new.effect_digest, new.versions, new.policy_version, new.approvals_needed) then
    raise exception 'the hash of an action is of what it binds' using errcode = '42501';
  end if;
  return new;
end
$$;
revoke execute on function approvals.guard_action() from public;

create or replace trigger steps before update on approvals.action
  for each row when ('"' || current_user || '"' <> '{{job:approvals_erasure}}') execute function approvals.guard_action();
create or replace trigger steps_inserted before insert on approvals.action
  for each row execute function approvals.guard_action();
