-- What a request had beside its body; null where nothing was sent.
alter table deliveries.attempt add column headers jsonb;
