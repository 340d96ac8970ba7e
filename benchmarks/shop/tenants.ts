import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { sql, type SqlPool, statement } from '@steward/sql';

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** A publishable key of tests that nobody issued: 30 digits, and their checksum in six. */
function madeUpKey(): string {
  const start = `pk_test_${[...randomBytes(30)].map((byte) => digits.charAt(byte % 62)).join('')}`;
  let rest = crc32(start);
  let sum = '';
  for (let place = 0; place < 6; place += 1) {
    sum = digits.charAt(rest % 62) + sum;
    rest = Math.floor(rest / 62);
  }
  return start + sum;
}

/** Rows of one tenant in a table that are taken for what it sells by; more are what happened. */
const most = 60;
const happenings = ['audit.event', 'bus.outbox', 'bus.inbox'];

/** Makes tenants that have all that one has, each with a key of its own, by copying its rows. @returns the keys of the first ones, as many as are wanted */
export async function multiplyTenant(
  admin: SqlPool,
  tenant: string,
  count: number,
  wanted: number,
): Promise<readonly string[]> {
  const keys = Array.from({ length: count }, madeUpKey);
  const hashes = keys.map((key) => createHash('sha256').update(key).digest());
  const tables = await admin.query<{ name: string; columns: string[] }>(
    sql`select c.oid::regclass::text as name, array_agg(quote_ident(a.attname) order by a.attnum) as columns
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' and a.attidentity = ''
      where c.relkind = 'r' and c.relnamespace::regnamespace::text not in ('pg_catalog', 'information_schema')
        and exists (select from pg_attribute t where t.attrelid = c.oid and t.attname = 'tenant_id' and t.atttypid = 'uuid'::regtype)
      group by c.oid order by 1`,
  );
  await admin.withClient(async (client) => {
    const run = async (text: string, values: readonly unknown[] = []) => client.query(text, [...values]);
    // Of rows that were right before they were copied, nothing is to be checked again.
    await run(`set session_replication_role = replica`);
    await run(`set statement_timeout = 0`);
    await run(
      `create temp table copies as select gen_random_uuid() as tenant, h.hash from unnest($1::bytea[]) h (hash)`,
      [hashes],
    );
    for (const { name, columns } of tables) {
      if (happenings.includes(name)) continue;
      const { rows } = await client.query<{ count: number }>(
        `select count(*)::int as count from ${name} where tenant_id = $1`,
        [tenant],
      );
      const has = rows[0]?.count ?? 0;
      if (has === 0 || has > most) continue;
      const values = columns.map((column) =>
        column === 'tenant_id'
          ? 'c.tenant'
          : name === 'studio.sdk_key' && column === 'key_hash'
            ? 'c.hash'
            : `t.${column}`,
      );
      await run(
        `insert into ${name} (${columns.join(', ')}) select ${values.join(', ')} from ${name} t cross join copies c
         where t.tenant_id = $1 on conflict do nothing`,
        [tenant],
      );
    }
    await run(`set session_replication_role = origin`);
  });
  for (const { name } of tables) await admin.query(statement(`analyze ${name}`));
  return keys.slice(0, wanted);
}
