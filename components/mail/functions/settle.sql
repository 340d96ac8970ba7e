-- Stores the outcomes of leased letters. `sent` counts whoever has the lease now; any other outcome only counts
-- for the process that still has it. `moot`: there was nothing left to report, so it counts as never owed; neither does a letter
-- count that did not arrive while newer news was on its way.
create or replace function mail.settle(outcomes json) returns void
language sql volatile security definer set search_path = pg_catalog, pg_temp
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
  update mail.letter l set
    state = case when o.state = 'sent' and l.renewed then 'queued' else o.state end,
    attempts = case when o.state = 'sent' and l.renewed then 0 else l.attempts end,
    renewed = l.renewed and o.state <> 'sent',
    recipient = case when o.state <> 'sent' then l.recipient end,
    subject = case when o.state <> 'sent' then l.subject end,
    text = case when o.state <> 'sent' then l.text end,
    html = case when o.state <> 'sent' then l.html end,
    next_at = clock_timestamp() + make_interval(secs => coalesce(o.wait, 0)),
    settled_at = case when o.state <> 'queued' and not (o.state = 'sent' and l.renewed) then clock_timestamp() end,
    reason = o.reason
  from json_to_recordset(outcomes) as o (tenant_id uuid, letter_id uuid, attempts int, state text, reason text, wait float8)
  where l.tenant_id = o.tenant_id and l.letter_id = o.letter_id and l.state <> 'sent'
    and (o.state = 'sent' or l.state = 'queued' and l.attempts = o.attempts and o.state <> 'moot');
  delete from mail.letter l
  using json_to_recordset(outcomes) as o (tenant_id uuid, letter_id uuid, attempts int, state text)
  where l.tenant_id = o.tenant_id and l.letter_id = o.letter_id and l.attempts = o.attempts
    and (o.state = 'moot' and l.state = 'queued' or o.state <> 'sent' and l.renewed)
$$;
alter function mail.settle(json) owner to {{job:mail}};
revoke execute on function mail.settle(json) from public;
grant execute on function mail.settle(json) to {{app}};
