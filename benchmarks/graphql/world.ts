import { newId } from '@steward/kernel';
import { createTenancy, openPool, sql, type SqlPool, type TenantContext } from '@steward/sql';
import { createTestDatabase } from '@steward/testing';
import { someEvents } from './events.ts';

const alice = { type: 'user', id: 'alice' } as const;

/** One caller's contexts in a tenant whose membership is not in question. */
export function contexts(pool: SqlPool, tenant: string): () => TenantContext {
  const tenancy = createTenancy({
    pool,
    openTenant: (id) => sql`select set_config('app.tenant_id', ${id}, true), 'owner' as role`,
    append: async () => undefined,
    publish: async () => undefined,
  });
  return () =>
    tenancy.context({ tenant, chain: [alice], subject: alice, caller: alice, requestId: 'r', correlationId: 'c' });
}

/** A database of its own with one tenant that has `count` events. */
export async function createWorld(
  count: number,
): Promise<AsyncDisposable & { readonly url: string; readonly tenant: string }> {
  const database = await createTestDatabase([
    { component: 'bench', folder: new URL('./migrations/', import.meta.url) },
  ]);
  const tenant = newId();
  const texts = someEvents(count).map((event) => JSON.stringify(event));
  await using admin = openPool({ url: database.adminUrl, size: 1 });
  await admin.query(sql`insert into bench.event
    select ${tenant}::uuid, place, event from unnest(${texts}::text[]) with ordinality as given(event, place)`);
  await admin.query(sql`analyze bench.event`);
  return { url: database.appUrl, tenant, [Symbol.asyncDispose]: async () => database[Symbol.asyncDispose]() };
}
