create schema approvals;
grant usage on schema approvals to {{app}};
-- CREATE is needed only while the functions below change hands.
grant usage, create on schema approvals to {{job:approvals}};

-- What somebody asked for and people decide. JSON that is hashed or shown again is kept as text.
create table approvals.action (
  tenant_id uuid not null,
  action_id uuid not null,
  tool text not null,
  tier text not null,
  -- Canonical JSON of the checked arguments, and as they were first asked.
  arguments text not null,
  asked_digest text not null,
  -- Who asked: the chain as JSON, whose membership counts, and a digest of both principals.
  chain text not null,
  subject_type text not null,
  subject_id text not null,
  agent_id text,
  requester text not null,
  idempotency_key text,
  -- What people see and what their decision binds.
  summary text not null,
  preview text not null,
  effect_digest text not null,
  versions text not null,
  policy_version text not null,
  preview_hash text not null,
  approvals_needed int not null check (approvals_needed between 1 and 2),
  reasons text[] not null,
  -- Minor units.
  currency text,
  amount bigint check (amount >= 0),
  payee text,
  state text not null check (state in ('pending', 'approved', 'executed', 'failed', 'rejected', 'withdrawn', 'expired')),
  rule_id uuid,
  -- Who rejected it, or withdrew it.
  decided_by text,
  reason text,
  error_code text,
  result text,
  correlation_id text not null,
  last_event_id text not null,
  -- The one continuation of a client that was sent to the approval page.
  nonce text,
  attempts int not null default 0,
  lease_until timestamptz,
  requested_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  decided_at timestamptz,
  settled_at timestamptz,
  primary key (tenant_id, action_id),
  unique (tenant_id, requester, tool, idempotency_key)
);
create index action_of_tool on approvals.action (tenant_id, tool, requested_at);
create index action_decided on approvals.action (tenant_id, tool, decided_at) where amount is not null;
create index action_payee on approvals.action (tenant_id, payee) where state = 'executed';
create index action_pending on approvals.action (tenant_id, action_id) where state = 'pending';
create index action_by_rule on approvals.action (tenant_id, rule_id, requested_at) where rule_id is not null;
create index action_to_execute on approvals.action (lease_until) where state = 'approved';
create index action_to_expire on approvals.action (expires_at) where state = 'pending';

-- One person's approval of exactly one preview. With another preview it no longer counts.
create table approvals.vote (
  tenant_id uuid not null,
  action_id uuid not null,
  preview_hash text not null,
  approver_id text not null,
  voted_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, action_id, preview_hash, approver_id),
  foreign key (tenant_id, action_id) references approvals.action
);

create table approvals.edit (
  tenant_id uuid not null,
  action_id uuid not null,
  number int not null,
  editor_id text not null,
  -- JSON: what changed, by pointer, with before and after.
  difference text not null,
  edited_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, action_id, number),
  foreign key (tenant_id, action_id) references approvals.action
);

create table approvals.policy (
  tenant_id uuid primary key,
  version int not null,
  document text not null,
  changed_at timestamptz not null default clock_timestamp()
);

create table approvals.standing_rule (
  tenant_id uuid not null,
  rule_id uuid not null,
  tool text not null,
  agent_id text,
  -- Minor units. Of one action, and of all that the rule approves on one UTC day.
  currency text,
  most bigint check (most >= 0),
  daily_most bigint check (daily_most >= 0),
  valid_until timestamptz not null,
  created_by text not null,
  created_at timestamptz not null default clock_timestamp(),
  revoked_by text,
  revoked_at timestamptz,
  primary key (tenant_id, rule_id)
);
create index standing_rule_of_tool on approvals.standing_rule (tenant_id, tool) where revoked_at is null;

-- Mail that is owed to approvers. A dead mail server leaves rows here and changes nothing else.
create table approvals.notice (
  tenant_id uuid not null,
  action_id uuid not null,
  recipient_id text not null,
  attempts int not null default 0,
  next_at timestamptz not null default clock_timestamp(),
  sent_at timestamptz,
  given_up_at timestamptz,
  primary key (tenant_id, action_id, recipient_id),
  foreign key (tenant_id, action_id) references approvals.action
);
create index notice_due on approvals.notice (next_at) where sent_at is null and given_up_at is null;

do $$
declare name text;
begin
  foreach name in array array['action', 'vote', 'edit', 'policy', 'standing_rule', 'notice'] loop
    execute format('alter table approvals.%I enable row level security', name);
    execute format('alter table approvals.%I force row level security', name);
    execute format($policy$create policy tenant on approvals.%I to {{app}}
      using (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid)
      with check (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid)$policy$, name);
    execute format('grant select, insert on approvals.%I to {{app}}', name);
  end loop;
end $$;
-- What was asked, by whom and when is never rewritten.
grant update (arguments, summary, preview, effect_digest, versions, policy_version, preview_hash, approvals_needed, reasons,
  currency, amount, payee, state, rule_id, decided_by, reason, error_code, result, last_event_id, nonce, attempts, lease_until, decided_at,
  settled_at) on approvals.action to {{app}};
grant update (version, document, changed_at) on approvals.policy to {{app}};
grant update (revoked_by, revoked_at) on approvals.standing_rule to {{app}};
grant update (attempts, next_at, sent_at, given_up_at) on approvals.notice to {{app}};

-- As readers are shown it, with the approvals that count for the present preview.
create view approvals.shown with (security_invoker = true) as
  select a.*, a.expires_at <= clock_timestamp() as past,
    (select coalesce(json_agg(json_build_object('approver', v.approver_id,
        'at', to_char(v.voted_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by v.voted_at), '[]')
      from approvals.vote v where v.tenant_id = a.tenant_id and v.action_id = a.action_id and v.preview_hash = a.preview_hash) as votes,
    (select coalesce(json_agg(json_build_object('editor', e.editor_id, 'changed', e.difference::json,
        'at', to_char(e.edited_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by e.number), '[]')
      from approvals.edit e where e.tenant_id = a.tenant_id and e.action_id = a.action_id) as edits
  from approvals.action a;
grant select on approvals.shown to {{app}};

create policy job on approvals.action to {{job:approvals}} using (true) with check (true);
create policy job on approvals.notice to {{job:approvals}} using (true) with check (true);
grant select, update (lease_until) on approvals.action to {{job:approvals}};
grant select, update (attempts, next_at) on approvals.notice to {{job:approvals}};

-- Leases actions that nobody is working on: approved and not carried out, or past their time. A lease only saves work
-- from being done twice; that it counts once is decided by the lock on the action itself.
create function approvals.claim_actions(lease interval, most int) returns table (tenant_id uuid, action_id uuid)
language sql volatile security definer set search_path = pg_catalog, pg_temp as $$
  update approvals.action a set lease_until = clock_timestamp() + lease
  from (
    select * from (
      select w.tenant_id, w.action_id from approvals.action w
      where w.state = 'approved' and w.lease_until < clock_timestamp()
      order by w.lease_until limit most for update skip locked) approved
    union all
    select * from (
      select w.tenant_id, w.action_id from approvals.action w
      where w.state = 'pending' and w.expires_at <= clock_timestamp()
        and (w.lease_until is null or w.lease_until < clock_timestamp())
      order by w.expires_at limit most for update skip locked) past) due
  where a.tenant_id = due.tenant_id and a.action_id = due.action_id
  returning a.tenant_id, a.action_id
$$;

-- Leases mail that is due; each lease counts as an attempt.
create function approvals.claim_notices(lease interval, most int)
returns table (tenant_id uuid, action_id uuid, recipient_id text, attempts int)
language sql volatile security definer set search_path = pg_catalog, pg_temp as $$
  update approvals.notice n set attempts = n.attempts + 1, next_at = clock_timestamp() + lease
  from (
    select w.tenant_id, w.action_id, w.recipient_id from approvals.notice w
    where w.sent_at is null and w.given_up_at is null and w.next_at <= clock_timestamp()
    order by w.next_at limit most for update skip locked) due
  where n.tenant_id = due.tenant_id and n.action_id = due.action_id and n.recipient_id = due.recipient_id
  returning n.tenant_id, n.action_id, n.recipient_id, n.attempts
$$;

alter function approvals.claim_actions(interval, int) owner to {{job:approvals}};
alter function approvals.claim_notices(interval, int) owner to {{job:approvals}};
revoke create on schema approvals from {{job:approvals}};
revoke execute on all functions in schema approvals from public;
grant execute on all functions in schema approvals to {{app}};
