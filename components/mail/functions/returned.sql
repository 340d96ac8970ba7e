-- Takes the Message-ID of a letter that came back. Answers whether it was sent and not reported before.
create or replace function mail.return_letter(a_letter uuid) returns boolean
language sql volatile security definer set search_path = pg_catalog, pg_temp
set enable_seqscan = off as $$
  with marked as (
    update mail.letter w set returned_at = clock_timestamp()
    where w.letter_id = a_letter and w.state = 'sent' and w.address is not null and w.returned_at is null returning 1)
  select exists (select from marked)
$$;
alter function mail.return_letter(uuid) owner to {{job:mail}};
revoke execute on function mail.return_letter(uuid) from public;
grant execute on function mail.return_letter(uuid) to {{app}};

-- Letters that came back and that their tenants do not know of yet.
create or replace function mail.returned(most int) returns table (tenant_id uuid, letter_id uuid, address bytea)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select w.tenant_id, w.letter_id, w.address from mail.letter w
  where w.returned_at is not null and w.address is not null order by w.returned_at limit most
$$;
alter function mail.returned(int) owner to {{job:mail}};
revoke execute on function mail.returned(int) from public;
grant execute on function mail.returned(int) to {{app}};

-- The tenant knows of the returned letter: the row forgets its address.
create or replace function mail.tell_returned(a_tenant uuid, a_letter uuid) returns void
language sql volatile security definer set search_path = pg_catalog, pg_temp as $$
  update mail.letter w set address = null where w.tenant_id = a_tenant and w.letter_id = a_letter
$$;
alter function mail.tell_returned(uuid, uuid) owner to {{job:mail}};
revoke execute on function mail.tell_returned(uuid, uuid) from public;
grant execute on function mail.tell_returned(uuid, uuid) to {{app}};
