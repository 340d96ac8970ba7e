import { createAudit, migrations, name, type Audit } from '@steward/audit';
import * as identity from '@steward/identity';
import { createLog, createMetrics } from '@steward/kernel';
import { createTenancy, openPool, sql, type SqlPool, type TenantContext } from '@steward/sql';
import { createTestDatabase } from '@steward/testing';
import { childrenOf, cpuOf, postmasterOf } from '../processor.ts';
import type { Spent } from '../spent.ts';
import { openTenant } from '../tenant.ts';

export interface World extends AsyncDisposable {
  readonly audit: Audit;
  /** The application's login, with a connection for each caller: what the plain INSERT is run on. */
  readonly pool: SqlPool;
  readonly contexts: readonly TenantContext[];
  readonly first: TenantContext;
  /** A number not used before, for the plain table's key. */
  next(): number;
  /** Rows in the events' table. */
  count(): Promise<number>;
  /** Milliseconds that this process, and the database, have worked so far. */
  spent(): Promise<Spent>;
}

/** A migrated database with `tenants` open chains, and beside them a plain table of the same columns and indexes. */
export async function createWorld(tenants: number): Promise<World> {
  const database = await createTestDatabase([
    { component: identity.name, folder: identity.migrations },
    { component: name, folder: migrations },
  ]);
  await using owner = openPool({ url: database.ownerUrl, size: 1 });
  await owner.query(sql`create schema plain`);
  await owner.query(sql`create table plain.event (like audit.event including all)`);
  await owner.query(sql`grant usage on schema plain to public`);
  await owner.query(sql`grant insert on plain.event to public`);
  const admin = openPool({ url: database.adminUrl, size: 1 });
  const pool = openPool({ url: database.appUrl, size: 32 });
  const audit = createAudit({
    pool,
    grammars: [],
    log: createLog('warn'),
    metrics: createMetrics(),
    dataDir: 'unused',
  });
  const tenancy = createTenancy({
    pool,
    openTenant: identity.openTenant,
    append: audit.append,
    publish: async () => undefined,
  });
  const contexts = await Promise.all(Array.from({ length: tenants }, async () => openTenant(tenancy, audit.provision)));
  const postgres = await postmasterOf(admin);
  const [first] = contexts;
  if (first === undefined) throw new Error('a world has a tenant');
  let number = 0;
  return {
    audit,
    pool,
    contexts,
    first,
    next: () => (number += 1),
    count: async () => {
      const [row] = await admin.query<{ count: bigint }>(sql`select count(*) as count from audit.event`);
      return Number(row?.count);
    },
    spent: async () => {
      const { user, system } = process.cpuUsage();
      return { server: (user + system) / 1000, database: await cpuOf(await childrenOf(postgres)) };
    },
    [Symbol.asyncDispose]: async () => {
      await audit[Symbol.asyncDispose]();
      await pool.close();
      await admin.close();
      await database[Symbol.asyncDispose]();
    },
  };
}
