import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { after, before, describe, test } from 'node:test';
import { createProcessWorld, type ProcessWorld } from '@steward/conformance/world';
import { openPlatform, type Platform } from './fixtures/platform.ts';
import { openSeller, type Seller } from './fixtures/seller.ts';

const authority = fileURLToPath(new URL('../../packages/testing/tls/cert.pem', import.meta.url));

describe('what shopping agents are told, of a server that is killed', () => {
  const stack = new AsyncDisposableStack();
  let platform: Platform;
  let world: ProcessWorld;
  let seller: Seller;
  before(async () => {
    platform = stack.use(await openPlatform());
    platform.wanted.set('/agent', `${platform.url}/hooks/orders`);
    world = stack.use(
      await createProcessWorld({
        AGENT_PROFILES_FROM_LOOPBACK: 'allow',
        WEBHOOKS_TO_LOOPBACK: 'allow',
        NODE_EXTRA_CA_CERTS: authority,
      }),
    );
    seller = await openSeller(world, platform);
  });
  after(async () => stack.disposeAsync());

  const told = async (orderId: string, times: number) => {
    for (let round = 0; round < 6_000; round += 1) {
      const found = platform.told.filter(({ json }) => String(json['id']) === orderId);
      if (found.length >= times) return found;
      await sleep(10);
    }
    throw new Error(`it was never told ${times} times`);
  };

  test('is told after all, and what it was told in vain with the same id, time and bytes', async () => {
    platform.answers = Array.from({ length: 100 }, () => 503);
    const first = await seller.buy();
    const [vain] = await told(first, 1);
    const second = await seller.buy();
    await world.server.kill();
    platform.answers = [];
    await world.restart();
    const before = platform.told.length;
    const [again] = (await told(first, 2)).slice(1);
    const kept = (one: typeof vain) => [one?.headers['webhook-id'], one?.headers['webhook-timestamp'], one?.body];
    assert.deepEqual(kept(again), kept(vain));
    assert.ok((await told(second, 1)).length > 0);
    assert.ok(platform.told.length > before);
  });
});
