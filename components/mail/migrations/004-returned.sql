-- A letter that a mail server took and sent back later: whoever gets what comes to the sender's address says so by its Message-ID, and a
-- worker tells its tenant, after which the row no longer knows whom it was for.
drop function mail.letter_to(uuid);
alter table mail.letter add column returned_at timestamptz;
create index letter_returned on mail.letter (returned_at) where returned_at is not null and address is not null;

grant create on schema mail to {{job:mail}};
create function mail.return_letter(a_letter uuid) returns boolean
language sql volatile security definer set search_path = pg_catalog, pg_temp
set enable_seqscan = off as $$
  with marked as (
    update mail.letter w set returned_at = clock_timestamp()
    where w.letter_id = a_letter and w.state = 'sent' and w.address is not null and w.returned_at is null returning 1)
  select exists (select from marked)
$$;
create function mail.returned(most int) returns table (tenant_id uuid, letter_id uuid, address bytea)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select w.tenant_id, w.letter_id, w.address from mail.letter w
  where w.returned_at is not null and w.address is not null order by w.returned_at limit most
$$;
create function mail.tell_returned(a_tenant uuid, a_letter uuid) returns void
language sql volatile security definer set search_path = pg_catalog, pg_temp as $$
  update mail.letter w set address = null where w.tenant_id = a_tenant and w.letter_id = a_letter
$$;
alter function mail.return_letter(uuid) owner to {{job:mail}};
alter function mail.returned(int) owner to {{job:mail}};
alter function mail.tell_returned(uuid, uuid) owner to {{job:mail}};
revoke create on schema mail from {{job:mail}};
revoke all on function mail.return_letter(uuid), mail.returned(int), mail.tell_returned(uuid, uuid) from public;
grant execute on function mail.return_letter(uuid), mail.returned(int), mail.tell_returned(uuid, uuid) to {{app}};
