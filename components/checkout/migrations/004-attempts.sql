-- Cards are tried out where nobody counts what is declined: what an agent has begun to pay by it and did not.
alter table checkout.session
  add column payment_attempts int not null default 0 check (payment_attempts >= 0),
  -- The last of them.
  add column payment_attempted_at timestamptz,
  -- The brand trusted the agent by then.
  add column payment_attempted_trusted boolean not null default false;
create index session_attempted on checkout.session (tenant_id, brand_id, payment_attempted_at) where payment_attempted_at is not null;
grant update (payment_attempts, payment_attempted_at, payment_attempted_trusted) on checkout.session to {{app}};
