import { sql, statement, type SqlPool } from '@steward/sql';
import type { Json } from '@steward/conformance/world';

/** What a row notes of its own use, or until when a worker lets go of what waited for it. */
const noted = ['last_used_at', 'release_until'];

/** A column of one row, found behind a fact. */
export interface Place {
  readonly table: string;
  readonly column: string;
  readonly type: string;
  /** SQL that holds for the row alone. */
  readonly row: string;
}

interface Table extends Record<string, unknown> {
  readonly table: string;
  readonly key: string[];
  readonly columns: Record<string, string>;
  readonly literals: string[];
  /** Those that are on whatever the session says. */
  readonly triggers: string[];
}

/** Looks behind the facts of an action, as a superuser past every policy and trigger. */
export async function openLook(admin: SqlPool) {
  const tables = await admin.query<Table>(
    statement(`
      select c.oid::regclass::text as table,
        (select array_agg(a.attname::text order by u.place) from unnest(k.conkey) with ordinality u (number, place)
          join pg_attribute a on a.attrelid = c.oid and a.attnum = u.number) as key,
        (select json_object_agg(a.attname, format_type((select coalesce(nullif(t.typbasetype, 0), t.oid) from pg_type t where t.oid = a.atttypid), -1)) from pg_attribute a
          where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as columns,
        (select coalesce(array_agg(m[1] order by m[1]), '{}') from pg_constraint d, regexp_matches(pg_get_constraintdef(d.oid), '''([^'']+)''', 'g') m
          where d.conrelid = c.oid and d.contype = 'c') as literals,
        (select coalesce(array_agg(g.tgname::text), '{}') from pg_trigger g
          where g.tgrelid = c.oid and g.tgenabled = 'A' and not g.tgisinternal) as triggers
      from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_constraint k on k.conrelid = c.oid and k.contype = 'p'
      where c.relkind in ('r', 'p') and n.nspname !~ '^(pg_|information_schema)'
        and exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'tenant_id')`),
  );
  const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

  /** The row that says most of what is said, by one of its keys. */
  const rowOf = async (tenant: string, id: string, said: Json): Promise<[Table, string] | undefined> => {
    const names = Object.keys(said);
    const fitting = tables
      .map((table) => ({ table, fits: names.filter((name) => name in table.columns).length }))
      .filter(({ fits }) => fits > 0)
      .toSorted((a, b) => b.fits - a.fits);
    for (const { table } of fitting)
      for (const key of table.key) {
        const row = `tenant_id = ${quoted(tenant)} and ${key}::text = ${quoted(id)}`;
        const found = await admin.query(statement(`select from ${table.table} where ${row} limit 1`));
        if (found.length > 0) return [table, row];
      }
    return undefined;
  };
  const placesIn = (table: Table, row: string, said: Json): { at: Record<string, Place>; without: string[] } => {
    const at: Record<string, Place> = {};
    const without: string[] = [];
    for (const name of Object.keys(said)) {
      const type = table.columns[name];
      if (type === undefined) without.push(name);
      else at[name] = { table: table.table, column: name, type, row };
    }
    return { at, without };
  };
  return {
    /** Where the facts of a thing stand, lists of its parts by their first row; and those that stand elsewhere. */
    placesOf: async (
      tenant: string,
      id: string,
      said: Json,
    ): Promise<{ at: Record<string, Place>; without: string[] }> => {
      const found = await rowOf(tenant, id, said);
      if (found === undefined) return { at: {}, without: Object.keys(said) };
      const { at, without } = placesIn(...found, said);
      const left: string[] = [];
      for (const name of without) {
        const [first] = Array.isArray(said[name]) ? (said[name] as Json[]) : [];
        const part = first === undefined || typeof first !== 'object' ? undefined : await rowOf(tenant, id, first);
        if (part === undefined || part[0] === found[0]) {
          // A list with nothing in it shows nothing that could change.
          if (!Array.isArray(said[name]) || (said[name] as unknown[]).length > 0) left.push(name);
          continue;
        }
        const [table, row] = part;
        const one = `(${row}) and ctid = (select min(ctid) from ${table.table} where ${row})`;
        const inner = placesIn(table, one, first as Json);
        for (const [key, place] of Object.entries(inner.at)) at[`${name}.${key}`] = place;
        left.push(...inner.without.map((key) => `${name}.${key}`));
      }
      return { at, without: left };
    },
    /** Gives a column another value that its table takes; answers how to give the old one back, undefined where there is none. */
    change: async ({ table, column, type, row }: Place): Promise<(() => Promise<void>) | undefined> => {
      const of = tables.find((one) => one.table === table);
      const [held] = await admin.query<{ ctid: string; value: string | null }>(
        statement(`select ctid::text, ${column}::text as value from ${table} where ${row}`),
      );
      if (held === undefined) return undefined;
      // What never changes is guarded by triggers that even a superuser has to take off.
      const triggers = of?.triggers ?? [];
      const set = async (at: string, to: string | null): Promise<string | undefined> => {
        const value = to === null ? 'null' : `${quoted(to)}::${type}`;
        return admin.withClient(async (client) => {
          try {
            await client.query('begin');
            for (const name of triggers) await client.query(`alter table ${table} disable trigger ${name}`);
            const { rows } = await client.query<{ ctid: string }>(
              `update ${table} set ${column} = ${value} where ${at} and ${column} is distinct from ${value} returning ctid::text`,
            );
            for (const name of triggers) await client.query(`alter table ${table} enable always trigger ${name}`);
            await client.query('commit');
            return rows[0]?.ctid;
          } catch {
            await client.query('rollback');
            return undefined;
          }
        });
      };
      for (const value of others(type, column, held.value, of?.literals ?? [])) {
        const moved = await set(`ctid = '${held.ctid}'`, value);
        if (moved === undefined) continue;
        return async () => {
          // It may have moved since, by being used; a worker may have given the value back already.
          if ((await set(`ctid = '${moved}'`, held.value)) ?? (await set(row, held.value))) return;
          const [now] = await admin.query<{ value: string | null }>(
            statement(`select ${column}::text as value from ${table} where ${row}`),
          );
          if (now?.value !== held.value) throw new Error(`${table}.${column} does not go back`);
        };
      }
      return undefined;
    },
    /** Rows of things, and by which transaction they were written; where some of it comes by and by, what the row holds else. */
    written: async (tenant: string): Promise<ReadonlyMap<string, string>> => {
      const things = tables.filter(({ key }) => key[0] === 'tenant_id');
      const rows = await admin.query<{ key: string; by: string }>(
        statement(
          things
            .map(
              ({ table, key: [own = 'tenant_id', ...ids], columns }) =>
                `select concat_ws(' ', '${table}', ${(ids.length === 0 ? [own] : ids).join()}) as key, ${noted.some((column) => column in columns) ? `(to_jsonb(t) - array[${noted.map(quoted).join(', ')}])::text` : 'xmin::text'} as by
                 from ${table} t where tenant_id = ${quoted(tenant)}`,
            )
            .join(' union all '),
        ),
      );
      return new Map(rows.map(({ key, by }) => [key, by]));
    },

    /** Of orders that were placed, edited or paid before: the books follow them when they like. */
    documentsOfOrders: async (tenant: string): Promise<ReadonlySet<string>> => {
      const rows = await admin.query<{ document_id: string }>(
        sql`select document_id from bookkeeping.posting where tenant_id = ${tenant}::uuid and document_id is not null`,
      );
      return new Set(rows.map(({ document_id }) => document_id));
    },
  };
}

function others(type: string, column: string, held: string | null, literals: readonly string[]): (string | null)[] {
  const past = '2020-02-02';
  switch (type) {
    case 'boolean':
      return [held === 'true' ? 'false' : 'true'];
    case 'date':
      return ['2026-03-09', '2026-03-10', '2026-05-05', '2021-01-01'];
    case 'timestamp with time zone':
      return [held === null ? past : null, past];
    case 'uuid':
      return ['0190a0a0-0000-7000-8000-00000000000a', null];
    case 'integer':
    case 'bigint':
    case 'numeric':
      return [held === null ? '7' : String(Number(held) + 100_000), '1', '2', null];
    case 'jsonb':
      // A list stays one, and amounts by currency stay amounts: whatever reads them can read what is there then.
      return [
        ...(held?.startsWith('[') === true ? ['[]'] : []),
        ...(held === '{}' ? ['{"EUR": "7"}'] : []),
        ...(/"\d+"/.test(held ?? '') ? [(held ?? '').replaceAll(/"\d+"/g, '"7"')] : []),
        '{"changed": "by somebody"}',
        '[]',
        '["changed"]',
      ];
    case 'uuid[]':
      return ['{0190a0a0-0000-7000-8000-00000000000a}'];
    case 'text[]':
      return ['{https://elsewhere.example}'];
    case 'text': {
      const json = held?.startsWith('{') === true ? [held.replace(/: ?"([^"]*)"/, ':"$1x"')] : [];
      const currency = column.includes('currency') ? ['EUR', 'CHF'] : [];
      const formal = ['+4915112345678', 'FR'];
      return [
        ...json,
        ...currency,
        ...literals,
        ...(held === null ? ['said'] : [`${held}x`, `${held.slice(0, -1)}7`]),
        ...formal,
        null,
      ];
    }
    default:
      return [null];
  }
}
