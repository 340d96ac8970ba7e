import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, afterEach, before, describe, test } from 'node:test';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { AckPolicy, DeliverPolicy, jetstream, jetstreamManager, type JetStreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { newId } from '@steward/kernel';
import { sql } from '@steward/sql';
import { openOperator, type NatsSettings, type Operator } from '../component.ts';
import type { CloudEvent } from '../envelope/cloud-event.ts';
import { createBroker } from '../fixtures/broker.ts';
import { usualStream } from './settings.ts';
import { createWorld, range, recorder, type Instance, type World } from '../fixtures/world.ts';

const shared = process.env['NATS_TEST_URL'] ?? '';

interface Message {
  readonly subject: string;
  readonly id: string;
  readonly event: CloudEvent;
}

/** Everything that the stream holds, in its order. */
async function stored(url: string, { stream = '' }: NatsSettings): Promise<Message[]> {
  const connection = await connect({ servers: url });
  try {
    const manager = await jetstreamManager(connection);
    const { state } = await manager.streams.info(stream);
    if (state.messages === 0) return [];
    const reader = await jetstream(connection).consumers.get(stream, { deliver_policy: DeliverPolicy.All });
    const messages: Message[] = [];
    for await (const message of await reader.consume({ max_messages: 1_000 })) {
      messages.push({
        subject: message.subject,
        id: message.headers?.get('Nats-Msg-Id') ?? '',
        event: message.json<CloudEvent>(),
      });
      if (message.info.pending === 0) break;
    }
    return messages;
  } finally {
    await connection.close();
  }
}

const numbersOf = (messages: readonly Message[], tenant: string): number[] =>
  messages.filter(({ event }) => event.partitionkey === tenant).map(({ event }) => Number(event.data['number']));

describe('events to NATS', () => {
  let world: World;
  let operator: Operator;
  before(async () => {
    world = await createWorld();
    operator = openOperator(world.db.ownerUrl);
  });
  afterEach(async () => {
    await world.quiet();
    await operator.forget('nats');
  });
  after(async () => {
    await operator[Symbol.asyncDispose]();
    await world[Symbol.asyncDispose]();
  });

  /** A stream of the test's own on a server that others use too. */
  const settingsAt = (url: string): NatsSettings => {
    const own = `T${randomBytes(6).toString('hex')}`;
    return { servers: [url], credentials: undefined, replicas: 1, stream: own, prefix: `${own}.events` };
  };
  const sent = async (instance: Instance, settings: NatsSettings, url: string, many: number): Promise<Message[]> => {
    await world.until('it is reachable', async () => instance.bus.natsHealthy === true);
    let messages: Message[] = [];
    await world.until(`${many} are stored`, async () => {
      messages = await stored(url, settings);
      return messages.length >= many;
    });
    return messages;
  };
  const drop = async (url: string, { stream = '' }: NatsSettings): Promise<void> => {
    const connection = await connect({ servers: url });
    await (await jetstreamManager(connection)).streams.delete(stream);
    await connection.close();
  };

  test('are CloudEvents on a subject a tenant, each once, in order, whatever its consumers here do', async () => {
    const settings = settingsAt(shared);
    const tenants = [newId(), newId()];
    const instance = world.instance([recorder('beside-nats')], { nats: settings });
    instance.bus.start();
    for (const number of range(1, 20)) {
      for (const tenant of tenants) await instance.publish(tenant, [number]);
    }
    const messages = await sent(instance, settings, shared, 40);
    assert.equal(messages.length, 40);
    for (const tenant of tenants) {
      assert.deepEqual(numbersOf(messages, tenant), range(1, 20));
      await world.until(
        'own consumers have all',
        async () => (await world.effects('beside-nats', tenant)).length >= 20,
      );
      assert.deepEqual(await world.effects('beside-nats', tenant), range(1, 20));
    }
    for (const { subject, id, event } of messages) {
      assert.equal(subject, `${settings.prefix}.${event.partitionkey}.test.thing.happened`);
      assert.deepEqual([event.specversion, event.id], ['1.0', id]);
    }
    const sequences = messages.map(({ event }) => event.sequence);
    assert.deepEqual(sequences.toSorted(), sequences);
    await drop(shared, settings);
  });

  test('can be published again from the outbox: known ids are dropped, and a lost stream is filled anew', async () => {
    const settings = settingsAt(shared);
    const tenant = newId();
    const instance = world.instance([], { nats: settings });
    instance.bus.start();
    await instance.publish(tenant, range(1, 300));
    await sent(instance, settings, shared, 300);
    await operator.replay('nats', { beginning: true });
    await instance.publish(tenant, range(301, 310));
    assert.deepEqual(numbersOf(await sent(instance, settings, shared, 310), tenant), range(1, 310));
    await instance[Symbol.asyncDispose]();
    await drop(shared, settings);
    await operator.replay('nats', { beginning: true });
    const next = world.instance([], { nats: settings });
    next.bus.start();
    assert.deepEqual(numbersOf(await sent(next, settings, shared, 310), tenant), range(1, 310));
    await assert.rejects(operator.replay('nats', { beginning: true }, tenant), /for all tenants/);
    await drop(shared, settings);
  });

  test('that the cursor was moved over are found, told, and sent in their order', async () => {
    const settings = settingsAt(shared);
    const tenant = newId();
    const first = world.instance([], { nats: settings });
    first.bus.start();
    await first.publish(tenant, range(1, 5));
    await sent(first, settings, shared, 5);
    await first.bus[Symbol.asyncDispose]();
    await first.publish(tenant, range(6, 20));
    await world.admin.query(sql`
      update bus.consumer set position = (select last_value from bus.outbox_position_seq) where name = 'nats'`);
    const next = world.instance([], { nats: settings });
    next.bus.start();
    await next.publish(tenant, [21]);
    assert.deepEqual(numbersOf(await sent(next, settings, shared, 21), tenant), range(1, 21));
    assert.equal((await operator.status()).find(({ consumer }) => consumer === 'nats')?.passedOver, 15);
    await drop(shared, settings);
  });

  test('keep their order where the server has some of them and not those before', async () => {
    const settings = settingsAt(shared);
    const tenant = newId();
    const instance = world.instance([], { nats: settings });
    instance.bus.start();
    await instance.publish(tenant, range(1, 5));
    await sent(instance, settings, shared, 5);
    // Somebody else writes into the stream: the last message is not the one that is expected.
    const connection = await connect({ servers: shared });
    await jetstream(connection).publish(
      `${settings.prefix}.${newId()}.other`,
      JSON.stringify({ partitionkey: 'x', data: {} }),
    );
    await connection.close();
    await operator.replay('nats', { beginning: true });
    await instance.publish(tenant, range(6, 40));
    assert.deepEqual(numbersOf(await sent(instance, settings, shared, 41), tenant), range(1, 40));
    await drop(shared, settings);
  });

  test('survive a server that is killed in the middle, several times: none is lost, none comes twice', async () => {
    await using broker = await createBroker();
    const settings = settingsAt(broker.url);
    const tenants = range(1, 4).map(() => newId());
    const instances = [world.instance([], { nats: settings }), world.instance([], { nats: settings })];
    await broker.start();
    for (const { bus } of instances) bus.start();
    const instance = instances[0] as Instance;
    await world.until('it is there', async () => instance.bus.natsHealthy === true);
    let published = 0;
    const work = new AbortController();
    const publishing = Promise.all(
      tenants.map(async (tenant) => {
        for (let number = 1; !work.signal.aborted; number += 10) {
          await instance.publish(tenant, range(number, number + 9));
          published += 10;
        }
      }),
    );
    for (let round = 0; round < 3; round += 1) {
      await sleep(300);
      await broker.kill();
      // Producers do not notice.
      const before = published;
      await world.until('events are still published', async () => published > before);
      await broker.start();
    }
    work.abort();
    await publishing;
    const messages = await sent(instance, settings, broker.url, published);
    assert.equal(messages.length, published);
    assert.equal(new Set(messages.map(({ id }) => id)).size, published);
    for (const tenant of tenants) {
      const numbers = numbersOf(messages, tenant);
      assert.deepEqual(numbers, range(1, numbers.length));
    }
  });

  test('that a server had acknowledged and comes back without are found, told, and sent again in their order', async () => {
    await using broker = await createBroker();
    const settings = settingsAt(broker.url);
    const tenant = newId();
    const instance = world.instance([], { nats: settings });
    await broker.start();
    instance.bus.start();
    await instance.publish(tenant, range(1, 5));
    await sent(instance, settings, broker.url, 5);
    await broker.kill();
    const putBack = await broker.keep();
    await broker.start();
    await instance.publish(tenant, range(6, 10));
    await sent(instance, settings, broker.url, 10);
    await broker.kill();
    await putBack();
    await instance.publish(tenant, [11]);
    await broker.start();
    assert.deepEqual(numbersOf(await sent(instance, settings, broker.url, 11), tenant), range(1, 11));
    assert.equal((await operator.status()).find(({ consumer }) => consumer === 'nats')?.passedOver, 5);
  });

  /** An instance that has sent so many, and what is to happen to the stream on a connection of its own. */
  const then = async (many: number, happens: (manager: JetStreamManager, settings: NatsSettings) => Promise<void>) => {
    const settings = settingsAt(shared);
    const tenant = newId();
    const instance = world.instance([], { nats: settings });
    instance.bus.start();
    await instance.publish(tenant, range(1, many));
    await sent(instance, settings, shared, many);
    const connection = await connect({ servers: shared });
    await happens(await jetstreamManager(connection), settings);
    await connection.close();
    return { settings, tenant, instance };
  };
  const passedOver = async (): Promise<number | undefined> =>
    (await operator.status()).find(({ consumer }) => consumer === 'nats')?.passedOver;

  test('are all sent to a stream that is new when a process comes back, and that is told', async () => {
    const { settings, tenant, instance } = await then(20, async (manager, { stream = '' }) => {
      await manager.streams.delete(stream);
    });
    await instance[Symbol.asyncDispose]();
    const next = world.instance([], { nats: settings });
    next.bus.start();
    assert.deepEqual(numbersOf(await sent(next, settings, shared, 20), tenant), range(1, 20));
    await next.publish(tenant, range(21, 25));
    assert.deepEqual(numbersOf(await sent(next, settings, shared, 25), tenant), range(1, 25));
    assert.equal(await passedOver(), 20);
    await drop(shared, settings);
  });

  test('are all sent again, in their order, where the stream goes while the server is there', async () => {
    const { settings, tenant, instance } = await then(20, async (manager, { stream = '' }) => {
      await manager.streams.delete(stream);
    });
    await instance.publish(tenant, [21]);
    let messages: Message[] = [];
    await world.until('it is there again', async () => {
      messages = await stored(shared, settings).catch(() => []);
      return messages.length >= 21;
    });
    assert.deepEqual(numbersOf(messages, tenant), range(1, 21));
    assert.equal(await passedOver(), 20);
    await drop(shared, settings);
  });

  test('are all sent again, in their order, where somebody makes the stream anew while the server is there', async () => {
    const { settings, tenant, instance } = await then(20, async (manager, { stream = '', prefix }) => {
      await manager.streams.delete(stream);
      await manager.streams.add({ name: stream, subjects: [`${prefix}.>`] });
    });
    await instance.publish(tenant, [21]);
    assert.deepEqual(numbersOf(await sent(instance, settings, shared, 21), tenant), range(1, 21));
    assert.equal(await passedOver(), 20);
    await drop(shared, settings);
  });

  test('are not sent again because somebody emptied the stream', async () => {
    const { settings, tenant, instance } = await then(20, async (manager, { stream = '' }) => {
      await manager.streams.purge(stream);
    });
    await instance[Symbol.asyncDispose]();
    const next = world.instance([], { nats: settings });
    next.bus.start();
    await next.publish(tenant, [21]);
    assert.deepEqual(numbersOf(await sent(next, settings, shared, 1), tenant), [21]);
    assert.equal(await passedOver(), 0);
    await drop(shared, settings);
  });

  test('take no more rights than the guide for operators of events asks for', async () => {
    const guide = await readFile(new URL('../../../docs/guides/events.md', import.meta.url), 'utf8');
    const asked = /A user for Steward needs to publish to (?<rights>.+), and to subscribe/.exec(guide)?.groups;
    const rights = [...(asked?.['rights'] ?? '').matchAll(/`([^`]+)`/g)].map(([, right]) => right ?? '');
    await using broker = await createBroker(rights);
    await broker.start();
    const login = { user: 'steward', password: 'steward' };
    const settings: NatsSettings = { servers: [broker.url], credentials: login, replicas: 1, stream: usualStream };
    const tenant = newId();
    const instance = world.instance([], { nats: settings });
    instance.bus.start();
    await instance.publish(tenant, range(1, 5));
    assert.deepEqual(numbersOf(await sent(instance, settings, broker.url, 5), tenant), range(1, 5));
  });

  test('wait in the outbox while there is no server, and consumers here go on', async () => {
    await using broker = await createBroker();
    const settings = settingsAt(broker.url);
    const tenant = newId();
    const instance = world.instance([recorder('without-nats')], { nats: settings });
    instance.bus.start();
    await instance.publish(tenant, range(1, 30));
    await world.until(
      'own consumers have all',
      async () => (await world.effects('without-nats', tenant)).length === 30,
    );
    await world.until('the server is known to be away', async () => instance.bus.natsHealthy === false);
    assert.equal(instance.bus.healthy, true);
    await world.until('all of them wait', async () => {
      const nats = (await operator.status()).find(({ consumer }) => consumer === 'nats');
      return (nats?.waiting ?? 0) >= 30;
    });
    await broker.start();
    assert.deepEqual(numbersOf(await sent(instance, settings, broker.url, 30), tenant), range(1, 30));
  });

  test('a durable consumer of one tenant at a time has redelivered events before later ones', async () => {
    const settings = settingsAt(shared);
    const tenant = newId();
    const instance = world.instance([], { nats: settings });
    instance.bus.start();
    await instance.publish(tenant, range(1, 6));
    await sent(instance, settings, shared, 6);
    const connection: NatsConnection = await connect({ servers: shared });
    const manager = await jetstreamManager(connection);
    // As docs/guides/events.md shows it.
    await manager.consumers.add(settings.stream ?? '', {
      durable_name: 'follower',
      filter_subject: `${settings.prefix}.${tenant}.>`,
      ack_policy: AckPolicy.Explicit,
      ack_wait: 200 * 1_000_000,
      max_ack_pending: 1,
    });
    const follower = await jetstream(connection).consumers.get(settings.stream ?? '', 'follower');
    const seen: number[] = [];
    for await (const message of await follower.consume()) {
      const { data } = message.json<CloudEvent>();
      seen.push(Number(data['number']));
      // The third is lost twice in the act.
      if (data['number'] === 3 && seen.filter((number) => number === 3).length < 3) continue;
      message.ack();
      if (data['number'] === 6) break;
    }
    assert.deepEqual(seen, [1, 2, 3, 3, 3, 4, 5, 6]);
    await connection.close();
    await drop(shared, settings);
  });
});
