import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  createShopify,
  type GivenOrder,
  type GivenVariant,
  itemOf,
  type Shopify,
  shopLocation,
} from '@steward/marketplace/testing';
import { sql } from '@steward/sql';
import { createWorld, type Json, type World } from '../world/index.ts';
import { eventOf, given, list, type Opened, openShop, until } from './marketplace-shop.ts';

interface Kept extends Opened {
  /** What the shop has of it. */
  there(variant: string): GivenVariant;
  /** What is here of a variant of the shop: on hand and available. */
  here(variant: string): Promise<readonly [onHand: number, available: number]>;
  count(variant: string, counted: number): Promise<void>;
  adjust(variant: string, delta: number): Promise<void>;
  channel(): Promise<Json>;
  keep(stock: string): Promise<void>;
  /** Until nothing is due any more and both are the same. */
  inStep(): Promise<void>;
  /** As the shop tells of it. */
  levelTold(variant: string): Promise<void>;
  /** The shop sells some; nobody is told. */
  sells(id: string, quantity: number, variant?: string): GivenOrder;
  /** And sends them. */
  sends(order: GivenOrder): void;
}

describe('stock of a shop at a marketplace', () => {
  const stack = new AsyncDisposableStack();
  let shopify: Shopify;
  let world: World;
  before(async () => {
    shopify = stack.use(await createShopify());
    world = stack.use(await createWorld(shopify.variables));
  });
  after(async () => stack.disposeAsync());

  const opened = async (): Promise<Kept> => {
    const own = await openShop({ world, shopify, stack });
    const variantOf = async (variant: string): Promise<string> => {
      const [row] = await own.admin.query<{ id: string }>(sql`
        select id from marketplace.link where tenant_id = ${own.tenant}::uuid and kind = 'variant' and external_id = ${variant}`);
      return row?.id ?? '';
    };
    const channel = async (): Promise<Json> => list((await own.act('service_list_channels', {}))['items'])[0] ?? {};
    await until(async () => list((await channel())['imports']).every((one) => String(one['state']) === 'done'));
    const there = (variant: string): GivenVariant => {
      const found = [...own.shop.products.values()]
        .flatMap(({ variants }) => variants)
        .find(({ id }) => id === variant);
      assert.ok(found !== undefined);
      return found;
    };
    return {
      ...own,
      there,
      channel,
      here: async (variant) => {
        const [level] = await own.admin.query<{ on_hand: bigint; reserved: bigint }>(sql`
          select l.on_hand, l.reserved from stock.requirement r
          join stock.level l on l.tenant_id = r.tenant_id and l.item_id = r.item_id and l.mode = 'live'
          where r.tenant_id = ${own.tenant}::uuid and r.variant_id = ${await variantOf(variant)}::uuid`);
        return [Number(level?.on_hand ?? 0), Number((level?.on_hand ?? 0n) - (level?.reserved ?? 0n))];
      },
      count: async (variant, counted) =>
        void (await own.act('service_count_stock', { lines: [{ variant_id: await variantOf(variant), counted }] })),
      adjust: async (variant, delta) =>
        void (await own.act('service_adjust_stock', {
          lines: [{ variant_id: await variantOf(variant), delta }],
          reason: 'correction',
        })),
      keep: async (stock) => void (await own.act('service_set_channel_stock', { channel_id: own.channelId, stock })),
      inStep: async () =>
        until(async () => {
          const [row] = await own.admin.query<{ waits: boolean }>(sql`
            select exists (select from marketplace.inventory where tenant_id = ${own.tenant}::uuid and due_at <= clock_timestamp())
              or exists (select from marketplace.task where tenant_id = ${own.tenant}::uuid and kind <> 'stock' and state = 'due')
              or exists (
                select from bus.outbox o where o.tenant_id = ${own.tenant}::uuid and o.type in ('commerce.stock.changed', 'commerce.order.placed')
                  and o.position > greatest((select c.position from bus.consumer c where c.name = 'marketplace.stock'),
                    coalesce((select i.position from bus.inbox i where i.tenant_id = o.tenant_id and i.consumer = 'marketplace.stock'), 0))) as waits`);
          return row?.waits === false;
        }),
      levelTold: async (variant) => {
        const body = {
          inventory_item_id: Number(itemOf(variant)),
          location_id: Number(shopLocation.id),
          available: there(variant).available,
        };
        await own.told('inventory_levels/update', body);
      },
      sells: (id, quantity, variant = '21') => {
        const now = new Date().toISOString();
        const price = (23.8 * quantity).toFixed(2);
        const order = given(id, {
          lines: [{ id: `${id}1`, variant, quantity, price: '23.80' }],
          received: price,
          total: price,
          createdAt: now,
          updatedAt: now,
        });
        delete (order as { shipping?: unknown }).shipping;
        own.shop.orders.set(id, order);
        const level = there(variant);
        level.available -= quantity;
        level.committed = (level.committed ?? 0) + quantity;
        return order;
      },
      sends: (order) => {
        const at = new Date().toISOString();
        order.fulfilments.push({
          id: `6${order.id}`,
          at,
          lines: order.lines.map(({ id, quantity }) => ({ line: id, quantity })),
        });
        order.updatedAt = at;
        for (const { variant, quantity } of order.lines)
          if (variant !== null) there(variant).committed = (there(variant).committed ?? 0) - quantity;
      },
    };
  };
  /** What shops were asked to set so far. */
  const sets = (own: Kept): number[] =>
    shopify.stub.asked.flatMap(({ path, body }) => {
      if (!path.includes(`/${own.shop.name}/`) || !body.includes('inventorySetQuantities')) return [];
      const { variables } = JSON.parse(body) as { variables: { input: { quantities: { quantity: number }[] } } };
      return variables.input.quantities.map(({ quantity }) => quantity);
    });

  test('is what is available here, once this side counts: counted, adjusted, and sold on either side, once', async () => {
    const own = await opened();
    await own.count('21', 7);
    await own.keep('here');
    await until(async () => own.there('21').available === 7);
    assert.equal(own.there('22').available, 5, 'what is not counted here says nothing');
    assert.ok(own.shop.webhooks.some(({ topic }) => topic === 'INVENTORY_LEVELS_UPDATE'));
    await own.adjust('21', 3);
    await until(async () => own.there('21').available === 10);

    const told = sets(own).length;
    const order = own.sells('7001', 4);
    await own.levelTold('21');
    await own.told('orders/create', eventOf(order));
    await own.inStep();
    assert.deepEqual(await own.here('21'), [10, 6]);
    assert.equal(own.there('21').available, 6);
    own.sends(order);
    await own.told('orders/updated', eventOf(order));
    await own.inStep();
    assert.deepEqual(await own.here('21'), [6, 6]);
    assert.equal(own.there('21').available, 6);
    assert.equal(sets(own).length, told, 'what the shop sold it counts itself');

    own.there('21').available = 90;
    await own.levelTold('21');
    await until(async () => own.there('21').available === 6);
  });

  test('comes back from the shop as it was told, and changes nothing', async () => {
    const own = await opened();
    await own.count('21', 7);
    await own.keep('here');
    await until(async () => own.there('21').available === 7);
    await own.inStep();
    const asked = (): number => shopify.stub.asked.filter(({ path }) => path.includes(`/${own.shop.name}/`)).length;
    const before = asked();
    await own.levelTold('21');
    await own.told('inventory_levels/update', { inventory_item_id: 921, location_id: 99, available: 3 });
    await own.inStep();
    assert.equal(asked(), before, 'nobody is even asked');
    const [row] = await own.admin.query<{ moved: number }>(sql`
      select count(*)::int as moved from stock.movement where tenant_id = ${own.tenant}::uuid`);
    assert.equal(row?.moved, 1);
  });

  test('is never told as if what the shop sold meanwhile were still there', async () => {
    const own = await opened();
    await own.count('21', 7);
    await own.keep('here');
    await until(async () => own.there('21').available === 7);
    await own.inStep();
    // The shop has sold one, and told nobody yet.
    own.sells('7101', 1);
    await own.adjust('21', 1);
    await until(async () => own.there('21').available === 7 && sets(own).at(-1) === 7);
    await own.inStep();
    assert.deepEqual(await own.here('21'), [8, 7], 'its order was read without a webhook');
    // And one at the moment in which it is told.
    own.shop.beforeSet = () => {
      own.shop.beforeSet = undefined;
      own.sells('7102', 2);
    };
    const before = sets(own).length;
    await own.adjust('21', 2);
    await until(async () => own.there('21').available === 7 && own.shop.orders.size === 2);
    await own.inStep();
    assert.deepEqual(await own.here('21'), [10, 7]);
    assert.deepEqual(sets(own).slice(before), [9, 7], 'the first one was refused');
  });

  test('of what is owed already is not offered again: orders before the count, and those that were sold beyond it', async () => {
    const own = await opened();
    const early = own.sells('7201', 2);
    await own.told('orders/create', eventOf(early));
    await own.count('21', 5);
    assert.deepEqual(await own.here('21'), [5, 5], 'it was not counted when they were sold');
    await own.keep('here');
    await until(async () => own.there('21').available === 3);
    await until(async () => (await own.here('21'))[1] === 3);
    await own.inStep();

    const much = own.sells('7202', 5);
    await own.told('orders/create', eventOf(much));
    await own.inStep();
    assert.deepEqual(await own.here('21'), [5, 0], 'all that there is is theirs');
    const attention = async (): Promise<string[]> =>
      list((await own.channel())['orders_to_look_at']).flatMap((one) => list(one['attention']).map(String));
    assert.deepEqual(await attention(), ['oversold']);
    assert.equal(own.there('21').available, 0);
    await own.adjust('21', 3);
    await until(async () => own.there('21').available === 1);
    assert.deepEqual(await own.here('21'), [8, 1]);
    assert.deepEqual(await attention(), []);
  });

  test('of what an edit takes off an order is for sale again on both sides, once', async () => {
    const own = await opened();
    await own.count('21', 7);
    await own.keep('here');
    await until(async () => own.there('21').available === 7);
    const order = own.sells('7251', 4);
    await own.told('orders/create', eventOf(order));
    await own.inStep();
    assert.deepEqual(await own.here('21'), [7, 3]);
    const told = sets(own).length;
    const [line] = order.lines;
    assert.ok(line !== undefined);
    line.removed = 1;
    order.current = '71.40';
    order.updatedAt = new Date().toISOString();
    Object.assign(own.there('21'), { available: 4, committed: 3 });
    await own.told('orders/updated', eventOf(order));
    await own.levelTold('21');
    await own.inStep();
    assert.deepEqual(await own.here('21'), [7, 4]);
    assert.equal(own.there('21').available, 4);
    assert.equal(sets(own).length, told);
  });

  test('is on hand here what the shop has, once the shop counts: the last piece is sold once, and not oversold', async () => {
    const own = await opened();
    const early = own.sells('7301', 2);
    await own.told('orders/create', eventOf(early));
    await own.keep('shop');
    await until(async () => (await own.here('21'))[0] === 5);
    await until(async () => (await own.here('21'))[1] === 3);
    await own.inStep();
    assert.deepEqual(await own.here('22'), [5, 5]);

    const last = own.sells('7302', 3);
    await own.levelTold('21');
    await own.inStep();
    await own.told('orders/create', eventOf(last));
    await own.inStep();
    assert.deepEqual(await own.here('21'), [5, 0]);
    own.sends(last);
    await own.levelTold('21');
    await own.inStep();
    await own.told('orders/updated', eventOf(last));
    await until(async () => (await own.here('21'))[0] === 2);
    await own.inStep();
    assert.deepEqual(await own.here('21'), [2, 0]);
    assert.deepEqual(list((await own.channel())['orders_to_look_at']), []);

    own.there('21').available += 8;
    await own.levelTold('21');
    await until(async () => (await own.here('21'))[1] === 8);
    await own.adjust('22', -4);
    await until(async () => (await own.here('22'))[0] === 5);
    await own.inStep();
    assert.deepEqual(sets(own), [], 'the shop is told nothing');
    const [row] = await own.admin.query<{ reason: string; kind: string }>(sql`
      select reason, kind from stock.movement where tenant_id = ${own.tenant}::uuid and kind = 'count' order by movement_id desc limit 1`);
    assert.deepEqual(row, { reason: 'marketplace', kind: 'count' });
  });

  test('is told in the end, through a provider that fails: 429, throttled, 500, half an answer, no answer', async () => {
    const own = await opened();
    await own.count('21', 1);
    await own.keep('here');
    await until(async () => own.there('21').available === 1);
    await own.inStep();
    let counted = 1;
    for (const fault of ['limited', 'broken', 'half', 'silent', 'throttled'] as const) {
      counted += 1;
      if (fault === 'throttled') own.shop.throttled = 1;
      else shopify.stub.fail(fault);
      await own.adjust('21', 1);
      await until(async () => own.there('21').available === counted);
    }
    // Set, and the answer is lost: asked again, it is the same already.
    await own.inStep();
    own.shop.beforeSet = () => {
      own.shop.beforeSet = undefined;
      shopify.stub.fail('silent');
    };
    await own.adjust('21', 1);
    await until(async () => own.there('21').available === counted + 1);
    await own.inStep();
    assert.equal((await own.here('21'))[0], counted + 1);
  });

  test('of one shop is told while another one does not answer', async () => {
    const [own, other] = [await opened(), await opened()];
    for (const one of [own, other]) {
      await one.count('21', 1);
      await one.keep('here');
      await until(async () => one.there('21').available === 1);
      await one.inStep();
    }
    const { asked } = shopify.stub;
    other.shop.hangs = true;
    await other.adjust('21', 1);
    let isTold = false;
    for (let round = 0; round < 5 && !isTold; round += 1) {
      const since = asked.length;
      const open = () =>
        asked.find(({ path, left }, at) => at >= since && path.includes(`/${other.shop.name}/`) && !left.aborted);
      await until(async () => open() !== undefined);
      const waiting = open();
      const before = own.there('21').available;
      await own.adjust('21', 1);
      await until(async () => own.there('21').available === before + 1);
      isTold = waiting?.left.aborted === false;
    }
    assert.ok(isTold, 'it was told only after the other one was given up');
    other.shop.hangs = false;
    await until(async () => other.there('21').available === 2);
  });

  test('that the shop does not count at its location yet is counted there from the first piece on', async () => {
    const own = await opened();
    own.there('21').stocked = false;
    await own.count('21', 0);
    await own.count('22', 4);
    await own.keep('here');
    await until(async () => own.there('22').available === 4);
    await own.inStep();
    assert.equal(own.there('21').stocked, false, 'there is nothing to sell');
    await own.adjust('21', 3);
    await until(async () => own.there('21').stocked === true);
    await own.inStep();
    assert.equal(own.there('21').available, 3);
    assert.deepEqual(list((await own.channel())['stock_to_look_at']), []);
    await own.adjust('21', -1);
    await until(async () => own.there('21').available === 2);
  });

  test('that cannot be kept in step is listed with why, and stops nothing else', async () => {
    const own = await opened();
    own.there('22').tracked = false;
    await own.count('21', 4);
    await own.count('22', 4);
    await own.keep('here');
    await until(async () => own.there('21').available === 4);
    await own.inStep();
    const unlike = list((await own.channel())['stock_to_look_at']);
    assert.deepEqual(
      unlike.map((one) => String(one['because'])),
      ['not_stocked'],
    );
    const refused = await own.call('service_set_channel_stock', {
      channel_id: own.channelId,
      stock: 'here',
      shop_location_id: '77',
    });
    assert.match(JSON.stringify(refused), /31 \(Berlin\)/, 'the locations are named');
    await own.keep('none');
    await own.adjust('21', 1);
    await own.levelTold('21');
    await own.inStep();
    assert.equal(own.there('21').available, 4);
  });
});
