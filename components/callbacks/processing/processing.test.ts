import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { newId } from '@steward/kernel';
import { sql, type TenantContext } from '@steward/sql';
import { eraseBodies } from '../bodies/erase.ts';
import { pauseConnection, resumeConnection } from '../connections/change.ts';
import { getDelivery, readBody } from '../deliveries/get.ts';
import { listDeliveries } from '../deliveries/list.ts';
import { rejectDelivery, replayDeliveries, retryDelivery } from '../deliveries/operate.ts';
import { event } from '../events.ts';
import { codeOf, createWorld, effect, type Process, stripeEvent, type World } from '../fixtures/world.ts';
import { operateCallbacks } from '../permissions.ts';
import { type Delivery, NeverApplies, type Projection } from '../receivers/receiver.ts';

describe('deliveries', () => {
  let world: World;
  let one: Process;
  let context: TenantContext;
  let connection: string;
  let projection: Projection<never>;
  /** What the projection does before its effect. */
  let before_: (delivery: Delivery) => Promise<void> = async () => undefined;
  before(async () => {
    world = await createWorld();
    const wary: Projection = {
      fetch: async () => undefined,
      apply: async (tx, delivery) => {
        await before_(delivery);
        const became = await effect.apply(tx, delivery, undefined);
        tx.record(event('callbacks.delivery.retried', { delivery_id: newId() }));
        return became;
      },
    };
    projection = wary as Projection<never>;
    one = world.process({ projection });
    one.start();
    context = await world.tenant();
    connection = await world.connected(context, one);
  });
  after(async () => world[Symbol.asyncDispose]());

  let count = 0;
  const send = async (more: Record<string, unknown> = {}): Promise<string> => {
    const id = `evt_${randomUUID()}`;
    await one.receive(stripeEvent(id, more), { connection });
    count += 1;
    return id;
  };
  const row = async (id: string): Promise<Record<string, unknown>> => {
    const found = (await world.deliveries(context.tenant)).find(({ event_id: of }) => of === id);
    assert.ok(found);
    return found;
  };
  const settled = async (): Promise<unknown> => world.settled(context.tenant, count);
  const effectsOf = async (id: string): Promise<number> =>
    (await world.effects(context.tenant)).filter(({ event_id: of }) => of === id).length;

  /** A worker that was stopped does not start again. */
  const startAgain = (): void => {
    one = world.process({ projection });
    one.start();
  };

  test('are the cause of what they do, with one correlation and the provider’s id of the event', async () => {
    const id = await send();
    await settled();
    const delivery = await row(id);
    const events = (await world.events(context.tenant)).filter(({ source }) => source === id);
    assert.deepEqual(
      events.map(({ type }) => type),
      ['callbacks.delivery.applied', 'callbacks.delivery.retried'],
    );
    assert.equal(events[0]?.['id'], delivery['audit_event_id']);
    assert.equal(events[1]?.['cause'], events[0]?.['id']);
    for (const { correlation } of events) assert.equal(correlation, delivery['delivery_id']);
    assert.deepEqual(await world.told(), []);
  });

  test('are tried again until they succeed, and what failed left nothing', async () => {
    let failures = 2;
    before_ = async () => {
      failures -= 1;
      if (failures >= 0) throw new Error('down');
    };
    const id = await send();
    for (;;) {
      const { status, attempts, delivery_id: of } = await row(id);
      if (status === 'applied') break;
      if (status === 'waiting' && Number(attempts) > 0)
        await retryDelivery(context, { deliveryId: String(of) }, one.ports);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    before_ = async () => undefined;
    assert.equal(await effectsOf(id), 1);
  });

  test('that fail are taken for no process that ended, however often they fail', async () => {
    let failures = 7;
    before_ = async () => {
      failures -= 1;
      if (failures >= 0) throw new Error('down');
    };
    const id = await send();
    for (;;) {
      const { status, attempts, begun, delivery_id: of } = await row(id);
      assert.notEqual(status, 'dead');
      if (status === 'applied') break;
      if (Number(attempts) > 0 && Number(begun) === 0)
        await world.admin.query(
          sql`update callbacks.delivery set next_at = clock_timestamp() where delivery_id = ${String(of)}::uuid and begun = 0 and next_at > clock_timestamp()`,
        );
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    before_ = async () => undefined;
    assert.equal(await effectsOf(id), 1);
  });

  test('that can never be carried out wait for a person, who retries or rejects them', async () => {
    before_ = async () => {
      throw new NeverApplies('There is no such thing here.');
    };
    const ids = [await send(), await send()];
    await settled();
    before_ = async () => undefined;
    const [retried, rejected] = await Promise.all(ids.map(async (id) => String((await row(id))['delivery_id'])));
    const dead = await getDelivery(context, { deliveryId: retried ?? '' });
    assert.deepEqual([dead.status, dead.lastError], ['dead', 'There is no such thing here.']);
    await retryDelivery(context, { deliveryId: retried ?? '' }, one.ports);
    await rejectDelivery(context, { deliveryId: rejected ?? '', reason: 'sent by mistake' });
    await settled();
    assert.deepEqual([await effectsOf(ids[0] ?? ''), await effectsOf(ids[1] ?? '')], [1, 0]);
    assert.equal(
      await codeOf(rejectDelivery(context, { deliveryId: retried ?? '', reason: 'too late' })),
      'delivery_state',
    );
    assert.equal(await codeOf(retryDelivery(context, { deliveryId: newId() }, one.ports)), 'not_found');
    assert.deepEqual(await world.told(), []);
  });

  test('of one resource are carried out in the order of the provider, whatever the order they came in', async () => {
    const order = [5, 3, 1, 4, 2];
    await world.admin.query(
      sql`update callbacks.connection set status = 'paused' where connection_id = ${connection}::uuid`,
    );
    for (const at of order)
      await send({ created: 1_790_000_000 + at, amount: at, data: { object: { id: 'ob_ordered' } } });
    await world.admin.query(
      sql`update callbacks.connection set status = 'active' where connection_id = ${connection}::uuid`,
    );
    await world.admin.query(
      sql`update callbacks.delivery set status = 'waiting', next_at = now() where tenant_id = ${context.tenant}::uuid and status = 'held'`,
    );
    one.ports.wake();
    await settled();
    const done = (await world.effects(context.tenant)).filter(({ resource }) => resource === 'ob_ordered');
    assert.deepEqual(
      done.map(({ amount }) => amount),
      ['1', '2', '3', '4', '5'],
    );
  });

  test('of a topic that nothing follows are recorded and ignored', async () => {
    const id = await send({ type: 'nobody.cares' });
    await settled();
    const { status, audit_event_id: recorded } = await row(id);
    assert.equal(status, 'ignored');
    assert.ok(
      (await world.events(context.tenant)).some(
        (one) => one['id'] === recorded && one['type'] === 'callbacks.delivery.ignored',
      ),
    );
  });

  test('are replayed by id or time without a second effect, and the log tells of it', async () => {
    const id = await send();
    await settled();
    const before = await row(id);
    const deliveryId = String(before['delivery_id']);
    const { deliveryIds } = await replayDeliveries(context, { deliveryIds: [deliveryId] }, one.ports);
    assert.deepEqual(deliveryIds, [deliveryId]);
    await settled();
    const afterwards = await row(id);
    assert.notEqual(afterwards['audit_event_id'], before['audit_event_id']);
    assert.equal(await effectsOf(id), 1);
    const all = await replayDeliveries(context, { from: '2020-01-01T00:00:00.000Z' }, one.ports);
    assert.ok(all.deliveryIds.length > 3 && !all.more);
    await settled();
    assert.deepEqual(await world.told(), []);
  });

  test('that a process was killed over are carried out by another once the lease is over; what it still does is lost', async () => {
    let release = (): void => undefined;
    const stuck = new Promise<void>((resolve) => {
      before_ = async () => {
        before_ = async () => undefined;
        resolve();
        await new Promise<void>((done) => {
          release = done;
        });
      };
    });
    const id = await send();
    await stuck;
    // The row is held by the transaction of whoever works on it, so nobody else begins.
    const { delivery_id: of } = await row(id);
    const [skipped] = await world.admin.query(
      sql`select * from callbacks.lease(${'00000000-0000-0000-0000-000000000000'}::uuid, 1, interval '1 second')`,
    );
    assert.equal(skipped, undefined);
    release();
    await settled();
    assert.equal((await row(id))['status'], 'applied');
    assert.ok(of);
    assert.equal(await effectsOf(id), 1);
  });

  test('of one resource that two work on at once hold up neither the other nor whoever waits for the same', async () => {
    const applied: string[] = [];
    const [begun, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const colliding: Projection = {
      apply: async (tx, { eventId }) => {
        applied.push(eventId);
        await tx.query(sql`select pg_advisory_xact_lock(4711)`);
        begun.resolve();
        if (applied.length === 1) await go.promise;
        return [{ kind: 'effect', id: eventId }];
      },
    };
    const own = world.process({ projection: colliding as Projection<never> });
    await one.stop();
    own.start();
    const at = await world.tenant();
    const there = await world.connected(at, own, { live: false });
    const event = (created: number): string =>
      stripeEvent(`evt_${randomUUID()}`, { created, livemode: false, data: { object: { id: 'ob_both' } } });
    await own.receive(event(1_790_000_060), { connection: there });
    await begun.promise;
    // It happened before the one that is worked on, and comes only now.
    await own.receive(event(1_790_000_000), { connection: there });
    for (let waits = 0; waits === 0;) {
      const [row] = await world.admin.query<{ waits: number }>(
        sql`select count(*)::int as waits from pg_locks where locktype = 'advisory' and objid = 4711 and not granted`,
      );
      waits = row?.waits ?? 0;
    }
    go.resolve();
    await world.settled(at.tenant, 2);
    await own.stop();
    startAgain();
    assert.equal(applied.length, 2, 'none was undone for the other');
  });

  test('over which processes end again and again wait for a person, and no later one of their resource waits for them', async () => {
    await one.stop();
    const first = await send({ created: 1_790_000_000, data: { object: { id: 'ob_deadly' } } });
    const second = await send({ created: 1_790_000_001, data: { object: { id: 'ob_deadly' } } });
    for (let ended = 0; ended < 5; ended += 1) {
      const [leased] = await one.pool.query(
        sql`select * from callbacks.lease(${newId()}::uuid, 1, interval '0 seconds')`,
      );
      assert.equal(leased?.['delivery_id'], (await row(first))['delivery_id']);
    }
    startAgain();
    await settled();
    const dead = await row(first);
    assert.deepEqual([dead['status'], await effectsOf(first), await effectsOf(second)], ['dead', 0, 1]);
    assert.match(String(dead['last_error']), /ended/);
    await retryDelivery(context, { deliveryId: String(dead['delivery_id']) }, one.ports);
    await settled();
    assert.equal(await effectsOf(first), 1, 'a person may have it tried again');
  });

  test('that were under way when a process ended are each leased alone from then on', async () => {
    await one.stop();
    for (let sent = 0; sent < 3; sent += 1) await send();
    const leased = async (): Promise<number> =>
      (await one.pool.query(sql`select * from callbacks.lease(${newId()}::uuid, 4, interval '0 seconds')`)).length;
    assert.deepEqual([await leased(), await leased(), await leased(), await leased()], [3, 1, 1, 1]);
    startAgain();
    await settled();
  });

  test('that somebody writes or changes with the database in hand are not carried out', async () => {
    await world.admin.query(
      sql`update callbacks.connection set status = 'paused' where connection_id = ${connection}::uuid`,
    );
    const ids = [await send({ amount: 1 }), await send({ amount: 1 }), await send({ amount: 1 })];
    await world.admin.query(
      sql`update callbacks.connection set status = 'active' where connection_id = ${connection}::uuid`,
    );
    const [first, second, third] = await Promise.all(ids.map(async (id) => String((await row(id))['delivery_id'])));
    const changes = [
      sql`update callbacks.delivery set body = convert_to(replace(convert_from(body, 'UTF8'), '"amount":1', '"amount":9'), 'UTF8') where delivery_id = ${first}::uuid`,
      sql`update callbacks.delivery set topic = 'thing.changed' where delivery_id = ${second}::uuid`,
      sql`update callbacks.delivery set delivery_id = ${newId()}::uuid where delivery_id = ${third}::uuid`,
    ];
    for (const change of changes) await world.admin.query(change);
    await world.admin.query(
      sql`update callbacks.delivery set status = 'waiting', next_at = now() where tenant_id = ${context.tenant}::uuid and status = 'held'`,
    );
    one.ports.wake();
    await settled();
    for (const id of ids) {
      assert.equal((await row(id))['status'], 'dead');
      assert.equal(await effectsOf(id), 0);
    }
  });

  test('that name somebody whose data is erased are carried out first where they wait, shown to nobody, and forgotten then', async () => {
    await pauseConnection(context, { connectionId: connection }, one.ports);
    const id = await send({ receipt_email: 'Ann@Example.com' });
    const deliveryId = String((await row(id))['delivery_id']);
    assert.ok((await readBody(context, { deliveryId })).body);
    await context.require(operateCallbacks).write(async (tx) => eraseBodies(tx, ['ann@example.com']));
    assert.equal((await readBody(context, { deliveryId })).body, null);
    await resumeConnection(context, { connectionId: connection }, one.ports);
    await settled();
    assert.equal(await effectsOf(id), 1);
    const others = (await world.deliveries(context.tenant)).filter(({ body }) => body !== null).length;
    await world.admin.query(sql`select callbacks.forget_bodies(interval '45 days', 100)`);
    const { body, headers, mentions, status } = await row(id);
    assert.deepEqual([body, headers, mentions, status], [null, null, [], 'applied']);
    assert.equal((await world.deliveries(context.tenant)).filter(({ body: kept }) => kept !== null).length, others - 1);
  });

  test('that became something of somebody are erased with them, also where they name nobody', async () => {
    const parcel = newId();
    const own = world.process({
      projection: { apply: async () => [{ kind: 'fulfilment', id: parcel }] } as Projection as Projection<never>,
    });
    await one.stop();
    own.start();
    const id = await send();
    await settled();
    await own.stop();
    startAgain();
    const erase = async (text: string): Promise<number> =>
      context.require(operateCallbacks).write(async (tx) => eraseBodies(tx, [text]));
    assert.deepEqual([await erase(newId()), await erase(parcel), await erase(parcel)], [0, 1, 0]);
    assert.equal((await row(id))['body'], null);
  });

  test('are left alone by a process that does not know what they are for', async () => {
    const other = world.process({ receivers: [] });
    await one.stop();
    other.start();
    const id = await send();
    for (;;) {
      const { next_at: next, lease } = await row(id);
      if (Number(lease) > 0 && (next as Date).getTime() > Date.now() + 10_000) break;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    const { status, attempts } = await row(id);
    assert.deepEqual([status, attempts], ['waiting', 0]);
  });

  test('are seen by members of their tenant alone, and what was sent by whoever may', async () => {
    const stranger = await world.tenant({ mallory: 'owner' });
    assert.deepEqual((await listDeliveries(stranger, { limit: 50 }, one.ports)).items, []);
    const deliveryId = (await listDeliveries(context, { limit: 1 }, one.ports)).items[0]?.id ?? '';
    assert.equal(await codeOf(getDelivery(stranger, { deliveryId })), 'not_found');
    assert.equal(await codeOf(readBody(stranger, { deliveryId })), 'not_found');
    assert.ok((await readBody(context, { deliveryId })).body);
  });

  test('that somebody rewrites in the database are found by verification', async () => {
    for (const tampering of [
      `update callbacks.delivery set status = 'ignored' where status = 'applied'`,
      `update callbacks.delivery set became = '[{"kind":"effect","id":"other"}]' where status = 'applied'`,
      `update callbacks.delivery set topic = 'thing.changed' where status = 'applied'`,
      `update callbacks.connection set live = not live`,
      `update callbacks.connection set proven_at = now(), account = 'acct_x'`,
      `update callbacks.connection set status = 'removed'`,
    ])
      assert.notDeepEqual(await world.told(tampering), [], tampering);
  });
});
