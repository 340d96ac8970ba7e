-- Until when money that is to arrive by other means is waited for, and an order of which nothing came or left is kept.
alter table orders.payment
  -- The last day; null: for as long as it takes.
  add column pay_by date,
  -- When a job looks at it.
  add column look_at timestamptz;
create index payment_overdue on orders.payment (look_at) where state = 'awaiting' and look_at is not null;
grant update (look_at) on orders.payment to {{app}};
grant select (pay_by) on orders.payment to {{job:audit_verifier}};
create policy job on orders.payment for select to {{job:payment_requests}} using (true);
grant select (tenant_id, payment_id, order_id, state, look_at) on orders.payment to {{job:payment_requests}};
