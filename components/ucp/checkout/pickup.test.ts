import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from '@steward/sql';
import { able, type Answer, type Brand, createWorld, usual, type World } from '../fixtures/world.ts';

const ann = { first_name: 'Ann', last_name: 'Bo', email: 'ann@example.com' };
const berlin = {
  id: 'home',
  first_name: 'Ann',
  last_name: 'Bo',
  street_address: 'Weg 1',
  address_locality: 'Berlin',
  postal_code: '10115',
  address_country: 'DE',
};
const address = {
  street_address: 'Markt 3',
  address_locality: 'Potsdam',
  postal_code: '14467',
  address_country: 'DE',
};

describe('goods that are fetched, over the Universal Commerce Protocol', () => {
  let world: World;
  let brand: Brand;
  before(async () => {
    world = await createWorld();
    world.profile(usual, able('2026-08-25'));
    brand = await world.brand();
  });
  after(async () => world[Symbol.asyncDispose]());

  const lines = (id: string) => ({ line_items: [{ item: { id }, quantity: 1 }], buyer: ann });
  const pickup = (place?: string, option?: string) => ({
    fulfillment: {
      methods: [
        {
          type: 'pickup',
          line_item_ids: [],
          ...(place === undefined ? {} : { selected_destination_id: place }),
          ...(option === undefined ? {} : { groups: [{ id: 'package', selected_option_id: option }] }),
        },
      ],
    },
  });
  const methodIn = ({ body }: Answer) => body.fulfillment.methods[0];
  const messages = ({ body }: Answer) => (body.messages ?? []).map((one) => `${one.code} ${one.path}`);

  test('are offered at locations with their names and addresses, one is chosen, and the order says so', async () => {
    const cup = await brand.goods.variant({ cents: 1000 });
    const none = await brand.send('POST', '/checkout-sessions', { body: { ...lines(cup), ...pickup() } });
    assert.deepEqual(
      messages(none).filter((one) => one.startsWith('fulfillment')),
      ['fulfillment_method_unavailable $.fulfillment.methods[0].type'],
      'a shop without one offers none',
    );
    const { place, option } = await (brand = await world.brand()).goods.pickup(150);
    const own = await brand.goods.variant({ cents: 1000 });
    const made = await brand.send('POST', '/checkout-sessions', { body: lines(own) });
    assert.deepEqual(made.body.fulfillment.available_methods, [
      {
        type: 'pickup',
        line_item_ids: made.body.line_items.map(({ id }) => id),
        fulfillable_on: null,
        description: 'Pickup at Store Potsdam',
      },
    ]);
    const at = `/checkout-sessions/${made.body.id}`;
    const asked = await brand.send('PUT', at, { body: { ...lines(own), ...pickup() } });
    assert.deepEqual(
      [methodIn(asked)?.type, methodIn(asked)?.destinations],
      ['pickup', [{ type: 'business_location', id: place, name: 'Store Potsdam', address }]],
      asked.text,
    );
    assert.deepEqual(messages(asked), ['missing $.fulfillment.methods[0].selected_destination_id']);
    const placed = await brand.send('PUT', at, { body: { ...lines(own), ...pickup(place) } });
    assert.deepEqual(
      methodIn(placed)?.groups[0]?.options.map(({ id }) => id),
      [option],
      placed.text,
    );
    assert.deepEqual(messages(placed), ['missing $.fulfillment.methods[0].groups[0].selected_option_id']);
    const unknown = await brand.send('PUT', at, { body: { ...lines(own), ...pickup('nowhere') } });
    assert.deepEqual(
      [messages(unknown)[0], methodIn(unknown)?.selected_destination_id],
      ['destination_not_found $.fulfillment.methods[0].selected_destination_id', place],
      'it stays as it was',
    );
    const chosen = await brand.send('PUT', at, { body: { ...lines(own), ...pickup(place, option) } });
    assert.deepEqual(
      [chosen.body.status, chosen.body.totals.find(({ type: of }) => of === 'fulfillment')?.amount],
      ['ready_for_complete', 150],
      chosen.text,
    );
    const bought = await brand.send('POST', `${at}/complete`, {
      body: {
        payment: {
          instruments: [
            {
              id: 'instr_1',
              handler_id: 'mock_payment_handler',
              type: 'card',
              credential: { type: 'token', token: 'success_token' },
            },
          ],
        },
      },
    });
    assert.equal(bought.body.status, 'completed', bought.text);
    const order = await brand.send('GET', `/orders/${bought.body.order.id}`);
    const [expected] = order.body.fulfillment.expectations;
    assert.deepEqual(
      [expected?.method_type, expected?.description, expected?.destination],
      ['pickup', 'Pickup in the store', address],
      order.text,
    );
  });

  test('are known by the catalogue: the place and the ways that a checkout takes, and products that can be had so alone', async () => {
    // What a shop has is remembered for a second, so each has its own from the beginning.
    const opened = async (pickups: number) => {
      const shop = await world.brand();
      const cup = await shop.goods.variant({ cents: 1000, title: 'Cup' });
      const advice = await shop.goods.variant({ cents: 9000, title: 'Cup advice' });
      await world.admin.query(
        sql`update catalogue.variant set requires_shipping = false where variant_id = ${advice}::uuid`,
      );
      await shop.index();
      const places = [];
      while (places.length < pickups) places.push(await shop.goods.pickup(150));
      const look = async (body: object, id = cup, agent = usual) =>
        shop.send('POST', '/catalog/lookup', { body: { ids: [id], ...body }, agent });
      return {
        shop,
        cup,
        advice,
        places,
        methods: async (body: object, id = cup, agent = usual) => {
          const answer = await look(body, id, agent);
          assert.equal(answer.status, 200, answer.text);
          return answer.body.products[0]?.variants[0]?.fulfillment?.methods;
        },
        found: async (body: object) => {
          const answer = await shop.send('POST', '/catalog/search', { body: { query: 'cup', ...body } });
          return answer.body.products.map(({ title }) => title).toSorted();
        },
      };
    };
    const availability = { available: true, status: 'in_stock' };
    const shipped = { type: 'shipping', availability };
    const fetchable = { filters: { methods: ['pickup'] } };

    const none = await opened(0);
    assert.deepEqual(await none.methods({}), [shipped]);
    assert.deepEqual(await none.found(fetchable), []);

    const { shop, cup, advice, places, methods, found } = await opened(1);
    const [{ place, option } = { place: '', option: '' }] = places;
    const fetched = {
      type: 'pickup',
      description: { plain: 'Pickup at Store Potsdam' },
      availability,
      location: place,
      options: [{ id: option, title: 'Pickup in the store' }],
    };
    assert.deepEqual(await methods({}), [shipped, fetched]);
    assert.equal(await methods({}, advice), undefined, 'nothing of it is handed over');
    assert.deepEqual(await methods({ context: { location: 'elsewhere' } }), [shipped]);
    assert.deepEqual(await methods({ filters: { fulfills_to: { location: place } } }), [shipped, fetched]);
    assert.deepEqual(await found(fetchable), ['Cup']);
    assert.deepEqual(await found({}), ['Cup', 'Cup advice']);
    const detail = await shop.send('POST', '/catalog/product', { body: { id: cup } });
    assert.deepEqual(detail.body.product.variants[0]?.fulfillment?.methods, [shipped, fetched]);
    const made = await shop.send('POST', '/checkout-sessions', { body: { ...lines(cup), ...pickup(place, option) } });
    assert.deepEqual(
      [methodIn(made)?.selected_destination_id, methodIn(made)?.groups[0]?.selected_option_id],
      [place, option],
      'a checkout takes both as they were shown',
    );
    world.profile('https://old.example/profile', able('2026-04-08'));
    assert.equal(await methods({}, cup, 'https://old.example/profile'), undefined, 'that release has no place for it');

    const two = await opened(2);
    const [, several] = (await two.methods({})) ?? [];
    assert.deepEqual(
      [several?.location, several?.description],
      [undefined, { plain: 'Pickup at Store Potsdam, Store Potsdam' }],
    );
    const [, second] = two.places;
    const [, named] = (await two.methods({ context: { location: second?.place } })) ?? [];
    assert.equal(named?.location, second?.place);
  });

  test('are shipped again where the agent says so, to the address that it gives', async () => {
    const shop = await world.brand();
    const { place, option } = await shop.goods.pickup(0);
    const cup = await shop.goods.variant({ cents: 1000 });
    const made = await shop.send('POST', '/checkout-sessions', { body: { ...lines(cup), ...pickup(place, option) } });
    assert.equal(made.body.status, 'ready_for_complete', made.text);
    const method = { type: 'shipping', line_item_ids: [], destinations: [berlin], selected_destination_id: 'home' };
    const groups = [{ id: 'package', selected_option_id: shop.option }];
    const shipped = await shop.send('PUT', `/checkout-sessions/${made.body.id}`, {
      body: { ...lines(cup), fulfillment: { methods: [{ ...method, groups }] } },
    });
    assert.deepEqual(
      [shipped.body.status, methodIn(shipped)?.type, methodIn(shipped)?.destinations.map(({ id }) => id)],
      ['ready_for_complete', 'shipping', ['home']],
      shipped.text,
    );
  });

  test('are bought on the page of the shop where they are fetched there, without asking for an address', async () => {
    const shop = await world.brand();
    const { place, option } = await shop.goods.pickup(150);
    const cup = await shop.goods.variant({ cents: 1000 });
    const made = await shop.send('POST', '/checkout-sessions', { body: { ...lines(cup), ...pickup(place) } });
    const url = String(made.body.continue_url);
    const page = await (await fetch(url)).text();
    assert.match(page, /You fetch the goods at[^]*Store Potsdam, Markt 3, 14467, Potsdam/);
    assert.doesNotMatch(page, /name="line1"/);
    const form = { email: 'ann@example.com', name: 'Ann Bo', option, intent: 'save' };
    const sent = await fetch(url, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' });
    assert.equal(sent.status, 303);
    const now = await shop.send('GET', `/checkout-sessions/${made.body.id}`);
    assert.deepEqual(
      [now.body.status, methodIn(now)?.type, methodIn(now)?.groups[0]?.selected_option_id],
      ['ready_for_complete', 'pickup', option],
      now.text,
    );
  });

  test('are not sent elsewhere by what the agent says while their buyer, who fetches them, presses the button', async () => {
    const shop = await world.brand();
    const { place, option } = await shop.goods.pickup(490);
    const cup = await shop.goods.variant({ cents: 1000 });
    const body = { ...lines(cup), buyer: { email: 'ann@example.com' }, ...pickup(place, option) };
    const made = await shop.send('POST', '/checkout-sessions', { body });
    const url = String(made.body.continue_url);
    const said = (page: string, name: string) => new RegExp(`name="${name}" value="([^"]+)"`).exec(page)?.[1] ?? '';
    const page = await (await fetch(url)).text();
    const method = { type: 'shipping', line_item_ids: [], destinations: [berlin], selected_destination_id: 'home' };
    const groups = [{ id: 'package', selected_option_id: shop.option }];
    const fulfillment = { methods: [{ ...method, groups }] };
    await shop.send('PUT', `/checkout-sessions/${made.body.id}`, { body: { ...body, fulfillment } });
    const form = { email: 'ann@example.com', name: 'Ann Bo', option, payment: 'test/succeed', intent: 'buy' };
    const agreed = { total: said(page, 'total'), seen: said(page, 'seen') };
    const answer = await fetch(url, { method: 'POST', body: new URLSearchParams({ ...form, ...agreed }) });
    const told = await answer.text();
    assert.match(told, /Nothing was done/);
    assert.equal(said(told, 'total'), agreed.total, 'it costs the same');
  });

  test('are not offered in release 2026-04-08, whose schema takes no location for valid', async () => {
    const shop = await world.brand();
    await shop.goods.pickup(0);
    const cup = await shop.goods.variant({ cents: 1000 });
    world.profile(usual, able('2026-04-08'));
    const made = await shop.send('POST', '/checkout-sessions', { body: lines(cup) });
    assert.deepEqual([made.status, made.body.fulfillment.available_methods], [201, undefined], made.text);
    const asked = await shop.send('POST', '/checkout-sessions', { body: { ...lines(cup), ...pickup() } });
    assert.deepEqual(messages(asked), ['fulfillment_method_unavailable $.fulfillment.methods[0].type']);
    world.profile(usual, able('2026-08-25'));
  });
});
