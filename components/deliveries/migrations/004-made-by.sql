-- Who made a webhook and through which client, and whom a secret was shown to; null of rows from before. One that was made through a client
-- that was shut out waits until a person restores it.
alter table deliveries.endpoint add column created_by text, add column created_by_type text, add column created_through text;
alter table deliveries.secret add column created_by text, add column created_by_type text, add column created_through text;
grant update (created_by, created_by_type, created_through) on deliveries.endpoint to {{app}};
alter table deliveries.endpoint drop constraint endpoint_reason_check,
  add constraint endpoint_reason_check check (reason in ('secret_missing', 'member', 'failing', 'gone', 'abandoned', 'client_shut_out'));
