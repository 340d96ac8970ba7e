import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, test } from 'node:test';
import { openPool, readSchema, sql } from '@steward/sql';
import { createTestDatabase } from '@steward/testing';
import { migrationSources } from './apps/server/migrations.ts';

// The drawing of ARCHITECTURE.md, enforced: arrows run apps → components → packages, a neighbour is reached by its face.

const root = import.meta.dirname;
/** Components that serve all the others, and know nothing of any business. */
const serving = new Set([
  'access',
  'identity',
  'audit',
  'archive',
  'verification',
  'bus',
  'mail',
  'approvals',
  'tools',
]);
/** Outside truth and measuring are no part of the layers and may import all of them. */
const outside = ['conformance', 'benchmarks'];

interface Workspace {
  readonly folder: string;
  readonly kind: string;
  readonly name: string;
  readonly version: string;
  readonly declared: ReadonlySet<string>;
  /** File by address, as others name it. */
  readonly exported: ReadonlyMap<string, string | object>;
}

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly exports?: Record<string, string | object>;
  readonly dependencies?: Record<string, string>;
  readonly optionalDependencies?: Record<string, string>;
  readonly devDependencies?: Record<string, string>;
}

const workspaces: Workspace[] = [
  ...['packages', 'components', 'apps'].flatMap((kind) =>
    readdirSync(join(root, kind)).map((name) => join(kind, name)),
  ),
  ...outside,
].map((folder) => {
  const manifest = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Manifest;
  return {
    folder,
    kind: folder.split('/')[0] ?? '',
    name: manifest.name.replace('@steward/', ''),
    version: manifest.version,
    declared: new Set(
      Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies, ...manifest.devDependencies }),
    ),
    exported: new Map(Object.entries(manifest.exports ?? {})),
  };
});
const byName = new Map(workspaces.map((workspace) => [workspace.name, workspace]));

function* sources(folder: string, ending = /(?<!\.d)\.ts$/): Generator<string> {
  for (const entry of readdirSync(join(root, folder))) {
    if (entry === 'node_modules') continue;
    const path = join(folder, entry);
    if (statSync(join(root, path)).isDirectory()) yield* sources(path, ending);
    else if (ending.test(path)) yield path;
  }
}

const isTest = (file: string): boolean => /\.test\.ts$|\/fixtures?\/|\/test-/.test(file);

function importsOf(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8');
  return [
    ...text.matchAll(
      /(?:^|\n)\s*(?:import|export)\s[^'"`;]*?from\s+'([^']+)'|(?:^|\n)import\s+'([^']+)'|\bimport\(\s*'([^']+)'\s*\)/g,
    ),
  ].map((found) => found[1] ?? found[2] ?? found[3] ?? '');
}

/** What an import leads to; undefined for what is not ours. */
function fileOf(file: string, target: string): string | undefined {
  if (target.startsWith('.')) return relative(root, resolve(root, dirname(file), target));
  const [, name = '', path = ''] = /^@steward\/([^/]+)(.*)/.exec(target) ?? [];
  const to = byName.get(name);
  const exported = to?.exported.get(`.${path}`);
  return to === undefined || typeof exported !== 'string' ? undefined : join(to.folder, exported);
}

/** Whether a verb records an event itself, or hands its transaction to a neighbour that does. */
function records(file: string, text: string): boolean {
  if (/\b(?:tx\.record|provision)\(/.test(text)) return true;
  return importsOf(file)
    .filter((target) => target.startsWith('.'))
    .map((target) => readFileSync(join(root, dirname(file), target), 'utf8'))
    .some((neighbour) => /\btx\.record\(/.test(neighbour));
}

interface Arrow {
  readonly from: Workspace;
  readonly to: Workspace;
  readonly file: string;
  readonly target: string;
}

const arrows: Arrow[] = workspaces.flatMap((from) =>
  [...sources(from.folder)].flatMap((file) =>
    importsOf(file).flatMap((target) => {
      const to = /^@steward\/([^/]+)/.exec(target)?.[1];
      const workspace = to === undefined ? undefined : byName.get(to);
      return workspace === undefined ? [] : [{ from, to: workspace, file, target }];
    }),
  ),
);
const shipped = arrows.filter(({ from, file }) => !outside.includes(from.kind) && !isTest(file));

describe('the layers', () => {
  test('has arrows, so that this test sees what it judges', () => {
    assert.ok(shipped.length > 40, `only ${shipped.length} imports between workspaces were found`);
  });

  test('lets arrows run one way: apps, components, packages', () => {
    const height: Record<string, number> = { packages: 0, components: 1, apps: 2 };
    // The one list of components is read by the command line as well, and so is what of theirs verification holds to the log. The seed is a
    // process of the server (ADR 32).
    // The pages of the console are what the server was given to serve.
    const lists = new Set([
      '@steward/server/components',
      '@steward/server/compose',
      '@steward/server/recorded',
      '@steward/console-app',
    ]);
    const rest = shipped.filter(({ target }) => !lists.has(target));
    const wrong = rest.filter(
      ({ from, to }) => from !== to && (to.kind === 'apps' || (height[to.kind] ?? 9) > (height[from.kind] ?? -1)),
    );
    assert.deepEqual(
      wrong.map(({ file, target }) => `${file} → ${target}`),
      [],
    );
  });

  test('keeps business words out of the components that serve them', () => {
    const wrong = shipped.filter(
      ({ from, to }) => serving.has(from.name) && to.kind === 'components' && !serving.has(to.name),
    );
    assert.deepEqual(
      wrong.map(({ file, target }) => `${file} → ${target}`),
      [],
    );
  });

  test('reaches a neighbour by a declared face only', () => {
    const wrong = arrows.filter(({ from, to, target }) => {
      const path = target.replace(`@steward/${to.name}`, '.');
      return from !== to && (!from.declared.has(`@steward/${to.name}`) || !to.exported.has(path));
    });
    assert.deepEqual(
      wrong.map(({ file, target }) => `${file} → ${target}`),
      [],
    );
  });

  test('lets no relative import leave its workspace', () => {
    const wrong = workspaces.flatMap((workspace) =>
      [...sources(workspace.folder)].flatMap((file) =>
        importsOf(file)
          .filter((target) => target.startsWith('.'))
          .filter((target) =>
            relative(join(root, workspace.folder), resolve(root, dirname(file), target)).startsWith('..'),
          )
          .map((target) => `${file} → ${target}`),
      ),
    );
    assert.deepEqual(wrong, []);
  });

  test('has no circle', () => {
    const next = Map.groupBy(
      shipped.filter(({ from, to }) => from !== to),
      ({ from }) => from.name,
    );
    const visit = (name: string, path: readonly string[]): void => {
      assert.ok(!path.includes(name), `a circle: ${[...path, name].join(' → ')}`);
      for (const target of new Set((next.get(name) ?? []).map(({ to }) => to.name))) visit(target, [...path, name]);
    };
    for (const { name } of workspaces) visit(name, []);
  });

  test('has no circle of files, not even of types', () => {
    const files = new Set(workspaces.flatMap(({ folder }) => [...sources(folder, /(?<!\.d)\.tsx?$/)]));
    const done = new Set<string>();
    const circles: string[] = [];
    const visit = (file: string, path: readonly string[]): void => {
      if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(' → '));
      if (path.includes(file) || done.has(file)) return;
      for (const target of importsOf(file)) {
        const to = fileOf(file, target);
        if (to !== undefined && files.has(to)) visit(to, [...path, file]);
      }
      done.add(file);
    };
    for (const file of files) visit(file, []);
    assert.equal(done.size, files.size);
    assert.deepEqual(circles, []);
  });

  test('bears one version, by which a process knows whether a database is of a newer one', () => {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;
    assert.deepEqual(
      workspaces.filter((workspace) => !outside.includes(workspace.folder) && workspace.version !== version),
      [],
    );
  });

  test('reads the environment in configuration only', () => {
    // The embedded server's programs inherit a few variables, by name, that say where libraries and time zones are.
    const allowed = /^apps\/(server|cli)\/[^/]+\.ts$|^packages\/postgres\/program\.ts$/;
    const wrong = workspaces
      .filter(({ kind }) => !outside.includes(kind) && kind !== 'testing')
      .flatMap(({ folder, name }) => (name === 'testing' ? [] : [...sources(folder)]))
      .filter(
        (file) =>
          !isTest(file) && !allowed.test(file) && /\bprocess\.env\b/.test(readFileSync(join(root, file), 'utf8')),
      );
    assert.deepEqual(wrong, []);
  });

  test('polls, retries and drains with packages/work: these timers are something else', () => {
    const deadline = 'an end to what one call or request waits for';
    const watch = 'looks at what is in memory, or keeps one connection or process, while it is there';
    const tries = 'one call, tried so many times and answered';
    const other: Record<string, string> = {
      'apps/cli/demo/form.ts': tries,
      'apps/cli/seed/books.ts': tries,
      'apps/console/data/ahead.ts': deadline,
      'apps/console/data/api.ts': deadline,
      'apps/console/data/events.ts': 'events of a moment are one refresh of a page',
      'apps/console/data/step-up.ts': 'says when a login has become too old to decide with',
      'apps/console/data/together.ts': 'what is read in one moment is one request',
      'apps/console/data/waiting.ts': 'says that an answer takes long',
      'apps/console/shell/found.ts': 'records are asked for once nobody types',
      'apps/server/server.ts': 'a rest before the listeners close',
      'components/archive/targets/s3/store.ts': tries,
      'components/audit/group-commit/flush.ts': deadline,
      'components/accounting/documents/pdf/render.ts': deadline,
      'components/archive/sealing/background/background.ts': watch,
      'components/archive/sealing/background/pace.ts': 'a rest between pieces of one round',
      'components/verification/log/losses.ts': tries,
      'components/verification/days/unrecorded.ts': tries,
      'components/bus/delivery/call-handler.ts': deadline,
      'components/bus/delivery/catch-up.ts': deadline,
      'components/bus/delivery/slots.ts': deadline,
      'components/catalogue/media/pictures.ts': watch,
      'components/console/forward/forward.ts': deadline,
      'components/console/sessions/tokens.ts': tries,
      'components/mail/sending/sender.ts': deadline,
      'components/tools/door/body.ts': deadline,
      'packages/graphql/operation/deadline.ts': deadline,
      'packages/kernel/host/bodies.ts': watch,
      'packages/kernel/host/linger.ts': deadline,
      'packages/kernel/host/listener.ts': deadline,
      'packages/limits/redis.ts': deadline,
      'packages/postgres/lock.ts': tries,
      'packages/postgres/log-file.ts': watch,
      'packages/postgres/postmaster.ts': tries,
      'packages/postgres/processes.ts': tries,
      'packages/postgres/stop.ts': deadline,
      'packages/sql/connection/connections.ts': watch,
      'packages/sql/connection/drop-when-silent.ts': watch,
      'packages/sql/connection/fair-semaphore.ts': deadline,
      'packages/sql/query-all.ts': deadline,
      'packages/sql/translate.ts': tries,
    };
    const timers = workspaces
      .filter(({ kind, name }) => !outside.includes(kind) && !['work', 'testing', 'storefront'].includes(name))
      .flatMap(({ folder }) => [...sources(folder)])
      .filter((file) => !isTest(file) && /\bset(?:Timeout|Interval)\b/.test(readFileSync(join(root, file), 'utf8')));
    assert.deepEqual(timers.toSorted(), Object.keys(other).toSorted());
  });

  test('records an audit event in every verb of a business component that writes', () => {
    const silent = workspaces
      .filter(({ kind, name }) => kind === 'components' && !serving.has(name))
      .flatMap(({ folder }) => [...sources(folder)])
      // Carts and checkouts are drafts of visitors: orders record what is bought, and payments what is paid.
      .filter((file) => !isTest(file) && !/^components\/checkout\/(?:carts|room|sessions)\//.test(file))
      .filter((file) => {
        // What is rehearsed is undone.
        const text = readFileSync(join(root, file), 'utf8').replaceAll(
          /\brehearsal\(\w+\)\s*\.require\(\w+\)\s*\.write\(/g,
          '',
        );
        return /\.write\(\s*async/.test(text) && !records(file, text);
      });
    assert.deepEqual(silent, []);
  });
});

describe('the catalogue of the database', () => {
  /** Read before any tenant is known, through functions that take the exact key; they bear no tenant policy. */
  const directory = new Set([
    'portal.signup',
    'portal.owned_name',
    'identity.access_version',
    'identity.person',
    'console.session',
  ]);
  /** Not of a tenant at all. */
  const platform = new Set([
    'platform.function',
    'platform.migration',
    'platform.spending',
    'platform.wall',
    'audit.platform_day',
    'audit.hour',
    'audit.hour_draft',
    'audit.hour_head',
    'audit.incarnation',
    'audit.installation',
    'audit.signing_key',
    'audit.verification',
    'bus.consumer',
  ]);

  interface Table extends Record<string, unknown> {
    readonly name: string;
    readonly secured: boolean;
    readonly forced: boolean;
    readonly tenant: boolean;
    readonly policies: string;
    readonly keys: string[] | null;
  }

  const catalogue = sql`
    select n.nspname || '.' || c.relname as name, c.relrowsecurity as secured, c.relforcerowsecurity as forced,
      exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'tenant_id' and not a.attisdropped) as tenant,
      coalesce((select string_agg(coalesce(pg_get_expr(p.polqual, p.polrelid), pg_get_expr(p.polwithcheck, p.polrelid)), ' ' ) from pg_policy p where p.polrelid = c.oid), '') as policies,
      (select array_agg(k.conname::text || ':' || k.contype::text || ':' || (
          select string_agg(a.attname, ',' order by u.place) from unnest(k.conkey) with ordinality u (number, place)
          join pg_attribute a on a.attrelid = c.oid and a.attnum = u.number))
        from pg_constraint k where k.conrelid = c.oid and k.contype in ('p', 'u', 'f')) as keys
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p') and not c.relispartition and n.nspname !~ '^(pg_|information_schema)' order by 1`;

  test('shows row-level security forced on every table, and the tenant first in every key of a tenant table', async () => {
    await using db = await createTestDatabase(migrationSources);
    await using admin = openPool({ url: db.adminUrl, size: 1 });
    const tables = await admin.query<Table>(catalogue);
    assert.ok(tables.length > 12, `only ${tables.length} tables`);
    for (const { name, secured, forced, tenant, policies, keys } of tables) {
      if (platform.has(name)) continue;
      assert.ok(secured && forced, `${name}: row-level security is not forced`);
      if (directory.has(name)) continue;
      assert.ok(tenant, `${name} has no tenant_id and is not listed as a directory or platform table`);
      assert.match(policies, /app\.tenant_id/, `${name} has no tenant policy`);
      for (const key of keys ?? [])
        assert.match(key, /:[puf]:tenant_id(,|$)/, `${name}: the key ${key} does not begin with the tenant`);
    }
  });

  test('gives the application no way around it: no table of its own, no bypass, no function of a superuser', async () => {
    await using db = await createTestDatabase(migrationSources);
    await using admin = openPool({ url: db.adminUrl, size: 1 });
    const functions = await admin.query<{ name: string }>(sql`
      select p.oid::regprocedure::text as name from pg_proc p join pg_namespace n on n.oid = p.pronamespace join pg_roles r on r.oid = p.proowner
      where n.nspname !~ '^(pg_|information_schema)' and p.prosecdef
        and (r.rolsuper or r.rolbypassrls or p.proconfig is null or not exists (select from unnest(p.proconfig) c where c like 'search_path=%pg_temp'))`);
    assert.deepEqual(functions, [], 'SECURITY DEFINER functions without a fixed search_path, or of a superuser');
    const writable = await admin.query<{ name: string }>(sql`
      select n.nspname || '.' || c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = 'audit' and c.relkind in ('r', 'p')
        and (has_table_privilege(${`${db.name}_app`}, c.oid, 'update') or has_table_privilege(${`${db.name}_app`}, c.oid, 'delete') or has_table_privilege(${`${db.name}_app`}, c.oid, 'truncate'))`);
    assert.deepEqual(writable, [], 'the application may change the audit log');
  });

  /**
   * `on conflict (…)` looks at the one index that it names: two that insert the same at once may meet in another first, and one of them fails. Where a
   * table has another one than that and its primary key, whose ids are made for the row, the reason why two never meet there.
   */
  const meetsNobody: Readonly<Record<string, string>> = {
    'accounting.account account_control':
      'charts are imported one after the other, and say of no account what it controls',
    'callbacks.delivery delivery_conflict': 'of rows with another status than those that meet at delivery_once',
    'callbacks.delivery delivery_once': 'of rows with another status than those that meet at delivery_conflict',
    'mail.address address_tenant_id_address_id_key': 'the id is made for the row',
    'marketplace.channel channel_of_shop': 'channels are connected one after the other',
    'marketplace.channel channel_tenant_id_provider_shop_key': 'channels are connected one after the other',
    'marketplace.imported_order imported_order_tenant_id_order_id_key': 'the id is made for the row',
    'orders.line line_tenant_id_order_id_position_key': 'an order is edited under its lock',
  };

  test('lets no two inserts at once fail at an index that neither names', async () => {
    await using db = await createTestDatabase(migrationSources);
    await using admin = openPool({ url: db.adminUrl, size: 1 });
    const indexes = await admin.query<{ name: string; index: string; primary: boolean; columns: string }>(sql`
      select n.nspname || '.' || c.relname as name, x.relname as index, i.indisprimary as primary, (
          select string_agg(pg_get_indexdef(i.indexrelid, k::int, true), ', ' order by k) from generate_series(1, i.indnkeyatts) k) as columns
      from pg_index i join pg_class c on c.oid = i.indrelid join pg_class x on x.oid = i.indexrelid join pg_namespace n on n.oid = c.relnamespace
      where i.indisunique and n.nspname !~ '^(pg_|information_schema)'`);
    const found = new Set<string>();
    let read = 0;
    for (const { folder, kind } of workspaces.filter((one) => one.kind !== 'conformance' && one.kind !== 'benchmarks'))
      for (const file of [...sources(folder), ...sources(folder, /\/functions\/[^/]*\.sql$/)].filter(
        (one) => !isTest(one),
      ))
        for (const [, insert = ''] of readFileSync(join(root, file), 'utf8').matchAll(
          /\binsert into ((?:(?!\binsert into\b)[^;])*?\bon conflict (?:\([^)]*\)|on constraint \w+))/g,
        )) {
          const [, table = ''] = /^([\w.]+)/.exec(insert) ?? [];
          const [, columns, constraint] = /on conflict (?:\(([^)]*)\)|on constraint (\w+))$/.exec(insert) ?? [];
          const own = indexes.filter(
            ({ name }) => name === table || (!table.includes('.') && name.endsWith(`.${table}`)),
          );
          assert.ok(own.length > 0, `${kind}: ${file} inserts into ${table}, which has no unique index`);
          read += 1;
          for (const { name, index, primary, columns: of } of own)
            if (!primary && index !== constraint && of !== columns?.replaceAll(/\s+/g, ' '))
              found.add(`${name} ${index}`);
        }
    assert.ok(read > 50, `only ${read} inserts`);
    assert.deepEqual([...found].toSorted(), Object.keys(meetsNobody).toSorted());
  });

  test('has every function from one file of functions, but those that tables are defined by, and each compiles', async () => {
    const schema = readSchema(migrationSources);
    const defined = (files: readonly { readonly text: string }[]): string[] =>
      files
        .flatMap(({ text }) => [...text.matchAll(/\bcreate (?:or replace )?function ([a-z_]+\.[a-z_]+)\(/g)])
        .map(([, name = '']) => name)
        .toSorted();
    await using db = await createTestDatabase(migrationSources);
    await using admin = openPool({ url: db.adminUrl, size: 1 });
    const named = (rows: { name: string }[]): string[] => rows.map(({ name }) => name).toSorted();
    const ofTables = await admin.query<{ name: string }>(sql`
      select distinct d.refobjid::regproc::text as name from pg_depend d
      where d.refclassid = 'pg_proc'::regclass and d.refobjid >= 16384
        and d.classid in ('pg_constraint'::regclass, 'pg_attrdef'::regclass, 'pg_class'::regclass, 'pg_policy'::regclass, 'pg_rewrite'::regclass)`);
    const all = await admin.query<{ name: string }>(
      sql`select oid::regproc::text as name from pg_proc where oid >= 16384`,
    );
    assert.ok(all.length > 100, `only ${all.length} functions`);
    assert.deepEqual(defined(schema.migrations), named(ofTables));
    assert.deepEqual([...defined(schema.functions), ...named(ofTables)].toSorted(), named(all));
    // Bodies were not looked at when they were made.
    await admin.query(sql`
      do $$
      declare
        one record;
      begin
        for one in
          select p.oid, l.lanname, (select substr(c, 13) from unnest(p.proconfig) c where starts_with(c, 'search_path=')) as path
          from pg_proc p join pg_language l on l.oid = p.prolang where p.oid >= 16384
        loop
          perform set_config('search_path', coalesce(one.path, ''), true);
          if one.lanname = 'plpgsql' then
            perform plpgsql_validator(one.oid);
          else
            perform fmgr_sql_validator(one.oid);
          end if;
        end loop;
      end $$`);
  });
});
