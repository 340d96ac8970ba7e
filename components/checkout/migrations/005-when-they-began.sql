-- When a checkout began, which may be in a past that is told only now (ADR 32).
alter table checkout.session alter column created_at
  set default coalesce(nullif(current_setting('app.happened_at', true), '')::timestamptz, clock_timestamp());
