-- What is taken back of an order while some of it is still to pay lowers that, and no money moves for it.
alter table orders.refund
  -- What of lines, shipping and adjustment was still to be paid; the total is the money that was given back.
  add column credited bigint not null default 0 check (credited >= 0),
  drop constraint refund_total_check,
  add constraint refund_total_check check (total >= 0 and total + credited > 0);
grant select (credited) on orders.refund to {{job:audit_verifier}};

alter table orders.sales_order
  -- The sum of that.
  add column credited bigint not null default 0 check (credited >= 0),
  drop column payment_status, drop column status;
alter table orders.sales_order
  add column payment_status text not null generated always as (case
    when refunded > 0 and refunded >= captured then 'refunded'
    when refunded > balance_refunded then 'partially_refunded'
    when captured = 0 and (cancelled_at is not null or (credited > 0 and credited >= total)) then 'voided'
    when captured - balance_refunded >= total - credited then 'paid'
    when captured > 0 then 'partially_paid'
    when authorized > 0 then 'authorized'
    else 'pending' end) stored,
  -- Closed: nothing is left to send or to be paid.
  add column status text not null generated always as (case
    when cancelled_at is not null then 'cancelled'
    when units_fulfilled + units_unsent >= units and captured - balance_refunded >= total - credited then 'closed'
    else 'open' end) stored;
create index order_by_status on orders.sales_order (tenant_id, mode, status, order_id);
create index order_by_payment on orders.sales_order (tenant_id, mode, payment_status, order_id);
grant update (credited) on orders.sales_order to {{app}};
