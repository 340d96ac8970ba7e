import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { after, before, describe, test } from 'node:test';
import { sql } from '@steward/sql';
import { able, type Answer, type Brand, createWorld, usual, type World } from '../fixtures/world.ts';
import { versions } from '../negotiation/versions.ts';

const berlin = {
  id: 'home',
  street_address: 'Weg 1',
  address_locality: 'Berlin',
  postal_code: '10115',
  address_country: 'DE',
};
const ann = { first_name: 'Ann', last_name: 'Bo', email: 'ann@example.com' };
const paid = (more: object = {}, handler = 'mock_payment_handler') => ({
  payment: {
    instruments: [
      { id: 'i', handler_id: handler, type: 'card', credential: { type: 'token', token: 'success_token' }, ...more },
    ],
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

for (const version of versions)
  describe(`a purchase of an agent that speaks ${version}`, () => {
    let world: World;
    before(async () => {
      world = await createWorld();
      world.profile(usual, able(version));
    });
    after(async () => world[Symbol.asyncDispose]());

    const body = (item: string, option: string) => ({
      line_items: [{ item: { id: item }, quantity: 1 }],
      buyer: ann,
      fulfillment: {
        methods: [
          {
            type: 'shipping',
            line_item_ids: [],
            destinations: [berlin],
            selected_destination_id: 'home',
            groups: [{ id: 'package', selected_option_id: option }],
          },
        ],
      },
    });
    /** With a discount, so that there is one to end. */
    const ready = async () => {
      const brand = await world.brand();
      await brand.goods.discount(10);
      const cup = await brand.goods.variant({ cents: 2000, stock: 5 });
      const made = await brand.send('POST', '/checkout-sessions', { body: body(cup, brand.option) });
      assert.deepEqual([made.body.status, total(made)], ['ready_for_complete', 2290], made.text);
      return { brand, cup, id: made.body.id, at: `/checkout-sessions/${made.body.id}` };
    };
    const nothingDone = async ({ tenant }: Brand, why: string): Promise<void> => {
      const [row] = await world.admin.query(sql`
        select (select count(*)::int from orders.sales_order where tenant_id = ${tenant}::uuid) as orders,
          (select count(*)::int from orders.payment where tenant_id = ${tenant}::uuid) as payments,
          (select count(*)::int from stock.reservation where tenant_id = ${tenant}::uuid) as reserved`);
      assert.deepEqual({ ...row }, { orders: 0, payments: 0, reserved: 0 }, why);
    };

    test('is made at what the agent was last answered: at anything else nothing is bought, and what it costs is said', async () => {
      for (const [name, change] of Object.entries(changes)) {
        const { brand, cup, at } = await ready();
        await change(world, brand, cup);
        const refused = await brand.send('POST', `${at}/complete`, { body: paid() });
        assert.deepEqual([refused.status, refused.body.status], [200, 'ready_for_complete'], name + refused.text);
        assert.equal(code(refused), 'checkout_changed', name);
        await nothingDone(brand, name);
        const bought = await brand.send('POST', `${at}/complete`, { body: paid() });
        assert.deepEqual([bought.body.status, total(bought)], ['completed', total(refused)], name + bought.text);
      }
    });

    test('is not made by a request that is repeated because its answer was lost: that is refused again, under another key it is made', async () => {
      const consent =
        version === '2026-08-25'
          ? { 'dev.ucp.consent.marketing': { granted: true, source: 'platform' } }
          : { marketing: true };
      for (const said of [{}, { buyer: { ...ann, consent } }]) {
        const { brand, cup, at } = await ready();
        await brand.goods.reprice(cup, 6000);
        const key = randomUUID();
        const send = async () => brand.send('POST', `${at}/complete`, { key, body: { ...paid(), ...said } });
        const [refused, ...again] = [await send(), await send(), ...(await Promise.all([send(), send()]))];
        assert.deepEqual(
          [refused.status, code(refused), total(refused)],
          [200, 'checkout_changed', 5890],
          refused.text,
        );
        for (const one of again) assert.deepEqual([one.status, one.text], [200, refused.text]);
        await nothingDone(brand, 'repeated');
        const bought = await brand.send('POST', `${at}/complete`, { body: { ...paid(), ...said } });
        assert.deepEqual([bought.body.status, total(bought)], ['completed', 5890], bought.text);
        assert.equal((await send()).text, refused.text);
      }
    });

    test('is made by tools at what the agent was last answered', async () => {
      const { brand, cup, id } = await ready();
      await brand.goods.reprice(cup, 6000);
      const complete = async () => {
        const { body: answer, text } = await brand.tool('complete_checkout', { id, checkout: paid() });
        const told = (answer as unknown as { result: { structuredContent: Answer['body'] } }).result.structuredContent;
        return { body: told, text } as Answer;
      };
      const refused = await complete();
      assert.deepEqual([code(refused), total(refused)], ['checkout_changed', 5890], refused.text);
      await nothingDone(brand, 'by a tool');
      assert.equal((await complete()).body.status, 'completed');
    });

    test('is no other for a request that answered no total, or for a page that the buyer looked at', async () => {
      const { brand, cup, at } = await ready();
      const { continue_url: page } = (await brand.send('GET', at)).body;
      await brand.goods.reprice(cup, 6000);
      assert.equal((await fetch(page)).status, 200);
      const unread = await brand.send('PUT', at, { body: { line_items: 'none' } });
      assert.equal(unread.status, 400, unread.text);
      const refused = await brand.send('POST', `${at}/complete`, { body: paid() });
      assert.deepEqual([code(refused), total(refused)], ['checkout_changed', 5890], refused.text);
      await nothingDone(brand, 'after other requests');
    });

    test('is no other for what the buyer changed on the page, which the agent is answered first', async () => {
      for (const [name, typed, sold] of [
        ['the shop', {}, 5890],
        ['the buyer', { line1: 'Weg 2', city: 'Rom', postcode: '00118', country: 'IT' }, undefined],
      ] as const) {
        const { brand, cup, at } = await ready();
        const { continue_url: page } = (await brand.send('GET', at)).body;
        if (name === 'the shop') await brand.goods.reprice(cup, 6000);
        const saved = await fetch(page, {
          method: 'POST',
          body: new URLSearchParams({ email: ann.email, name: 'Ann Bo', intent: 'save', ...typed }),
        });
        assert.equal(saved.status, 200, name);
        const refused = await brand.send('POST', `${at}/complete`, { body: paid() });
        assert.equal(code(refused), 'checkout_changed', name + refused.text);
        if (sold !== undefined) assert.equal(total(refused), sold, refused.text);
        await nothingDone(brand, name);
        const bought = await brand.send('POST', `${at}/complete`, { body: paid() });
        if (sold !== undefined) assert.deepEqual([bought.body.status, total(bought)], ['completed', sold], bought.text);
      }
    });

    test('that was refused for its payment shows what it costs now, and is made at that', async () => {
      const { brand, cup, at } = await ready();
      await brand.goods.reprice(cup, 6000);
      const refused = await brand.send('POST', `${at}/complete`, { body: paid({}, 'nobody') });
      assert.deepEqual([code(refused), total(refused)], ['payment_failed', 5890], refused.text);
      assert.equal((await brand.send('POST', `${at}/complete`, { body: paid() })).body.status, 'completed');
    });

    test('is made at once where nothing that it costs has changed', async () => {
      const { brand, cup, at } = await ready();
      await brand.goods.count(cup, 4);
      await world.admin.query(sql`
        insert into checkout.shipping_option (tenant_id, shipping_option_id, shipping_zone_id, name, kind, currency, amount, tax_category)
        select tenant_id, gen_random_uuid(), shipping_zone_id, 'Express', kind, currency, 990, tax_category
        from checkout.shipping_option where shipping_option_id = ${brand.option}::uuid`);
      const bought = await brand.send('POST', `${at}/complete`, { body: paid() });
      assert.deepEqual([bought.body.status, total(bought)], ['completed', 2290], bought.text);
    });

    test('whose bill goes where taxes come on top is shown with them first', async () => {
      const bill = { billing_address: { street_address: 'Weg 1', address_locality: 'Berlin', address_country: 'DE' } };
      for (const [pricing, sold] of [
        ['inclusive', 2000],
        ['exclusive', 2380],
      ] as const) {
        const brand = await world.brand();
        if (pricing === 'exclusive')
          await world.admin.query(sql`
            insert into checkout.tax_setting (tenant_id, prices_without_tax, reverse_charge) values (${brand.tenant}::uuid, array['EUR'], true)`);
        const file = await brand.goods.variant({ cents: 2000, ships: false });
        const made = await brand.send('POST', '/checkout-sessions', {
          body: { line_items: [{ item: { id: file }, quantity: 1 }], buyer: ann },
        });
        assert.equal(total(made), 2000, made.text);
        const complete = async () =>
          brand.send('POST', `/checkout-sessions/${made.body.id}/complete`, { body: paid(bill) });
        const first = await complete();
        assert.equal(total(first), sold, first.text);
        if (pricing === 'inclusive') assert.equal(first.body.status, 'completed', first.text);
        else {
          assert.equal(code(first), 'checkout_changed', first.text);
          await nothingDone(brand, pricing);
          assert.equal((await complete()).body.status, 'completed');
        }
      }
    });

    test('tells the shop of nobody’s agreement to news but that of the address that it was given with', async () => {
      const brand = await world.brand();
      const cup = await brand.goods.variant();
      const consent =
        version === '2026-08-25'
          ? { 'dev.ucp.consent.marketing': { granted: true, source: 'platform' } }
          : { marketing: true };
      const agreeing = { ...ann, consent };
      const eve = { email: 'eve@example.com' };
      const goods = { line_items: [{ item: { id: cup }, quantity: 1 }] };
      /** The older release says the id of a cart in its body too. */
      const called = ({ body: { id } }: Answer) => (version === '2026-04-08' ? { id } : {});
      const agreed = async (id: string): Promise<unknown> => {
        const [row] = await world.admin.query(
          sql`select email, marketing_consent as agreed from checkout.session where checkout_id = ${id}::uuid`,
        );
        return [row?.['email'], row?.['agreed']];
      };
      const { buyer: _buyer, ...nobody } = body(cup, brand.option);
      for (const between of [undefined, {}, { first_name: 'Ann' }, { email: 'nobody' }]) {
        const said = between === undefined ? {} : { buyer: between };
        const name = JSON.stringify(between);
        const made = await brand.send('POST', '/checkout-sessions', {
          body: { ...body(cup, brand.option), buyer: agreeing },
        });
        const at = `/checkout-sessions/${made.body.id}`;
        assert.deepEqual(await agreed(made.body.id), [ann.email, true], made.text);
        await brand.send('PUT', at, { body: { ...nobody, ...said } });
        const moved = await brand.send('PUT', at, { body: { ...nobody, buyer: eve } });
        assert.equal(moved.body.status, 'ready_for_complete', moved.text);
        const bought = await brand.send('POST', `${at}/complete`, { body: paid() });
        assert.equal(bought.body.status, 'completed', bought.text);
        assert.deepEqual(await agreed(made.body.id), [eve.email, false], name);
        const [order] = await world.admin.query(
          sql`select marketing from orders.sales_order o join checkout.session s using (tenant_id, order_id) where s.checkout_id = ${made.body.id}::uuid`,
        );
        assert.equal(order?.['marketing'], false, name);

        const cart = await brand.send('POST', '/carts', { body: { ...goods, buyer: agreeing } });
        await brand.send('PUT', `/carts/${cart.body.id}`, { body: { ...called(cart), ...goods, ...said } });
        await brand.send('PUT', `/carts/${cart.body.id}`, { body: { ...called(cart), ...goods, buyer: eve } });
        const of = await brand.send('POST', '/checkout-sessions', { body: { cart_id: cart.body.id, line_items: [] } });
        assert.deepEqual(await agreed(of.body.id), [eve.email, false], name);
      }
      const kept = await brand.send('POST', '/carts', { body: { ...goods, buyer: agreeing } });
      await brand.send('PUT', `/carts/${kept.body.id}`, { body: { ...called(kept), ...goods, buyer: ann } });
      const of = await brand.send('POST', '/checkout-sessions', { body: { cart_id: kept.body.id, line_items: [] } });
      assert.deepEqual(await agreed(of.body.id), [ann.email, true], of.text);
      const post = async (email: string) =>
        fetch(of.body.continue_url, {
          method: 'POST',
          body: new URLSearchParams({ email, name: 'Eve', intent: 'save' }),
        });
      await post(ann.email);
      assert.deepEqual(await agreed(of.body.id), [ann.email, true]);
      await post(eve.email);
      assert.deepEqual(await agreed(of.body.id), [eve.email, false], 'on the page of the buyer');
      await brand.send('PUT', `/checkout-sessions/${of.body.id}`, { body: { ...nobody, buyer: eve } });
      assert.deepEqual(await agreed(of.body.id), [eve.email, false], 'nor after it');
    });

    test('that says what its buyer agrees to says so for no other address, and takes back no change that came before it', async () => {
      const consent =
        version === '2026-08-25'
          ? { 'dev.ucp.consent.marketing': { granted: true, source: 'platform' } }
          : { marketing: true };
      const eve = { email: 'eve@example.com' };
      const unpaid = { ...paid({ credential: { type: 'token', token: 'fail_token' } }), buyer: { ...ann, consent } };
      for (const atOnce of [false, true]) {
        const { brand, cup, id, at } = await ready();
        const change = async () => brand.send('PUT', at, { body: { ...body(cup, brand.option), buyer: eve } });
        const complete = async () => brand.send('POST', `${at}/complete`, { body: unpaid });
        const [changed, declined] = atOnce
          ? await world.admin.withClient(async (client) => {
              await client.query('begin');
              await client.query('select from checkout.session where checkout_id = $1::uuid for update', [id]);
              const waiting = sql`
                select count(distinct pid)::int as waiting from pg_locks join pg_stat_activity using (pid) where not granted and datname = current_database()`;
              const sent: Promise<Answer>[] = [];
              for (const one of [change, complete]) {
                sent.push(one());
                while ((await world.admin.query(waiting))[0]?.['waiting'] !== sent.length) await sleep(5);
              }
              await client.query('rollback');
              return Promise.all(sent);
            })
          : [await change(), await complete()];
        assert.deepEqual([changed?.status, declined?.status], [200, 200], `${changed?.text} ${declined?.text}`);
        assert.equal((await brand.send('GET', at)).body.buyer?.email, eve.email, String(atOnce));
        const [row] = await world.admin.query(
          sql`select email, marketing_consent as agreed from checkout.session where checkout_id = ${id}::uuid`,
        );
        assert.deepEqual({ ...row }, { email: eve.email, agreed: false }, String(atOnce));
      }
    });
  });
