-- Counts one more in a window of a bucket; begins a new window if the last one is over.
create or replace function platform.spend(a_bucket text, a_window interval, out spent int, out resets_at timestamptz)
language plpgsql security definer set search_path = platform, pg_temp as $$
begin
  insert into spending as s (bucket, count, resets_at) values (a_bucket, 1, clock_timestamp() + a_window)
  on conflict (bucket) do update set
    count = case when s.resets_at <= clock_timestamp() then 1 else least(s.count + 1, 2000000000) end,
    resets_at = case when s.resets_at <= clock_timestamp() then clock_timestamp() + a_window else s.resets_at end
  returning s.count, s.resets_at into spent, resets_at;
  if random() < 0.01 then
    delete from spending e where e.bucket in
      (select x.bucket from spending x where x.resets_at < clock_timestamp() limit 500 for update skip locked);
  end if;
end $$;
alter function platform.spend(text, interval) owner to {{job:limits}};
revoke execute on function platform.spend(text, interval) from public;
grant execute on function platform.spend(text, interval) to {{app}};
