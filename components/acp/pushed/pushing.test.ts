import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { sql } from '@steward/sql';
import { type FeedsApi, openFeedsApi, type PlatformProduct } from '../fixtures/feeds-api.ts';
import { byDoor, createWorld, type Instance, type Shop, type World } from '../fixtures/pushing.ts';
import { pauseFeed } from './pause.ts';
import { removeFeed } from './remove.ts';
import { resumeFeed } from './resume.ts';

describe('a product feed that is pushed', () => {
  let world: World;
  let one: Instance;
  let api: FeedsApi;
  let shop: Shop;
  let stack: AsyncDisposableStack;
  const all = new AsyncDisposableStack();
  before(async () => {
    world = all.use(await createWorld());
  });
  after(async () => all.disposeAsync());
  const open = async (deadline?: number): Promise<void> => {
    stack = new AsyncDisposableStack();
    api = stack.use(await openFeedsApi());
    one = world.instance(deadline);
    stack.use(one);
    shop = await world.shop(one);
  };
  const scene = (name: string, run: () => Promise<void>, deadline?: number): void =>
    void test(name, async () => {
      await open(deadline);
      try {
        await run();
        assert.equal(one.log(), '');
      } finally {
        await stack.disposeAsync();
      }
    });

  const of = (variantId: string): PlatformProduct | undefined =>
    api.products().find(({ variants }) => variants.some(({ id }) => id === variantId));
  const priceOf = (variantId: string): number | undefined =>
    of(variantId)?.variants.find(({ id }) => id === variantId)?.price?.amount;
  const statusOf = (variantId: string): string | undefined =>
    of(variantId)?.variants.find(({ id }) => id === variantId)?.availability.status;
  const productOf = async (variantId: string): Promise<string> =>
    [...(await shop.products())].find(([, variant]) => variant === variantId)?.[0] ?? '';
  const patches = () => api.requests.filter(({ method }) => method === 'PATCH');
  /** Nothing is due: all was compared, and no mark is left. */
  const atRest = async (): Promise<void> =>
    world.until('everything is pushed', async () => {
      const [row] = await world.admin.query<{ rests: boolean }>(sql`
        select w.lease is null and w.walk_after is null and w.walk_at > clock_timestamp() and not exists (select from acp.feed_product p
          where p.tenant_id = w.tenant_id and p.feed_id = w.feed_id and (p.mark is not null or p.digest is null)) as rests
        from acp.feed_work w where w.tenant_id = ${shop.tenant}::uuid`);
      return row?.rests === true;
    });

  scene('has all that the brand sells, once, then what changed and nothing else, and says how it goes', async () => {
    const [cup, mug] = [await shop.goods.variant({ stock: 3 }), await shop.goods.variant({ cents: 700 })];
    const draft = await shop.goods.variant({ status: 'draft' });
    await shop.feed(api.url, { targetCountry: 'DE' });
    await atRest();
    const [made, ...rest] = api.requests;
    assert.deepEqual([made?.method, made?.path, made?.body], ['POST', '/feeds', { target_country: 'DE' }]);
    assert.deepEqual(
      rest.map(({ method, path, body }) => [method, path, body.products?.length]),
      [['PATCH', `/feeds/${encodeURIComponent('feed/1')}/products`, 2]],
    );
    assert.deepEqual([priceOf(cup), statusOf(cup), priceOf(mug), of(draft)], [1000, 'in_stock', 700, undefined]);
    const state = await shop.state();
    assert.deepEqual(
      [
        state.status,
        state.platformFeedId,
        state.productsPushed,
        state.productsWaiting,
        state.failures,
        state.nextTryAt,
      ],
      ['active', 'feed/1', 2, 0, 0, null],
    );
    assert.ok(state.lastPushedAt !== null);

    await shop.goods.reprice(mug, 650);
    await shop.goods.count(cup, 0);
    await shop.announce('commerce.stock.changed', {
      mode: 'live',
      itemIds: (
        await world.admin.query<{ item_id: string }>(sql`
        select item_id from stock.requirement where tenant_id = ${shop.tenant}::uuid and variant_id = ${cup}::uuid`)
      ).map(({ item_id: id }) => id),
    });
    await shop.changed([await productOf(mug), await productOf(draft)]);
    await world.until('what changed is there', () => priceOf(mug) === 650 && statusOf(cup) === 'out_of_stock');
    await atRest();
    const before = patches().length;
    await shop.changed([await productOf(mug), await productOf(cup)]);
    await world.until('it was looked at', async () => (await shop.state()).productsWaiting === 0);
    await atRest();
    assert.equal(patches().length, before, 'what is as it was is not sent');
  });

  scene(
    'tells what is no longer sold as discontinued, once, and a variant that was taken off a product beside the others',
    async () => {
      const [cup, mug] = [await shop.goods.variant(), await shop.goods.variant()];
      const product = await productOf(mug);
      await shop.feed(api.url);
      await atRest();
      await shop.goods.withdraw(cup);
      await world.admin.query(sql`
      with moved as (update catalogue.variant set removed_at = clock_timestamp(), option_values = array['L'] where tenant_id = ${shop.tenant}::uuid and variant_id = ${mug}::uuid)
      insert into catalogue.variant (tenant_id, variant_id, product_id, position, option_values, requires_shipping)
      values (${shop.tenant}::uuid, ${shop.agentId}::uuid, ${product}::uuid, 1, array['S'], true)`);
      await world.admin.query(sql`
      insert into catalogue.price (tenant_id, variant_id, currency, min_quantity, amount) values (${shop.tenant}::uuid, ${shop.agentId}::uuid, 'EUR', 1, 300)`);
      await shop.changed([await productOf(cup), product]);
      await world.until('both are gone', () => statusOf(cup) === 'discontinued' && statusOf(mug) === 'discontinued');
      assert.equal(priceOf(shop.agentId), 300);
      assert.equal(of(mug)?.id, product);
      await atRest();
      const before = patches().length;
      await shop.changed([await productOf(cup), product]);
      await atRest();
      assert.equal(patches().length, before);
      assert.deepEqual((await shop.state()).productsPushed, 1);
    },
  );

  scene('is complete with 2,000 products, in batches, with a change during the first push', async () => {
    await shop.stockUp(2_000);
    const all = await shop.products();
    const ids = [...all.keys()].toSorted();
    const [first = '', last = ''] = [ids[0], ids.at(-1)];
    let changing: Promise<void> | undefined;
    api.fault = async () => {
      if (patches().length === 10) {
        changing ??= (async () => {
          await shop.goods.reprice(all.get(first) ?? '', 1);
          await shop.goods.reprice(all.get(last) ?? '', 2);
          await shop.changed([first, last]);
        })();
        await changing;
      }
      return false;
    };
    await shop.feed(api.url);
    await world.until(
      'the changes are there',
      () => priceOf(all.get(first) ?? '') === 1 && priceOf(all.get(last) ?? '') === 2,
    );
    await atRest();
    assert.deepEqual(
      api
        .products()
        .map(({ id }) => id)
        .toSorted(),
      ids,
    );
    assert.ok(patches().every(({ body, atOnce }) => (body.products?.length ?? 0) <= 50 && atOnce === 1));
    assert.ok(patches().length <= 44, String(patches().length));
    assert.equal((await shop.state()).productsPushed, 2_000);
  });

  scene(
    'is tried again after what fails for a time, when the platform says, and nothing is missing in the end',
    async () => {
      const cup = await shop.goods.variant();
      const faults: ((response: ServerResponse) => void)[] = [
        (response) =>
          response.writeHead(429, { 'retry-after': '1' }).end('{"type":"rate_limit","code":"slow","message":"Later"}'),
        (response) => response.writeHead(500).end('oops'),
        // It never answers.
        () => undefined,
        (response) => {
          response.writeHead(200, { 'content-length': '500' });
          response.write('{"id":"half', () => response.destroy());
        },
        (response) => response.writeHead(200).end('{"id":7}'),
      ];
      // As many of the creation of the feed as of its products.
      const faulty = [...faults, ...faults];
      const times: number[] = [];
      const seen: string[] = [];
      api.fault = async ({ method }, response) => {
        const fault = faulty[times.length];
        if (fault === undefined || times.length < faults.length !== (method === 'POST')) return false;
        if (times.length > 0) seen.push((await shop.state()).lastFailure ?? '');
        times.push(performance.now());
        fault(response);
        return true;
      };
      await shop.feed(api.url);
      await world.until(
        'all have failed',
        async () => (await shop.state()).failures >= faulty.length || of(cup) !== undefined,
      );
      seen.push((await shop.state()).lastFailure ?? '');
      await world.until('it is there', () => of(cup) !== undefined);
      const words = ['http_429: slow: Later', 'http_500: oops', 'timed_out', 'connection_closed', 'answer_unreadable'];
      assert.deepEqual(seen, [...words, ...words]);
      assert.ok((times[1] ?? 0) - (times[0] ?? 0) >= 950, 'it waits as long as the platform says');
      await atRest();
      assert.equal((await shop.state()).failures, 0);
      const creations = api.requests.filter(({ method }) => method === 'POST');
      assert.equal(new Set(creations.map(({ headers }) => headers['idempotency-key'])).size, 1);
      assert.equal(api.feeds.size, 1);
    },
    2_000,
  );

  scene(
    'stops at what is final, with the words of the platform and never the token, until a person mends it',
    async () => {
      const cup = await shop.goods.variant();
      api.token = 'another-token';
      api.fault = (request, response) => {
        if (request.headers['authorization'] === 'Bearer another-token') return false;
        const message = `No such token: ${request.headers['authorization']}`;
        response.writeHead(401).end(JSON.stringify({ type: 'invalid_request', code: 'unauthorized', message }));
        return true;
      };
      const feedId = await shop.feed(api.url);
      await world.until('it is stopped', async () => (await shop.state()).status === 'paused');
      const stopped = await shop.state();
      assert.deepEqual(
        [stopped.reason, stopped.lastFailure, stopped.nextTryAt],
        ['refused', 'http_401: unauthorized: No such token: Bearer …', null],
      );
      const asked = api.requests.length;
      await shop.changed([await productOf(cup)]);
      assert.equal(api.requests.length, asked);
      await shop.feed(api.url, { token: 'another-token' });
      await world.until('it is there', () => of(cup) !== undefined);
      await atRest();
      assert.deepEqual([(await shop.state()).id, (await shop.state()).status], [feedId, 'active']);
    },
  );

  scene('leaves out what the platform refuses alone, and tells why', async () => {
    await shop.stockUp(60);
    const ids = [...(await shop.products()).keys()].toSorted();
    const bad = ids[7] ?? '';
    api.fault = ({ body }, response) => {
      if (!body.products?.some(({ id }) => id === bad)) return false;
      response
        .writeHead(400)
        .end('{"type":"invalid_request","code":"invalid_product_payload","message":"We sell no cups"}');
      return true;
    };
    await shop.feed(api.url);
    await world.until('all others are there', () => api.products().length === 59);
    await atRest();
    const state = await shop.state();
    assert.deepEqual(
      [state.status, state.productsPushed, state.productsRefused, state.refusals],
      ['active', 59, 1, [{ productId: bad, because: 'http_400: invalid_product_payload: We sell no cups' }]],
    );
    const before = patches().length;
    await shop.changed([bad]);
    await atRest();
    assert.equal(patches().length, before, 'it is not sent again as it is');
    api.fault = undefined;
    await shop.goods.reprice((await shop.products()).get(bad) ?? '', 900);
    await shop.changed([bad]);
    await world.until('it is there once it is another', () => api.products().length === 60);
    await atRest();
    assert.equal((await shop.state()).productsRefused, 0);
  });

  scene('is begun anew where the platform has lost it, with everything', async () => {
    await shop.stockUp(60);
    await shop.feed(api.url);
    await atRest();
    api.feeds.clear();
    const [some = ''] = (await shop.products()).keys();
    await shop.goods.reprice((await shop.products()).get(some) ?? '', 900);
    await shop.changed([some]);
    await world.until('everything is there', () => api.products().length === 60);
    await atRest();
    assert.equal((await shop.state()).platformFeedId, 'feed/2');
  });

  scene(
    'is sent nothing of a shut-out agent, a closed door or one of tests, nor while it is paused or once it is removed',
    async () => {
      const cup = await shop.goods.variant();
      one.stands = 'agent_shut_out';
      const feedId = await shop.feed(api.url);
      for (const [stands, withheld] of [
        ['agent_shut_out', 'agent_shut_out'],
        ['door_closed', 'door_closed'],
        ['test', 'door_in_test'],
      ] as const) {
        one.stands = stands;
        await world.until('it is withheld', async () => (await shop.state()).withheld === withheld);
      }
      assert.equal(api.requests.length, 0);
      one.stands = 'live';
      await world.until('it is there', () => of(cup) !== undefined);
      await atRest();
      assert.equal((await shop.state()).withheld, null);
      await byDoor(pauseFeed)(shop.context, { feedId }, one.ports);
      const asked = api.requests.length;
      await shop.goods.reprice(cup, 1);
      await shop.changed([await productOf(cup)]);
      // Heard once it is pushed again, it may be sent before the comparison comes to it.
      await shop.heard();
      assert.equal(api.requests.length, asked, 'none while it is paused');
      const mug = await shop.goods.variant();
      assert.equal((await shop.state()).reason, 'member');
      await byDoor(resumeFeed)(shop.context, { feedId }, one.ports);
      await world.until('what changed meanwhile is there', () => priceOf(cup) === 1 && of(mug) !== undefined);
      await atRest();
      assert.equal(api.requests.length, asked + 1, 'in one request');
      await byDoor(removeFeed)(shop.context, { feedId }, one.ports);
      await shop.changed([await productOf(cup)]);
      const [left] = await world.admin.query<{ rows: number }>(sql`
      select (select count(*) from acp.feed where tenant_id = ${shop.tenant}::uuid)::int + (select count(*) from acp.feed_work where tenant_id = ${shop.tenant}::uuid)::int
        + (select count(*) from acp.feed_product where tenant_id = ${shop.tenant}::uuid)::int as rows`);
      assert.deepEqual([left?.rows, api.requests.length], [0, asked + 1]);
    },
  );

  scene('has another address know nothing of the token for the one before, and all products', async () => {
    const cup = await shop.goods.variant();
    await shop.feed(api.url);
    await atRest();
    await using other = await openFeedsApi('token-of-the-other');
    const { setFeedAt } = await import('./set.ts');
    const moved = await byDoor(setFeedAt)(shop.context, { agentId: shop.agentId, url: other.url }, one.ports);
    assert.deepEqual([moved.status, moved.reason, moved.platformFeedId], ['paused', 'token_missing', null]);
    const { giveFeedToken } = await import('./give-token.ts');
    const late = byDoor(giveFeedToken)(shop.context, { feedId: moved.id, token: api.token, url: api.url }, one.ports);
    await assert.rejects(late, { code: 'conflict' });
    assert.deepEqual([(await shop.state()).reason, other.requests.length], ['token_missing', 0]);
    await shop.feed(other.url, { token: 'token-of-the-other' });
    await world.until('it is there', () => other.products().some(({ variants }) => variants[0]?.id === cup));
    assert.ok(other.requests.every(({ headers }) => headers['authorization'] === 'Bearer token-of-the-other'));
  });

  scene('sells at the price of a list from the moment on that it begins', async () => {
    const cup = await shop.goods.variant();
    await shop.feed(api.url);
    await world.until('it is there', () => priceOf(cup) === 1000);
    await atRest();
    const list = await shop.goods.listed(cup, 800);
    await world.admin.query(sql`
      update catalogue.price_list set starts_at = clock_timestamp() + interval '2 seconds' where tenant_id = ${shop.tenant}::uuid`);
    await shop.announce('commerce.price_list.changed', { priceListId: list, version: 2 });
    await world.until('the list has begun', () => priceOf(cup) === 800);
  });

  scene('is pushed whole again from time to time, whatever the platform has', async () => {
    await shop.stockUp(3);
    await shop.feed(api.url);
    await atRest();
    api.feeds.get('feed/1')?.clear();
    await world.admin.query(sql`
      update acp.feed_work set whole_at = clock_timestamp(), walk_at = clock_timestamp(), due_at = clock_timestamp() where tenant_id = ${shop.tenant}::uuid`);
    await world.until('everything is there', () => api.products().length === 3);
  });
});
