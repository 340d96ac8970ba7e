-- Gives up what waited too long, erases what letters that were given up say, forgets settled ones; so many rows at a time.
create or replace function mail.tidy(give_up interval, erase interval, forget interval, most int) returns int
language sql volatile security definer set search_path = pg_catalog, pg_temp as $$
  with past as (
    update mail.letter l set state = 'dead', settled_at = clock_timestamp(), reason = coalesce(l.reason, 'never_tried')
    from (select w.tenant_id, w.letter_id from mail.letter w
      where w.state = 'queued' and w.queued_at < statement_timestamp() - give_up and w.next_at <= statement_timestamp()
      order by w.queued_at limit most for update skip locked) due
    where l.tenant_id = due.tenant_id and l.letter_id = due.letter_id returning 1),
  erased as (
    update mail.letter l set recipient = null, subject = null, text = null, html = null
    from (select w.tenant_id, w.letter_id from mail.letter w
      where w.state = 'dead' and w.recipient is not null
        and w.settled_at between statement_timestamp() - forget and statement_timestamp() - erase
      limit most for update skip locked) due
    where l.tenant_id = due.tenant_id and l.letter_id = due.letter_id returning 1),
  forgotten as (
    delete from mail.letter l using (select w.tenant_id, w.letter_id from mail.letter w
      where w.state <> 'queued' and w.settled_at < statement_timestamp() - forget
      order by w.settled_at limit most for update skip locked) due
    where l.tenant_id = due.tenant_id and l.letter_id = due.letter_id returning 1)
  select ((select count(*) from past) + (select count(*) from erased) + (select count(*) from forgotten))::int
$$;
alter function mail.tidy(interval, interval, interval, int) owner to {{job:mail}};
revoke execute on function mail.tidy(interval, interval, interval, int) from public;
grant execute on function mail.tidy(interval, interval, interval, int) to {{app}};
