import { grammar, migrations, provision } from '@steward/accounting';
import * as audit from '@steward/audit';
import * as bus from '@steward/bus';
import * as identity from '@steward/identity';
import { createLog, createMetrics, newId } from '@steward/kernel';
import { createTenancy, openPool, type SqlPool, type TenantContext } from '@steward/sql';
import { createTestDatabase } from '@steward/testing';
import { openTenant } from '../tenant.ts';

export interface World extends AsyncDisposable {
  /** The application's login. */
  readonly pool: SqlPool;
  readonly admin: SqlPool;
  /** The owner of a new tenant whose books are open. */
  tenant(): Promise<TenantContext>;
}

export async function createWorld(): Promise<World> {
  const database = await createTestDatabase(
    [identity, audit, bus]
      .map(({ name, migrations: folder }) => ({ component: name, folder }))
      .concat({ component: 'accounting', folder: migrations }),
  );
  const pool = openPool({ url: database.appUrl, size: 16, statementMilliseconds: 120_000 });
  const admin = openPool({ url: database.adminUrl, size: 2, statementMilliseconds: 600_000 });
  const log = createAuditLog(pool);
  const tenancy = createTenancy({ pool, openTenant: identity.openTenant, append: log.append, publish: bus.publish });
  return {
    pool,
    admin,
    tenant: async () =>
      openTenant(tenancy, async (tx) => {
        await log.provision(tx);
        await provision(tx, {
          persona: 'general',
          defaultCurrency: 'EUR',
          fiscalYearStartMonth: 1,
          causalId: newId(),
        });
      }),
    [Symbol.asyncDispose]: async () => {
      await log[Symbol.asyncDispose]();
      await pool.close();
      await admin.close();
      await database[Symbol.asyncDispose]();
    },
  };
}

const createAuditLog = (pool: SqlPool): audit.Audit =>
  audit.createAudit({ pool, grammars: [grammar], log: createLog('warn'), metrics: createMetrics(), dataDir: 'unused' });
