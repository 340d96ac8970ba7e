import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createWorld, type World } from '@steward/conformance/world';
import { billingVariables, startBillingProvider } from '@steward/portal/testing';
import { recorded } from '@steward/server/recorded';
import { openPool } from '@steward/sql';
import { startDns } from '@steward/testing';
import { openTenant } from '../binding/tenant.ts';
import { billed } from './billed.ts';
import { everything } from './everything.ts';
import { rewrites } from './rewrites.ts';
import { unheld } from './unheld.ts';

describe('what whoever owns the database rewrites', () => {
  const stack = new AsyncDisposableStack();
  let world: World;
  before(async () => {
    const provider = stack.use(await startBillingProvider());
    const dns = stack.use(await startDns());
    world = stack.use(await createWorld({ ...billingVariables(provider), BRAND_HOST_DNS: dns.address }));
    await everything(world, await openTenant(world, dns));
    await billed(world, provider);
  });
  after(async () => stack.disposeAsync());

  test('is told, column by column of every table that there is, but for those of one list', async (t) => {
    const url = new URL(world.db.adminUrl);
    url.searchParams.set('options', '-c session_replication_role=replica');
    await using admin = openPool({ url: url.href, size: 1 });
    const { told, unseen } = await rewrites(admin, world.db);
    assert.deepEqual(await told(recorded), [], 'where nothing was rewritten, nothing is told');
    const { columns, names } = await unseen(recorded);
    t.diagnostic(`${columns.length} columns, ${names.length} of them held to nothing`);
    const whole = [...Map.groupBy(columns, ({ table }) => table)]
      .filter(([table, own]) => own.every(({ column }) => names.includes(`${table}.${column}`)))
      .map(([table]) => table);
    const tableOf = (name: string): string => name.slice(0, name.lastIndexOf('.'));
    const listed = Object.keys(unheld);
    assert.deepEqual(
      names.filter((name) => !listed.includes(name) && !listed.includes(tableOf(name))),
      [],
      'nothing is told of these: have them held to an event, or give the reason why not',
    );
    assert.deepEqual(
      listed.filter((name) => !names.includes(name) && !whole.includes(name)),
      [],
      'listed, and told of, or not there',
    );
  });
});
