create schema approvals;
grant usage on schema approvals to {{app}}, {{job:approvals}}, {{job:approvals_erasure}}, {{job:approvals_outflow}}, {{job:audit_verifier}};

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
  -- Through which client it was asked for, and why the platform withdrew it where no person did.
  client_id text,
  cause text constraint cause_of_withdrawal check (cause is null or (state = 'withdrawn'
    and cause in ('client_shut_out', 'grant_narrowed', 'grant_missing', 'member_removed'))),
  -- The things that it is about, as they are and would be, by name; what came out otherwise when it was shown anew; and when that was.
  facts text not null default '[]',
  drift text,
  shown_at timestamptz not null default clock_timestamp(),
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
  -- The database's login alone can write these rows and never what the application, which holds the key, counts: a vote, a policy or
  -- a rule without its seal decides nothing.
  seal text not null default '' check (length(seal) <= 64),
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
  changed_at timestamptz not null default clock_timestamp(),
  seal text not null default '' check (length(seal) <= 64)
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
  seal text not null default '' check (length(seal) <= 64),
  -- What its limit may come to in the base currency, by the rate that the books had when a person made it: whoever posts under the
  -- rule gives a rate of their own, and may set the stored one.
  base_currency text,
  base_most bigint check (base_most >= 0),
  primary key (tenant_id, rule_id),
  check (num_nulls(base_currency, base_most) <> 1)
);
create index standing_rule_of_tool on approvals.standing_rule (tenant_id, tool) where revoked_at is null;

-- How often somebody was erased: what was rehearsed before is not stored after.
create table approvals.erasure (
  tenant_id uuid primary key,
  times int not null
);

-- What left, or is asked to leave, by currency: sums of a day are taken over every tool and every other door. Of an action, what
-- it would take while it waits and what it took once it was carried out; its state says which counts.
create table approvals.outflow (
  tenant_id uuid not null,
  -- The action; an id of its own for what a person did at once.
  outflow_id uuid not null,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  tool text not null,
  taken bigint not null check (taken >= 0),
  owed bigint not null check (owed >= 0),
  -- When it was asked for or carried out, whatever day it is posted on.
  at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, outflow_id, currency)
);
create index outflow_of_day on approvals.outflow (tenant_id, at);

do $$
declare name text;
begin
  foreach name in array array['action', 'vote', 'edit', 'policy', 'standing_rule', 'erasure'] loop
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
  settled_at, cause, facts, drift, shown_at) on approvals.action to {{app}};
grant update (version, document, changed_at, seal) on approvals.policy to {{app}};
grant update (revoked_by, revoked_at) on approvals.standing_rule to {{app}};
grant update (times) on approvals.erasure to {{app}};

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

-- What waits for somebody to work on it is found across tenants.
create policy job on approvals.action to {{job:approvals}} using (true) with check (true);
grant select, update (lease_until) on approvals.action to {{job:approvals}};

-- A settled action stays as it is, but for what it says of a person who asks to be forgotten.
create policy erasing on approvals.action to {{job:approvals_erasure}}
  using (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid)
  with check (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid);
create policy erasing on approvals.edit to {{job:approvals_erasure}}
  using (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid)
  with check (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid);
grant select (tenant_id, action_id, state, reason), update (arguments, summary, preview, reason, result, payee, facts, drift)
  on approvals.action to {{job:approvals_erasure}};
grant select (tenant_id, action_id), update (difference) on approvals.edit to {{job:approvals_erasure}};

-- Sums of a day are kept by a function; the application reads them.
alter table approvals.outflow enable row level security;
alter table approvals.outflow force row level security;
create policy tenant on approvals.outflow
  using (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid)
  with check (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid);
grant select on approvals.outflow to {{app}};
grant select, insert, delete on approvals.outflow to {{job:approvals_outflow}};
create policy own on approvals.action to {{job:approvals_outflow}}
  using (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid);
grant select (tenant_id, action_id, state) on approvals.action to {{job:approvals_outflow}};

-- For whoever verifies that actions, votes, edits, policies and rules stand in the audit log, that what awaits people is what
-- was asked, and that what counts against limits is what entries took.
create policy verifier on approvals.action for select to {{job:audit_verifier}} using (true);
create policy verifier on approvals.vote for select to {{job:audit_verifier}} using (true);
create policy verifier on approvals.edit for select to {{job:audit_verifier}} using (true);
create policy verifier on approvals.policy for select to {{job:audit_verifier}} using (true);
create policy verifier on approvals.standing_rule for select to {{job:audit_verifier}} using (true);
create policy verifier on approvals.outflow for select to {{job:audit_verifier}} using (true);
grant select (tenant_id, action_id, tool, arguments, state, last_event_id, settled_at, error_code, decided_by, cause, preview_hash, asked_digest,
    expires_at, chain, subject_type, subject_id, agent_id, client_id, requester, correlation_id, requested_at, rule_id, decided_at,
    effect_digest, versions, policy_version, approvals_needed, summary, preview, result, payee)
  on approvals.action to {{job:audit_verifier}};
grant select (tenant_id, action_id, preview_hash, approver_id, voted_at) on approvals.vote to {{job:audit_verifier}};
grant select (tenant_id, action_id, number, editor_id, edited_at) on approvals.edit to {{job:audit_verifier}};
grant select (tenant_id, version, document, changed_at) on approvals.policy to {{job:audit_verifier}};
grant select (tenant_id, rule_id, tool, agent_id, currency, most, daily_most, valid_until, created_by, created_at, revoked_by, revoked_at)
  on approvals.standing_rule to {{job:audit_verifier}};
grant select on approvals.outflow to {{job:audit_verifier}};
