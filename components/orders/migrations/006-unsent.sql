-- What was paid back before it left is not sent any more: an order of which the rest has left is fulfilled.
alter table orders.sales_order add column units_unsent bigint not null default 0 check (units_unsent >= 0);
alter table orders.sales_order drop column fulfilment_status, drop column status;
alter table orders.sales_order
  add column fulfilment_status text not null generated always as (case
    when units_returned >= units then 'returned'
    when units_returned > 0 then 'partially_returned'
    when units_fulfilled > 0 and units_fulfilled + units_unsent >= units then 'fulfilled'
    when units_fulfilled > 0 then 'partially_fulfilled'
    else 'unfulfilled' end) stored,
  -- Closed: nothing is left to send or to be paid.
  add column status text not null generated always as (case
    when cancelled_at is not null then 'cancelled'
    when units_fulfilled + units_unsent >= units and captured - balance_refunded >= total then 'closed'
    else 'open' end) stored;
create index order_by_status on orders.sales_order (tenant_id, mode, status, order_id);
create index order_by_fulfilment on orders.sales_order (tenant_id, mode, fulfilment_status, order_id);
grant update (units_unsent) on orders.sales_order to {{app}};
