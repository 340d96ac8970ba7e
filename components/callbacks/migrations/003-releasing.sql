-- Of a connection that was resumed: `infinity` until all that was held of it is let go of, and what comes meanwhile is held behind that; then for some
-- seconds more, in which a process may still hold something, since it has not heard of it.
alter table callbacks.connection add column release_until timestamptz;
create index connection_releasing on callbacks.connection (connection_id) where release_until is not null;
create index delivery_held on callbacks.delivery
  (tenant_id, connection_id, (coalesce(occurred_at, received_at)), received_at, delivery_id) where status = 'held';
grant update (release_until) on callbacks.connection to {{app}}, {{job:callbacks}};
