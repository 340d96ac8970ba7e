-- A payment by other means that began when a member recorded money of it: nothing else of its order awaited any.
alter table orders.payment add column recorded boolean not null default false;
alter table orders.payment add constraint recorded_for_order check (not recorded or order_id is not null and edit_id is null);
drop index orders.payment_once;
create unique index payment_once on orders.payment (tenant_id, checkout_id)
  where state not in ('declined', 'voided') and edit_id is null and not recorded;
grant select (recorded) on orders.payment to {{job:audit_verifier}};
