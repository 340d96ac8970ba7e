-- What is known of an address that a tenant has written to. By the SHA-256 of the address in lower case: who names it can ask about it,
-- and the table tells nobody's.
create table mail.address (
  tenant_id uuid not null,
  address bytea not null check (octet_length(address) = 32),
  -- What events call it.
  address_id uuid not null,
  -- When it was last asked whether it wants letters, and when whoever reads it said so.
  asked_at timestamptz,
  confirmed_at timestamptz,
  -- By whoever reads it, who alone takes it back.
  unsubscribed_at timestamptz,
  -- The last letter that a mail server refused for good.
  refused_at timestamptz,
  reason text check (reason ~ '^[a-z0-9_]{1,40}$'),
  -- It was the address that was refused: nothing is sent there until a member wants it tried again.
  stopped_at timestamptz,
  primary key (tenant_id, address),
  unique (tenant_id, address_id),
  check ((refused_at is null) = (reason is null)),
  check (stopped_at is null or refused_at is not null)
);
alter table mail.address enable row level security;
alter table mail.address force row level security;
create policy tenant on mail.address to {{app}}
  using (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid)
  with check (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid);
grant select, insert, update on mail.address to {{app}};
create policy job on mail.address to {{job:mail}} using (true) with check (true);
grant select, update on mail.address to {{job:mail}};

-- Whom a letter is for, by the same digest; with the row, also once it was sent, so that one that comes back can be placed.
alter table mail.letter add column address bytea check (octet_length(address) = 32);

grant create on schema mail to {{job:mail}};

-- As before; but what waits for somebody who is not written to any more is given up instead, and says nothing from then on.
create or replace function mail.claim(after uuid, most int, lease interval) returns setof mail.letter
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off as $$
declare
  turn uuid := after;
  letter mail.letter;
  unwanted text;
begin
  for taken in 1..most loop
    select * into letter from mail.letter w
      where w.state = 'queued' and w.next_at <= statement_timestamp() and w.tenant_id > turn
      order by w.tenant_id, w.next_at limit 1 for update skip locked;
    if not found then
      select * into letter from mail.letter w
        where w.state = 'queued' and w.next_at <= statement_timestamp() and w.tenant_id <= turn
        order by w.tenant_id, w.next_at limit 1 for update skip locked;
    end if;
    exit when not found;
    turn := letter.tenant_id;
    select case when a.unsubscribed_at is not null then 'unsubscribed' else 'address_refused' end into unwanted from mail.address a
      where a.tenant_id = letter.tenant_id and a.address = letter.address
        and (a.unsubscribed_at is not null or a.stopped_at is not null);
    if found then
      update mail.letter w set state = 'dead', reason = unwanted, settled_at = clock_timestamp(),
          recipient = null, subject = null, text = null, html = null
        where w.tenant_id = letter.tenant_id and w.letter_id = letter.letter_id;
      continue;
    end if;
    update mail.letter w set attempts = w.attempts + 1, next_at = clock_timestamp() + lease
      where w.tenant_id = letter.tenant_id and w.letter_id = letter.letter_id returning * into letter;
    return next letter;
  end loop;
end $$;

-- As before; and an operator who mended why letters were refused has their addresses tried again.
create or replace function mail.requeue(of_tenant uuid, for_reason text) returns int
language sql volatile security definer set search_path = pg_catalog, pg_temp as $$
  with again as (
    update mail.letter w set state = 'queued', attempts = 0, queued_at = clock_timestamp(), next_at = clock_timestamp(),
      settled_at = null, reason = null
    where w.state = 'dead' and w.recipient is not null and w.subject is not null
      and (of_tenant is null or w.tenant_id = of_tenant) and (for_reason is null or w.reason = for_reason)
    returning w.tenant_id, w.address),
  freed as (
    update mail.address a set refused_at = null, reason = null, stopped_at = null
    from (select distinct tenant_id, address from again) g
    where a.tenant_id = g.tenant_id and a.address = g.address and a.refused_at is not null
    returning 1)
  select count(*)::int from again
$$;

-- The tenant and the address of a letter that came back, for an operator who has its Message-ID.
create function mail.letter_to(a_letter uuid) returns table (tenant_id uuid, address bytea)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select w.tenant_id, w.address from mail.letter w where w.letter_id = a_letter and w.address is not null
$$;
alter function mail.letter_to(uuid) owner to {{job:mail}};
revoke create on schema mail from {{job:mail}};
revoke all on function mail.letter_to(uuid) from public;
grant execute on function mail.letter_to(uuid) to {{app}};
create index letter_by_id on mail.letter (letter_id);
