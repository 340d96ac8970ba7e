-- What is due of each tenant is found by itself, and so is what a process has of one.
create index queue_of_tenant on deliveries.queue (tenant_id, due_at) where due_at < 'infinity';
create index queue_owned_of_tenant on deliveries.queue (owner, tenant_id) where owner is not null;
drop index deliveries.queue_owned;
drop function if exists deliveries.claim(uuid, interval, int);
