-- Of owed letters of the transaction's tenant: those that were sent are due again, in other words; what was not sent is not sent any more.
-- Of what was tried, it is known only afterwards whether it was sent.
create or replace function mail.renew(by text, of text[]) returns void
language sql volatile security definer set search_path = pg_catalog, pg_temp
set enable_seqscan = off as $$
  delete from mail.letter l
  where l.tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid and l.owed_by = by and l.about = any (of)
    and l.state <> 'sent' and l.attempts = 0;
  update mail.letter l set renewed = true
  where l.tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid and l.owed_by = by and l.about = any (of)
    and l.state = 'queued';
  update mail.letter l set state = 'queued', attempts = 0, queued_at = clock_timestamp(), next_at = clock_timestamp(),
    settled_at = null, reason = null
  where l.tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid and l.owed_by = by and l.about = any (of)
    and l.state = 'sent'
$$;
alter function mail.renew(text, text[]) owner to {{job:mail}};
revoke execute on function mail.renew(text, text[]) from public;
grant execute on function mail.renew(text, text[]) to {{app}};
