-- What the shop at a marketplace where it was placed calls an order, as people read it there. Orders that came before are without.
alter table orders.sales_order add column external_name text check (length(external_name) between 1 and 100);
alter table orders.sales_order add constraint named_elsewhere check (external_name is null or channel_id is not null);
create index order_by_external_name on orders.sales_order (tenant_id, external_name, order_id) where external_name is not null;
