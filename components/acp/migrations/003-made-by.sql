-- Who set a feed up and through which client; null of rows from before. One that was made through a client that was shut out waits until a
-- person restores it.
alter table acp.feed add column created_by text, add column created_by_type text, add column created_through text;
grant update (created_by, created_by_type, created_through) on acp.feed to {{app}};
alter table acp.feed drop constraint feed_reason_check,
  add constraint feed_reason_check check (reason in ('token_missing', 'member', 'refused', 'client_shut_out'));
