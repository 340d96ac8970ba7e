-- A webhook that sent nothing already when the client that it was made through was shut out sends nothing once it is restored either.
alter table deliveries.endpoint drop constraint endpoint_reason_check,
  add constraint endpoint_reason_check check (reason in ('secret_missing', 'member', 'failing', 'gone', 'abandoned', 'client_shut_out', 'shut_out_stopped'));
