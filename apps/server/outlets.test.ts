import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { integrationKinds } from '@steward/identity';
import { openPool, sql } from '@steward/sql';
import { createTestDatabase } from '@steward/testing';
import { migrationSources } from './migrations.ts';
import { noOutlets } from './outlets.ts';

const root = new URL('../../', import.meta.url);

/** The tables of all kinds of integrations, and those that say whom a secret was shown to, as the components list them. */
function listed(): { readonly kinds: Set<string>; readonly tables: Set<string> } {
  const kinds = new Set<string>();
  const tables = new Set<string>();
  for (const file of globSync('components/**/*.ts', {
    cwd: root,
    exclude: (path) => /node_modules|\.test\.ts$/.test(path),
  })) {
    const text = readFileSync(new URL(file, root), 'utf8');
    for (const [, kind = '', table = ''] of text.matchAll(/listingOf\(\{\s*kind: '(\w+)',\s*from: '([a-z_.]+) \w'/g)) {
      kinds.add(kind);
      tables.add(table);
    }
    for (const [, table = ''] of text.matchAll(/\.created_through from ([a-z_]+\.[a-z_]+) \w/g)) tables.add(table);
  }
  return { kinds, tables };
}

// Who leaves, or is trusted no more, has seen and made things that live on. A new table with a credential or an address of somebody outside fails here until it is
// one of a kind, which names who made it, or stands in `outlets.ts` with the reason why nobody outside gets anything by it.
test('everything that lets somebody in from outside, or sends there, is listed with who made it, or has a reason', async () => {
  await using db = await createTestDatabase(migrationSources);
  await using admin = openPool({ url: db.adminUrl, size: 1 });
  const columns = await admin.query<{ table: string; column: string; may: boolean }>(sql`
    select n.nspname || '.' || c.relname as table, a.attname as column, a.attname ~ ('(^|_)(secrets?|tokens?|sealed|hash|sha256|keys?|credentials?|passwords?|'
        || 'urls?|webhooks?|callback|permalinks?|links?|host|emails?|addresse?s?|recipients?|previous|to)(_|$)') as may
    from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p') and not c.relispartition and n.nspname !~ '^(pg_|information_schema)' and a.attnum > 0 and not a.attisdropped
    order by 1, 2`);
  const { kinds, tables } = listed();
  assert.deepEqual([...kinds].toSorted(), [...integrationKinds].toSorted());
  const has = (table: string, column: RegExp): boolean =>
    columns.some((one) => one.table === table && column.test(one.column));
  assert.deepEqual(
    [...tables].filter((table) => !has(table, /^created_through$/) || !has(table, /^\w+_by_type$/)),
    [],
    'each says who made it, and through which client',
  );
  const open = columns
    .filter(({ table, may }) => may && !tables.has(table))
    .map(({ table, column }) => `${table}.${column}`);
  assert.ok(open.length > 50);
  assert.deepEqual(
    open.filter((name) => noOutlets[name] === undefined),
    [],
    'give it a kind of integrations that names who made it, or the reason why nobody outside gets anything by it',
  );
  assert.deepEqual(
    Object.keys(noOutlets).filter((name) => !open.includes(name)),
    [],
    'listed, and not there',
  );
});
