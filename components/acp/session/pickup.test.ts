import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from '@steward/sql';
import { type Answer, type Brand, createWorld, type World } from '../fixtures/world.ts';

const ann = { first_name: 'Ann', last_name: 'Bo', email: 'Ann@Example.com' };
const begun = { currency: 'eur', capabilities: {} };
const rome = { name: 'Ann Bo', line_one: 'Via 1', city: 'Roma', state: '', country: 'IT', postal_code: '00100' };
const place = {
  name: 'Store Potsdam',
  address: {
    name: 'Store Potsdam',
    line_one: 'Markt 3',
    city: 'Potsdam',
    state: '',
    country: 'DE',
    postal_code: '14467',
    company: 'Store Potsdam',
  },
};

describe('goods that are fetched, over the Agentic Commerce Protocol', () => {
  let world: World;
  let brand: Brand;
  before(async () => {
    world = await createWorld();
    brand = await world.brand();
  });
  after(async () => world[Symbol.asyncDispose]());

  const chosen = (type: string, id: string) => ({
    selected_fulfillment_options: [{ type, option_id: id, item_ids: [] }],
  });
  const wayOf = ({ body }: Answer) => body.selected_fulfillment_options?.map((one) => [one.type, one.option_id]);

  test('are offered at a location with its name and address before any address is known, and the order says where', async () => {
    const { option } = await brand.goods.pickup(150);
    const cup = await brand.goods.variant({ cents: 1000 });
    const made = await brand.send('POST', '/checkout_sessions', {
      body: { ...begun, line_items: [{ id: cup, quantity: 1 }], buyer: ann },
    });
    assert.equal(made.status, 201, made.text);
    assert.deepEqual(
      made.body.fulfillment_options.map(({ type, id, location }) => [type, id, location]),
      [['pickup', option, place]],
    );
    const { id } = made.body;
    const taken = await brand.send('POST', `/checkout_sessions/${id}`, { body: chosen('pickup', option) });
    assert.deepEqual([taken.status, taken.body.status], [200, 'ready_for_payment'], taken.text);
    assert.deepEqual(wayOf(taken), [['pickup', option]]);
    assert.equal(taken.body.totals.find(({ type }) => type === 'fulfillment')?.amount, 150);
    const noted = await brand.send('POST', `/checkout_sessions/${id}`, { body: { order_notes: 'Before noon' } });
    assert.deepEqual([noted.body.status, wayOf(noted)], ['ready_for_payment', [['pickup', option]]], 'it stays chosen');
    const bought = await brand.send('POST', `/checkout_sessions/${id}/complete`, {
      body: {
        payment_data: {
          handler_id: 'mock_payment_handler',
          instrument: { type: 'card', credential: { type: 'spt', token: 'success_token' } },
        },
      },
    });
    assert.deepEqual([bought.status, bought.body.status], [200, 'completed'], bought.text);
    const order = await brand.send('GET', `/orders/${bought.body.order.id}`);
    const { fulfillments } = order.body as unknown as { fulfillments: readonly Record<string, unknown>[] };
    assert.deepEqual(
      fulfillments.map(({ type, status, description, destination }) => [type, status, description, destination]),
      [['pickup', 'pending', 'Pickup in the store', place.address]],
      order.text,
    );
  });

  test('go to the buyer again where another way is chosen, and a location without an address is offered to nobody', async () => {
    const { option } = await brand.goods.pickup(0);
    const cup = await brand.goods.variant({ cents: 1000 });
    const berlin = { ...rome, line_one: 'Weg 1', city: 'Berlin', country: 'DE', postal_code: '10115' };
    const made = await brand.send('POST', '/checkout_sessions', {
      body: {
        ...begun,
        line_items: [{ id: cup, quantity: 1 }],
        buyer: ann,
        fulfillment_details: { name: 'Ann Bo', address: rome },
        ...chosen('pickup', option),
      },
    });
    assert.deepEqual([made.body.status, wayOf(made)], ['ready_for_payment', [['pickup', option]]], made.text);
    const shipped = await brand.send('POST', `/checkout_sessions/${made.body.id}`, {
      body: { fulfillment_details: { name: 'Ann Bo', address: berlin }, ...chosen('shipping', brand.option) },
    });
    assert.deepEqual(
      [shipped.body.status, wayOf(shipped)],
      ['ready_for_payment', [['shipping', brand.option]]],
      shipped.text,
    );
    const other = await world.brand();
    const own = await other.goods.pickup(0);
    await world.admin.query(
      sql`update stock.location set postal_address = null where location_id = ${own.place}::uuid`,
    );
    const strange = await other.goods.variant({ cents: 1000 });
    for (const one of [own.option, option]) {
      const unplaced = await other.send('POST', '/checkout_sessions', {
        body: { ...begun, line_items: [{ id: strange, quantity: 1 }], buyer: ann, ...chosen('pickup', one) },
      });
      assert.deepEqual(
        [unplaced.body.status, unplaced.body.fulfillment_options, wayOf(unplaced)],
        ['not_ready_for_payment', [], undefined],
        unplaced.text,
      );
    }
  });
});
