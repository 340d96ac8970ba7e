import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { newId, undeclared } from '@steward/kernel';
import { sql, inTransaction } from '@steward/sql';
import { openOperator } from '../component.ts';
import { anything, createWorld, numbered, range, recorder, type Instance, type World } from '../fixtures/world.ts';

describe('tenants of one round', () => {
  let world: World;
  before(async () => (world = await createWorld()));
  after(async () => world[Symbol.asyncDispose]());
  afterEach(async () => world.quiet());

  const tenants = (many: number): string[] => Array.from({ length: many }, () => newId());
  /** Published before the consumer begins, so that one round has them all; its first leaves all to those who go one by one. */
  const published = async (instance: Instance, all: readonly string[], numbers: readonly number[]): Promise<void> => {
    await Promise.all(all.map(async (tenant) => instance.publish(tenant, numbers)));
  };
  const begun = async (instance: Instance, consumer: string): Promise<void> => {
    const first = newId();
    instance.bus.start();
    await instance.publish(first, [0]);
    await world.had(consumer, first, [0]);
  };

  test('share commits, and each has its own once, in its order', async () => {
    const instance = world.instance([recorder('sharing')]);
    const all = tenants(40);
    await begun(instance, 'sharing');
    await published(instance, all, range(1, 3));
    for (const tenant of all) await world.had('sharing', tenant, range(1, 3));
    const rows = await world.admin.query<{ tenant_id: string; transaction: string }>(sql`
      select tenant_id, xmin::text as transaction from effects.effect where consumer = 'sharing' and number > 0`);
    const tenantsOf = Map.groupBy(rows, ({ transaction }) => transaction)
      .values()
      .map((some) => new Set(some.map(({ tenant_id }) => tenant_id)).size);
    assert.ok(Math.max(...tenantsOf) > 1, 'no commit was shared');
  });

  test('see nothing of one another, and what their handlers publish is their own', async () => {
    const seen = new Map<string, unknown[]>();
    const instance = world.instance([
      {
        name: 'walled',
        types: ['test.cause'],
        onFailure: 'park',
        handle: async (tx, event) => {
          await tx.query(sql`insert into effects.effect (tenant_id, consumer, event_id, number)
            values (${event.tenant}, 'walled', ${event.id}, ${Number(event.data['number'])}::int)`);
          const rows = await tx.query(sql`select distinct tenant_id from effects.effect`);
          seen.set(
            event.tenant,
            rows.map((row) => row['tenant_id']),
          );
          tx.publish(undeclared({ type: 'test.effect', source: 'test', data: {} }));
        },
      },
      recorder('beside'),
    ]);
    await begun(instance, 'beside');
    const all = tenants(12);
    const causes = new Map<string, string>();
    await Promise.all(
      all.map(async (tenant) =>
        instance
          .context(tenant)
          .require(anything)
          .write(async (tx) => void causes.set(tenant, tx.publish(numbered(1, 'test.cause')))),
      ),
    );
    const effects = sql`select tenant_id, causation_id from bus.outbox where type = 'test.effect'`;
    await world.until('all have an effect', async () => (await world.admin.query(effects)).length === all.length);
    for (const tenant of all) assert.deepEqual(seen.get(tenant), [tenant]);
    for (const row of await world.admin.query(effects))
      assert.equal(row['causation_id'], causes.get(String(row['tenant_id'])));
  });

  test('lose nothing by one that fails, and have nothing twice', async () => {
    const all = tenants(20);
    const [bad] = all;
    let failures = 0;
    const instance = world.instance([
      recorder('failing', {
        before: (number, tenant) => {
          if (tenant === bad && number === 2 && (failures += 1) < 2) throw new Error('not yet');
        },
      }),
    ]);
    await begun(instance, 'failing');
    await published(instance, all, range(1, 3));
    for (const tenant of all) await world.had('failing', tenant, range(1, 3));
    assert.equal(failures, 2);
  });

  test('are not left behind with one that is slow', async () => {
    await using operator = openOperator(world.db.ownerUrl);
    const all = tenants(20);
    const [slow] = all;
    const gate = Promise.withResolvers<void>();
    const instance = world.instance([
      recorder('dragging', { before: async (_number, tenant) => (tenant === slow ? gate.promise : undefined) }),
    ]);
    await begun(instance, 'dragging');
    await published(instance, all, [1]);
    for (const tenant of all.slice(1)) await world.had('dragging', tenant, [1]);
    await published(instance, all, [2]);
    for (const tenant of all.slice(1)) await world.had('dragging', tenant, [1, 2]);
    gate.resolve();
    await world.had('dragging', slow ?? '', [1, 2]);
    await world.until('nobody is behind', async () =>
      (await operator.status()).every(({ consumer, behind }) => consumer !== 'dragging' || behind === 0),
    );
  });

  test('go by themselves where a statement of one is refused only when all are committed', async () => {
    const all = tenants(10);
    const [bad] = all;
    const instance = world.instance([
      recorder('deferring', {
        handle: async (tx, event) => {
          const number = event.tenant === bad ? null : 1;
          tx.later(sql`insert into effects.effect (tenant_id, consumer, event_id, number)
            values (${event.tenant}, 'deferring', ${event.id}, ${number}::int)`);
        },
      }),
    ]);
    instance.bus.start();
    await sleep(50);
    await published(instance, all, [1]);
    for (const tenant of all.slice(1)) await world.had('deferring', tenant, [1]);
    await using operator = openOperator(world.db.ownerUrl);
    await world.until('the other is parked', async () =>
      (await operator.status()).some(({ consumer, parked }) => consumer === 'deferring' && parked === 1),
    );
    assert.deepEqual(await world.effects('deferring', bad ?? ''), []);
  });

  test('wait for none whose inbox another process has in hand', async () => {
    const instance = world.instance([recorder('held')]);
    const all = tenants(10);
    await begun(instance, 'held');
    await published(instance, all, [1]);
    for (const tenant of all) await world.had('held', tenant, [1]);
    const [taken = ''] = all;
    await inTransaction(world.admin, [], async (tx) => {
      await tx.query(sql`select from bus.inbox where tenant_id = ${taken} and consumer = 'held' for update`);
      await published(instance, all, [2]);
      for (const tenant of all.slice(1)) await world.had('held', tenant, [1, 2]);
      assert.deepEqual(await world.effects('held', taken), [1]);
    });
    await world.had('held', taken, [1, 2]);
    for (const tenant of all) assert.deepEqual(await world.effects('held', tenant), [1, 2]);
  });

  test('have their inboxes moved outside of every tenant only, and all of them or none', async () => {
    const instance = world.instance([]);
    const [one = '', other = ''] = tenants(2);
    const move = sql`select bus.take_together('moved', ${[one, other]}, ${[0n, 7n]}, ${[3n, 9n]})`;
    await assert.rejects(
      instance
        .context(one)
        .require(anything)
        .write(async (tx) => void (await tx.query(move))),
      {
        code: '42501',
      },
    );
    await assert.rejects(instance.pool.query(move), { code: 'BU001' });
    assert.deepEqual(await world.admin.query(sql`select from bus.inbox where consumer = 'moved'`), []);
  });
});
