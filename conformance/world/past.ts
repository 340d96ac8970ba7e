import type { SqlPool } from '@steward/sql';

/** Days before today, by the clock that counts. */
export async function daysAgo(admin: SqlPool, days: number): Promise<string> {
  return admin.withClient(async (client) => {
    const text = `select ((clock_timestamp() at time zone 'UTC')::date - $1::int)::text as day`;
    return (await client.query<{ day: string }>(text, [days])).rows[0]?.day ?? '';
  });
}

/** Nobody can wait for midnight here: a superuser moves every chain back by days, and hashes it again by the published rule. */
export async function backdate(admin: SqlPool, days: number): Promise<void> {
  await admin.withClient(async (client) => {
    await client.query(`
      alter table audit.event disable trigger all; alter table audit.head disable trigger all;
      do $$
      declare r record; previous bytea; begin
        for r in select * from audit.event order by tenant_id, sequence loop
          if r.sequence = 1 then previous := sha256(convert_to(e'audit-genesis/v1\\n' || r.tenant_id, 'UTF8')); end if;
          r.received_at := r.received_at - interval '${days} days';
          previous := sha256('audit-row/v1\\012'::bytea || previous || int8send(r.sequence)
            || int8send((extract(epoch from r.received_at) * 1000)::bigint) || r.event_hash);
          update audit.event set received_at = r.received_at, row_hash = previous
            where tenant_id = r.tenant_id and sequence = r.sequence;
          update audit.head set received_at = r.received_at, row_hash = previous where tenant_id = r.tenant_id;
        end loop;
      end $$;
      alter table audit.event enable always trigger append_only;
      alter table audit.head enable always trigger append_only;
      alter table audit.head enable always trigger moves_with_chain`);
    await client.query(
      `create temporary table always on commit drop as select tgrelid, tgname from pg_trigger where tgenabled = 'A'; ${rowsOfEvents(days)}`,
    );
  });
}

/** What was written in the transaction of an event is as old as that; what an event says by itself, such as an end, stays. */
const rowsOfEvents = (days: number): string => `
  do $$
  declare t record; g record; begin
    for t in
      select c.oid, c.oid::regclass as name, string_agg(format('%1$I = %1$I - interval ''${days} days''', a.attname), ', ') as moved
      from pg_class c join pg_attribute a on a.attrelid = c.oid
      where c.relkind = 'r' and c.relnamespace::regnamespace::text in ('identity', 'portal', 'accounting', 'approvals', 'studio', 'crm',
          'catalogue', 'stock', 'orders', 'checkout', 'bookkeeping', 'commerce')
        and a.atttypid = 'timestamptz'::regtype and not a.attisdropped
        and a.attname not in ('expires_at', 'valid_until', 'trial_ends_at', 'lease_until')
      group by c.oid
    loop
      execute format('alter table %s disable trigger user', t.name);
      execute format('update %s set %s', t.name, t.moved);
      execute format('alter table %s enable trigger user', t.name);
      for g in select tgname from always where tgrelid = t.oid loop
        execute format('alter table %s enable always trigger %I', t.name, g.tgname);
      end loop;
    end loop;
  end $$`;
