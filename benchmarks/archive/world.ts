import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createArchive, type Archive, type ArchiveDeps } from '@steward/archive';
import { openTarget } from '@steward/archive/format';
import { createAudit, migrations, name, type Audit } from '@steward/audit';
import * as identity from '@steward/identity';
import { createLog, createMetrics, newId } from '@steward/kernel';
import { createTenancy, openPool, sql, type SqlPool, type TenantContext } from '@steward/sql';
import { createTestDatabase } from '@steward/testing';
import type { LogOptions } from '@steward/verification';
import { feedFunction } from './feed.ts';
import { openTenant } from '../tenant.ts';

export interface World extends AsyncDisposable {
  readonly admin: SqlPool;
  readonly ownerUrl: string;
  readonly archive: LogOptions['archive'];
  /** A tenant with so many events, `ago` days ago. */
  past(ago: number, events: number): Promise<string>;
  /** So many tenants with one event each. */
  pasts(ago: number, tenants: number): Promise<void>;
  /** UTC, so many days ago by the clock of the database. */
  day(ago: number): Promise<string>;
  /** A log, and what seals it. */
  log(options?: Partial<ArchiveDeps>): { readonly audit: Audit; readonly sealer: Archive };
  /** A tenant of its own, and an owner who appends to it. */
  appender(audit: Audit): Promise<TenantContext>;
}

export async function createWorld(): Promise<World> {
  await using stack = new AsyncDisposableStack();
  const database = stack.use(
    await createTestDatabase([
      { component: identity.name, folder: identity.migrations },
      { component: name, folder: migrations },
    ]),
  );
  const admin = stack.use(openPool({ url: database.adminUrl, size: 2, statementMilliseconds: 600_000 }));
  const pool = stack.use(openPool({ url: database.appUrl, size: 40, statementMilliseconds: 600_000 }));
  const folder = stack.adopt(await mkdtemp(join(tmpdir(), 'steward-bench-')), async (made) =>
    rm(made, { recursive: true, force: true }),
  );
  await admin.query({ name: 'feed', text: feedFunction, values: [] });
  const archive = {
    address: `file:${join(folder, 'archive')}`,
    immutable: false,
    accept: 'write-once',
    retentionDays: 1,
    s3: { endpoint: undefined, region: 'us-east-1', credentials: undefined },
  } as const;
  const kept = stack.move();
  const day: World['day'] = async (ago) => {
    const [row] = await admin.query<{ day: string }>(
      sql`select to_char((clock_timestamp() at time zone 'UTC')::date - ${ago}::int, 'YYYY-MM-DD') as day`,
    );
    return row?.day ?? '';
  };
  return {
    admin,
    ownerUrl: database.ownerUrl,
    archive,
    day,
    past: async (ago, events) => {
      const tenant = newId();
      await admin.query(sql`select public.feed(${tenant}::uuid, ${await day(ago)}::date, ${events}::int)`);
      await settle(admin);
      return tenant;
    },
    pasts: async (ago, tenants) => {
      await admin.query(
        sql`select public.feed(gen_random_uuid(), ${await day(ago)}::date, 1) from generate_series(1, ${tenants}::int)`,
      );
      await settle(admin);
    },
    log: (options = {}) => {
      const given = { pool, log: createLog('warn'), metrics: createMetrics(), dataDir: folder };
      const audit = kept.use(createAudit({ ...given, grammars: [] }));
      const sealer = kept.use(
        createArchive({ ...given, audit, openArchive: async () => openTarget(archive), ...options }),
      );
      return { audit, sealer };
    },
    appender: async (audit) => {
      const tenancy = createTenancy({
        pool,
        openTenant: identity.openTenant,
        append: audit.append,
        publish: async () => undefined,
      });
      return openTenant(tenancy, audit.provision);
    },
    [Symbol.asyncDispose]: async () => kept.disposeAsync(),
  };
}

/** As autovacuum would have left tables that did not grow in seconds. */
async function settle(admin: SqlPool): Promise<void> {
  for (const table of ['audit.event', 'audit.idempotency', 'audit.head'])
    await admin.withClient(async (client) => client.query(`vacuum analyze ${table}`));
}
