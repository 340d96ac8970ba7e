import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { TenantContext } from '@steward/sql';
import { openReceiver, type Receiver } from '../fixtures/receiver.ts';
import { createWorld, type Instance, quick, type World } from '../fixtures/world.ts';

describe('endpoints of a process', () => {
  let world: World;
  let one: Instance;
  const stack = new AsyncDisposableStack();
  before(async () => {
    world = stack.use(await createWorld());
    one = world.instance({ ...quick, endpoints: { tenant: 2, process: 4 } });
  });
  after(async () => stack.disposeAsync());

  /** A tenant with webhooks that are each sent one event. */
  const telling = async (url: string, count: number): Promise<{ context: TenantContext; ids: readonly string[] }> => {
    const context = await world.tenant(one);
    const ids: string[] = [];
    for (let made = 0; made < count; made += 1) ids.push((await one.webhook(context, url)).id);
    await one.publish(context, ['a']);
    return { context, ids };
  };
  const hanging = async (): Promise<Receiver> => {
    const receiver = stack.use(await openReceiver());
    receiver.answer(async () => new Promise(() => undefined));
    return receiver;
  };
  const delivered = async (ids: readonly string[]): Promise<void> => {
    for (const id of ids)
      await world.until('it arrives', async () => (await world.states(id)).join(',') === 'delivered');
  };

  test('are of each tenant in turn, also where it has more than it may have at a time', async () => {
    await using receiver = await openReceiver();
    const { ids } = await telling(receiver.url, 7);
    await delivered(ids);
    assert.equal(receiver.requests.length, 7);
  });

  test('of one tenant that do not answer keep nobody else waiting', async () => {
    const silent = await hanging();
    await telling(silent.url, 6);
    await world.until('all that it may have hang', () => silent.requests.length >= 2);
    await using receiver = await openReceiver();
    await delivered((await telling(receiver.url, 3)).ids);
  });

  test('are one of each tenant at least, however many others fill the process', async () => {
    const silent = await hanging();
    for (let tenants = 1; tenants <= 3; tenants += 1) await telling(silent.url, 4);
    await world.until('those of all of them hang', () => silent.requests.length >= 5);
    await using receiver = await openReceiver();
    await delivered((await telling(receiver.url, 3)).ids);
  });
});
