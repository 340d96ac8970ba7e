-- A check of a table is compiled by every statement that writes, and a delivery is written three times: what is said of one column is said by its
-- type, which a session compiles once, and what is said of several stands in one check.
create domain callbacks.named as text check (length(value) between 1 and 200);
create domain callbacks.digest as bytea check (octet_length(value) = 32);
create domain callbacks.words as text check (length(value) <= 1000);
create domain callbacks.outcomes as jsonb check (jsonb_typeof(value) = 'array' and octet_length(value::text) <= 16384);

do $$
declare
  one record;
begin
  for one in select conname from pg_constraint where conrelid = 'callbacks.delivery'::regclass and contype = 'c' loop
    execute format('alter table callbacks.delivery drop constraint %I', one.conname);
  end loop;
end
$$;
alter table callbacks.delivery
  alter provider_delivery_id type callbacks.named,
  alter event_id type callbacks.named,
  alter topic type callbacks.named,
  alter resource type callbacks.named,
  alter body_sha256 type callbacks.digest,
  alter seal type callbacks.digest,
  alter last_error type callbacks.words,
  alter became type callbacks.outcomes,
  add constraint delivery_state check (
    status in ('waiting', 'held', 'applied', 'ignored', 'dead', 'rejected', 'conflicting', 'unclaimed')
    and (status = 'waiting') = (next_at is not null)
    and (status in ('waiting', 'held')) = (settled_at is null));

-- They take several at once, and answer what a worker needs.
drop function if exists callbacks.claim(uuid, uuid, text, text, uuid, text, text, text, text, boolean, text, timestamptz, int, bytea, bytea, jsonb, bytea[], bytea, text);
drop function if exists callbacks.lease(uuid, int, interval);
-- One of several deliveries that are taken at once, as JSON has it: digests in hex, and where its body is among the bodies.
create type callbacks.taking as (
  number int, tenant uuid, id uuid, receiver text, provider text, connection uuid, account text, delivery text, event text, topic text, live boolean,
  resource text, occurred timestamptz, item int, digest text, starts int, bytes int, headers jsonb, mentions json, seal text, status text);
