import type { Seeded } from '@steward/console-app/fixtures';
import { openPool, sql } from '@steward/sql';
import { feedFunction } from '../archive/feed.ts';

/** Puts a log of so many events of today in place of the one that the seed wrote. */
export async function replaceLog({ world, tenant }: Pick<Seeded, 'world' | 'tenant'>, events: number): Promise<void> {
  await using admin = openPool({ url: world.db.adminUrl, size: 1, statementMilliseconds: 600_000 });
  await admin.query({ name: 'feed', text: feedFunction, values: [] });
  for (const table of ['idempotency', 'event', 'head']) {
    // Of a log nothing is taken away otherwise.
    await admin.withClient(async (client) => client.query(`alter table audit.${table} disable trigger all`));
    await admin.withClient(async (client) => client.query(`delete from audit.${table} where tenant_id = '${tenant}'`));
  }
  await admin.query(
    sql`select public.feed(${tenant}::uuid, (clock_timestamp() at time zone 'UTC')::date, ${events}::int)`,
  );
  await admin.withClient(async (client) => client.query('vacuum analyze audit.event'));
}
