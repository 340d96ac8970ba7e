-- Counters of limits, shared by every process. Unlogged: a crash forgives, it does not lock anyone out.
create unlogged table platform.spending (
  bucket text primary key,
  count int not null,
  resets_at timestamptz not null
);
grant usage on schema platform to {{job:limits}};
grant select, insert, update, delete on platform.spending to {{job:limits}};

-- What the application's login alone may not write: the application, which holds a key that its login cannot read, marks its
-- transaction with a MAC of the transaction's number. A mark is good for one transaction, so that none can be used again.
create table platform.wall (
  -- The key as HMAC (RFC 2104) uses it: 64 bytes, once for either hash.
  inner_pad bytea not null check (length(inner_pad) = 64),
  outer_pad bytea not null check (length(outer_pad) = 64),
  only_one boolean primary key default true check (only_one)
);
alter table platform.wall enable row level security;
alter table platform.wall force row level security;
create policy job on platform.wall to {{job:wall}} using (true) with check (true);
grant usage on schema platform to {{job:wall}};
grant select, insert on platform.wall to {{job:wall}};
