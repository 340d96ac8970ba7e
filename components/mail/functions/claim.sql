-- Leases letters that are due, one tenant after the other behind `after`, so that nobody waits behind another's thousands. What waits
-- for somebody who is not written to any more is given up instead, and says nothing from then on. The settings of this function
-- and of settle(): plans made while the table is empty are kept as it grows.
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
    if letter.renewed then
      delete from mail.letter w where w.tenant_id = letter.tenant_id and w.letter_id = letter.letter_id;
      continue;
    end if;
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
alter function mail.claim(uuid, int, interval) owner to {{job:mail}};
revoke execute on function mail.claim(uuid, int, interval) from public;
grant execute on function mail.claim(uuid, int, interval) to {{app}};
