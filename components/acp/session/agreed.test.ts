import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { sql } from '@steward/sql';
import { type Answer, type Brand, createWorld, type World } from '../fixtures/world.ts';

const ann = { first_name: 'Ann', last_name: 'Bo', email: 'ann@example.com' };
const berlin = { name: 'Ann Bo', line_one: 'Weg 1', city: 'Berlin', state: '', country: 'DE', postal_code: '10115' };
const paid = (more: object = {}) => ({
  payment_data: {
    handler_id: 'mock_payment_handler',
    instrument: { type: 'card', credential: { type: 'spt', token: 'success_token' } },
    ...more,
  },
});
const total = ({ body }: Answer): number | undefined => body.totals.find(({ type }) => type === 'total')?.amount;
/** The error, which comes first; what has changed follows. */
const code = ({ body }: Answer): string | undefined => body.messages?.[0]?.code;

/** What somebody else does to the shop, and that what is bought costs something else then. */
const changes: Record<string, (world: World, brand: Brand, cup: string) => Promise<unknown>> = {
  price: async (_world, { goods }, cup) => goods.reprice(cup, 6000),
  shipping: async ({ admin }, { option }) =>
    admin.query(sql`update checkout.shipping_option set amount = 4490 where shipping_option_id = ${option}::uuid`),
  discount: async ({ admin }, { tenant }) =>
    admin.query(sql`update checkout.discount set archived_at = clock_timestamp() where tenant_id = ${tenant}::uuid`),
  tax: async ({ admin }, { tenant }) =>
    admin.query(
      sql`update checkout.tax_zone set rates = jsonb_set(rates, '{0,percentage}', '"7"') where tenant_id = ${tenant}::uuid`,
    ),
};

describe('a purchase of an agent by the Agentic Commerce Protocol', () => {
  let world: World;
  before(async () => {
    world = await createWorld();
  });
  after(async () => world[Symbol.asyncDispose]());

  /** With a discount, so that there is one to end. */
  const ready = async () => {
    const brand = await world.brand();
    await brand.goods.discount(10);
    const cup = await brand.goods.variant({ cents: 2000, stock: 5 });
    const made = await brand.send('POST', '/checkout_sessions', {
      body: {
        currency: 'eur',
        capabilities: {},
        line_items: [{ id: cup, quantity: 1 }],
        buyer: ann,
        fulfillment_details: { name: 'Ann Bo', address: berlin },
        selected_fulfillment_options: [{ type: 'shipping', option_id: brand.option, item_ids: [] }],
      },
    });
    assert.deepEqual([made.body.status, total(made)], ['ready_for_payment', 2290], made.text);
    const at = `/checkout_sessions/${made.body.id}`;
    const complete = async (body: object = paid()) => brand.send('POST', `${at}/complete`, { body });
    return { brand, cup, at, complete };
  };
  const nothingDone = async ({ tenant }: Brand, why: string): Promise<void> => {
    const [row] = await world.admin.query(sql`
      select (select count(*)::int from orders.sales_order where tenant_id = ${tenant}::uuid) as orders,
        (select count(*)::int from orders.payment where tenant_id = ${tenant}::uuid) as payments,
        (select count(*)::int from stock.reservation where tenant_id = ${tenant}::uuid) as reserved`);
    assert.deepEqual({ ...row }, { orders: 0, payments: 0, reserved: 0 }, why);
  };

  test('is made at what the agent was last answered: at anything else nothing is bought, and what it costs is said', async () => {
    for (const [name, change] of Object.entries(changes))
      for (const said of [{}, { buyer: { ...ann, first_name: 'Anna' } }]) {
        const { brand, cup, complete } = await ready();
        await change(world, brand, cup);
        const refused = await complete({ ...paid(), ...said });
        assert.deepEqual([refused.status, code(refused)], [200, 'conflict'], name + refused.text);
        await nothingDone(brand, name);
        const bought = await complete({ ...paid(), ...said });
        assert.deepEqual([bought.body.status, total(bought)], ['completed', total(refused)], name + bought.text);
      }
  });

  test('is not made by a request that is repeated because its answer was lost: that is refused again, under another key it is made', async () => {
    for (const said of [{}, { buyer: { ...ann, first_name: 'Anna' } }]) {
      const { brand, cup, at } = await ready();
      await brand.goods.reprice(cup, 6000);
      const key = randomUUID();
      const send = async () => brand.send('POST', `${at}/complete`, { key, body: { ...paid(), ...said } });
      const [refused, ...again] = [await send(), await send(), ...(await Promise.all([send(), send()]))];
      assert.deepEqual([refused.status, code(refused), total(refused)], [200, 'conflict', 5890], refused.text);
      for (const one of again) assert.deepEqual([one.status, one.text], [200, refused.text]);
      await nothingDone(brand, 'repeated');
      const bought = await brand.send('POST', `${at}/complete`, { body: { ...paid(), ...said } });
      assert.deepEqual([bought.body.status, total(bought)], ['completed', 5890], bought.text);
      assert.equal((await send()).text, refused.text);
    }
  });

  test('is no other for requests that were refused without a total', async () => {
    const { brand, cup, at, complete } = await ready();
    await brand.goods.reprice(cup, 6000);
    const options = ['a', 'b'].map((one) => ({ type: 'shipping', option_id: one, item_ids: [] }));
    const unread = await brand.send('POST', at, { body: { selected_fulfillment_options: options } });
    assert.equal(unread.status, 400, unread.text);
    const unpaid = await complete(paid({ handler_id: 'nobody' }));
    assert.equal(unpaid.status, 400, unpaid.text);
    const refused = await complete();
    assert.deepEqual([code(refused), total(refused)], ['conflict', 5890], refused.text);
    await nothingDone(brand, 'after other requests');
  });

  test('is made at once where nothing that it costs has changed', async () => {
    for (const said of [{}, { buyer: { ...ann, first_name: 'Anna' } }]) {
      const { brand, cup, complete } = await ready();
      await brand.goods.count(cup, 4);
      const bought = await complete({ ...paid(), ...said });
      assert.deepEqual([bought.body.status, total(bought)], ['completed', 2290], bought.text);
    }
  });
});
