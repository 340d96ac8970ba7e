-- A feed that pushed nothing already when the client that it was made through was shut out pushes nothing once it is restored either.
alter table acp.feed drop constraint feed_reason_check, drop constraint feed_check1,
  add constraint feed_reason_check check (reason in ('token_missing', 'member', 'refused', 'client_shut_out', 'shut_out_stopped')),
  add constraint feed_check1 check (token is not null or reason in ('token_missing', 'shut_out_stopped'));
