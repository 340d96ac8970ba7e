import { sql, statement, type SqlPool } from '@steward/sql';

/**
 * The tables in which a text of ASCII stands, in whatever row, column and case, and however it is kept: as text, or in bytes, one or
 * two a letter. `schema.table` for each.
 * @param admin a superuser, who sees behind row-level security
 */
export async function tablesWith(admin: SqlPool, text: string): Promise<string[]> {
  const tables = await admin.query<{ name: string; texts: string[]; bytes: string[] }>(sql`
    select format('%I.%I', n.nspname, c.relname) as name,
      array(select format('t.%I::text', attname) from pg_attribute
        where attrelid = c.oid and attnum > 0 and not attisdropped and atttypid <> 'bytea'::regtype) as texts,
      array(select format('t.%I', attname) from pg_attribute
        where attrelid = c.oid and attnum > 0 and not attisdropped and atttypid = 'bytea'::regtype) as bytes
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p', 'm') and n.nspname !~ '^(pg_|information_schema)' order by 1`);
  const found: string[] = [];
  for (const { name, texts, bytes } of tables) {
    const spelled = [Buffer.from(text), Buffer.from(text, 'utf16le')];
    const conditions = [
      ...(texts.length === 0 ? [] : [`strpos(lower(concat_ws(' ', ${texts.join(', ')})), lower($1)) > 0`]),
      ...bytes.map((column) => `position($2 in ${column}) > 0 or position($3 in ${column}) > 0`),
    ];
    const rows = await admin.query(
      statement(
        `select from ${name} t cross join (select $1::text, $2::bytea, $3::bytea) s where ${conditions.join(' or ')} limit 1`,
        [text, ...spelled],
      ),
    );
    if (rows.length > 0) found.push(name);
  }
  return found;
}
