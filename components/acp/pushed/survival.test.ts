import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { after, before, describe, test } from 'node:test';
import { openFeedsApi } from '../fixtures/feeds-api.ts';
import { createWorld, type Instance, type World } from '../fixtures/pushing.ts';

describe('product feeds of several processes', () => {
  const stack = new AsyncDisposableStack();
  let world: World;
  before(async () => {
    world = stack.use(await createWorld());
  });
  after(async () => stack.disposeAsync());

  test('are pushed by one of them at a time, each of many', async () => {
    const instances: Instance[] = [world.instance(), world.instance()];
    const [one] = instances;
    assert.ok(one !== undefined);
    const apis = await Promise.all(Array.from({ length: 4 }, async () => stack.use(await openFeedsApi())));
    for (const api of apis) {
      const shop = await world.shop(one);
      await shop.stockUp(300);
      await shop.feed(api.url);
    }
    await world.until('all are complete', () => apis.every((api) => api.products().length === 300));
    for (const api of apis) {
      assert.ok(api.requests.every(({ atOnce }) => atOnce === 1));
      assert.equal(api.requests.filter(({ method }) => method === 'POST').length, 1);
      assert.equal(api.requests.filter(({ method }) => method === 'PATCH').length, 6);
    }
    for (const instance of instances) await instance[Symbol.asyncDispose]();
  });

  test('survive processes that are killed between batches and during one: no product is missing, and what is gone is told', async () => {
    const api = stack.use(await openFeedsApi());
    const setting = world.instance();
    const shop = await world.shop(setting);
    await shop.stockUp(500);
    setting.stands = 'door_closed';
    await shop.feed(api.url);
    await setting[Symbol.asyncDispose]();
    const start = async (): Promise<ChildProcess> => {
      const child = fork(new URL('../fixtures/pushing-process.ts', import.meta.url), [world.url, world.dataDir]);
      stack.defer(() => void child.kill('SIGKILL'));
      await once(child, 'message');
      return child;
    };
    const all = await shop.products();
    const [gone = ''] = [...all.keys()].toSorted();
    for (const unanswered of [false, true, true]) {
      const had = api.requests.length;
      // It has taken what came, and its answer never arrives.
      api.fault = async ({ body }) => {
        if (!unanswered || api.requests.length < had + 2) return false;
        const [feed] = api.feeds.values();
        for (const product of body.products ?? []) feed?.set(product.id, product);
        return true;
      };
      const child = await start();
      await world.until('some arrive', () => api.requests.length >= had + 2);
      child.kill('SIGKILL');
      await once(child, 'exit');
      if (unanswered) await shop.goods.withdraw(all.get(gone) ?? '');
    }
    api.fault = undefined;
    await using last = world.instance();
    await shop.changed([gone], last);
    await world.until('all are there', async () => {
      const { productsPushed, productsWaiting } = await shop.state();
      return productsPushed === 499 && productsWaiting === 0;
    });
    assert.deepEqual(
      api
        .products()
        .map(({ id }) => id)
        .toSorted(),
      [...all.keys()].toSorted(),
    );
    const states = api.products().map(({ id, variants }) => [id === gone, variants[0]?.availability.status]);
    assert.ok(states.every(([isGone, status]) => status === (isGone === true ? 'discontinued' : 'in_stock')));
    assert.ok(api.requests.every(({ atOnce }) => atOnce === 1));
    assert.equal(api.feeds.size, 1);
    assert.equal(last.log(), '');
  });
});
