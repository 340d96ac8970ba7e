import { permit } from '@steward/access';
import { createBus, migrations, publish, publishTogether, type Bus, type Consumer } from '@steward/bus';
import { createLog, createMetrics, newId } from '@steward/kernel';
import { createTenancy, openPool, type SqlPool, type Tenancy, type TenantContext } from '@steward/sql';
import { createTestDatabase } from '@steward/testing';

export const anything = permit('anything', ['platform']);
const itself = { type: 'system', id: 'bench' } as const;

export interface World extends AsyncDisposable {
  readonly pool: SqlPool;
  /** A bus of its own each time; `bus` is where producers publish. */
  open(consumer: Consumer): Bus;
  context(tenant: string): TenantContext;
}

/** Producers and one consumer in a process, as a server has them: pools apart, woken by the commit. */
export async function createWorld(producers: number): Promise<World> {
  const db = await createTestDatabase([{ component: 'bus', folder: migrations }]);
  const pool = openPool({ url: db.appUrl, size: producers });
  const deliveries = openPool({ url: db.appUrl, size: 10 });
  let bus: Bus | undefined;
  const ports = {
    openTenant: () => {
      throw new Error('no member acts here');
    },
    append: async () => undefined,
    publish: async (...given: Parameters<Bus['publish']>) => (bus ?? { publish }).publish(...given),
    together: {
      append: () => undefined,
      publish: (...given: Parameters<Bus['publishTogether']>) => (bus ?? { publishTogether }).publishTogether(...given),
    },
  };
  const tenancy: Tenancy = createTenancy({ pool, ...ports });
  return {
    pool,
    open: (consumer) =>
      (bus = createBus({
        tenancy: createTenancy({ pool: deliveries, ...ports }),
        log: createLog('silent'),
        metrics: createMetrics(),
        consumers: [consumer],
      })),
    context: (tenant) =>
      tenancy.systemContext({
        tenant,
        chain: [itself],
        subject: itself,
        caller: itself,
        requestId: newId(),
        correlationId: newId(),
      }),
    [Symbol.asyncDispose]: async () => {
      await bus?.[Symbol.asyncDispose]();
      await pool.close();
      await deliveries.close();
      await db[Symbol.asyncDispose]();
    },
  };
}
