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
  });
}
