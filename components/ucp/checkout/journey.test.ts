import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { statement } from '@steward/sql';
import { versions } from '../negotiation/versions.ts';
import { able, type Answer, type Brand, createWorld, usual, type World } from '../fixtures/world.ts';

const berlin = {
  id: 'home',
  first_name: 'Ann',
  last_name: 'Bo',
  street_address: 'Weg 1',
  address_locality: 'Berlin',
  postal_code: '10115',
  address_country: 'DE',
};
const ann = { first_name: 'Ann', last_name: 'Bo', email: 'Ann@Example.com' };
export const paid = (token = 'success_token') => ({
  payment: {
    instruments: [
      { id: 'instr_1', handler_id: 'mock_payment_handler', type: 'card', credential: { type: 'token', token } },
    ],
  },
});
const amount = ({ body }: Answer, type: string): number | undefined =>
  body.totals.find((one) => one.type === type)?.amount;
/** What a platform checks before it completes. */
const addsUp = ({ body }: Answer): void => {
  const rest = body.totals.filter(({ type }) => type !== 'total');
  assert.equal(
    rest.reduce((sum, one) => sum + one.amount, 0),
    amount({ body } as Answer, 'total'),
  );
  for (const { totals } of body.line_items) {
    const total = totals.find(({ type }) => type === 'total');
    const others = totals.filter(({ type }) => type !== 'total');
    assert.equal(
      others.reduce((sum, one) => sum + one.amount, 0),
      total?.amount,
    );
  }
};
const codes = ({ body }: Answer): string[] => (body.messages ?? []).map((one) => one.code);

for (const version of versions)
  describe(`a checkout of an agent that speaks ${version}`, () => {
    let world: World;
    let brand: Brand;
    before(async () => {
      world = await createWorld();
      world.profile(usual, able(version));
      brand = await world.brand();
    });
    after(async () => world[Symbol.asyncDispose]());

    const shipping = (option?: string) => ({
      fulfillment: {
        methods: [
          {
            type: 'shipping',
            line_item_ids: [],
            destinations: [berlin],
            selected_destination_id: 'home',
            ...(option === undefined ? {} : { groups: [{ id: 'package', selected_option_id: option }] }),
          },
        ],
      },
    });
    const lines = (id: string, quantity = 1) => ({ line_items: [{ item: { id }, quantity }] });
    const ready = async (at: Brand, item: string, quantity = 1): Promise<Answer> => {
      const made = await at.send('POST', '/checkout-sessions', {
        body: { ...lines(item, quantity), buyer: ann, ...shipping(at.option) },
      });
      assert.deepEqual([made.status, made.body.status], [201, 'ready_for_complete'], made.text);
      return made;
    };

    test('goes from items over an address and a way of shipping to an order, and its answers add up', async () => {
      const cup = await brand.goods.variant({ cents: 1000 });
      const made = await brand.send('POST', '/checkout-sessions', { body: lines(cup, 2) });
      assert.deepEqual([made.status, made.body.status], [201, 'incomplete'], made.text);
      assert.deepEqual(codes(made).toSorted(), ['missing', 'missing']);
      assert.deepEqual(
        made.body.links,
        [
          { type: 'terms_of_service', url: 'https://shop.example/terms' },
          { type: 'refund_policy', url: 'https://shop.example/returns' },
        ],
        'buyers are led to pages of the brand',
      );
      addsUp(made);
      const { id } = made.body;
      const line = made.body.line_items[0];
      assert.deepEqual([line?.item.id, line?.item.title, line?.item.price, line?.quantity], [cup, 'Cup (M)', 1000, 2]);
      const addressed = await brand.send('PUT', `/checkout-sessions/${id}`, {
        body: { ...lines(cup, 2), buyer: ann, ...shipping() },
      });
      const [method] = addressed.body.fulfillment.methods;
      assert.equal(method?.destinations[0]?.type, version === '2026-08-25' ? 'shipping_address' : undefined);
      assert.deepEqual(
        method?.groups[0]?.options.map((one) => one.id),
        [brand.option],
      );
      assert.equal(method?.groups[0]?.selected_option_id, null);
      assert.equal(method?.line_item_ids[0], line?.id, 'lines keep their ids');
      const chosen = await brand.send('PUT', `/checkout-sessions/${id}`, {
        body: { ...lines(cup, 2), buyer: ann, ...shipping(brand.option) },
      });
      assert.deepEqual(
        [chosen.status, chosen.body.status, chosen.body.messages],
        [200, 'ready_for_complete', undefined],
        chosen.text,
      );
      addsUp(chosen);
      assert.deepEqual(
        [amount(chosen, 'subtotal'), amount(chosen, 'fulfillment'), amount(chosen, 'total')],
        [2000, 490, chosen.body.totals.at(-1)?.amount],
      );
      const done = await brand.send('POST', `/checkout-sessions/${id}/complete`, { body: paid() });
      assert.deepEqual([done.status, done.body.status], [200, 'completed'], done.text);
      assert.equal(done.body.continue_url, undefined);
      const order = await brand.send('GET', `/orders/${done.body.order.id}`);
      assert.equal(order.body.checkout_id, id);
      addsUp(order);
      assert.equal(amount(order, 'total'), amount(done, 'total'));
      assert.deepEqual(order.body.line_items[0]?.quantity, { original: 2, total: 2, fulfilled: 0 });
      const [expectation] = order.body.fulfillment.expectations;
      assert.equal(expectation?.description, 'Parcel');
      assert.equal(expectation?.destination.street_address, 'Weg 1');
      const page = await fetch(done.body.order.permalink_url.replace('/orders/', '/orders/'));
      assert.equal(page.status, 404, 'the page of orders is another component’s, which this world has not');
    });

    test('of a cart has nothing of what carts do not have, whatever is sent in its place', async () => {
      const cup = await brand.goods.variant();
      const { fulfillment } = shipping(brand.option);
      const [method] = fulfillment.methods;
      for (const methods of [
        fulfillment.methods,
        [null],
        [{ ...method, destinations: [null] }],
        [{ ...method, id: '\0' }],
      ]) {
        const body = { ...lines(cup), fulfillment: { methods }, ...paid() };
        const cart = await brand.send('POST', '/carts', { body });
        assert.equal(cart.status, 201, cart.text);
        const [row] = await world.admin.query(
          statement(`select door_state::text as state from checkout.cart where cart_id = $1::uuid`, [cart.body.id]),
        );
        assert.doesNotMatch(String(row?.['state']), /Weg 1|fulfillment|instr_1/);
      }
    });

    test('of a cart takes what is in the cart, whatever is sent beside it, and is the same one again', async () => {
      const cup = await brand.goods.variant({ cents: 700 });
      await brand.goods.discount(10, 'TEN');
      const cart = await brand.send('POST', '/carts', {
        body: { ...lines(cup, 3), buyer: ann, discounts: { codes: ['ten', 'Nope'] } },
      });
      assert.equal(cart.status, 201, cart.text);
      addsUp(cart);
      assert.deepEqual(
        cart.body.discounts.applied.map((one) => [one.code, one.amount]),
        [['TEN', 210]],
      );
      assert.deepEqual(cart.body.discounts.applied[0]?.allocations, [{ path: '$.line_items[0]', amount: 210 }]);
      assert.deepEqual(
        cart.body.messages.map((one) => [one.code, one.path]),
        [['discount_code_invalid', '$.discounts.codes[1]']],
      );
      const first = await brand.send('POST', '/checkout-sessions', {
        body: {
          cart_id: cart.body.id,
          line_items: [{ item: { id: cup }, quantity: 9 }],
          buyer: { email: 'eve@example.com' },
        },
      });
      assert.equal(first.status, 201, first.text);
      assert.equal(first.body.line_items[0]?.quantity, 3);
      assert.equal(first.body.buyer?.email, 'Ann@Example.com');
      assert.deepEqual(first.body.discounts.codes, ['ten', 'Nope']);
      const second = await brand.send('POST', '/checkout-sessions', {
        body: { cart_id: cart.body.id, line_items: [] },
      });
      assert.deepEqual([second.status, second.body.id], [200, first.body.id]);
      const replaced = await brand.send('PUT', `/carts/${cart.body.id}`, {
        body: { id: cart.body.id, ...lines(cup, 1) },
      });
      assert.deepEqual(
        [replaced.body.line_items[0]?.quantity, replaced.body.discounts.codes, replaced.body.buyer?.email],
        [1, [], undefined],
      );
      const cancelled = await brand.send('POST', `/carts/${cart.body.id}/cancel`);
      assert.equal(cancelled.body.line_items[0]?.quantity, 1);
      const gone = await brand.send('GET', `/carts/${cart.body.id}`);
      assert.deepEqual([gone.status, gone.body.ucp.status, codes(gone)], [200, 'error', ['not_found']]);
    });

    test('is replaced as a whole: what is not sent is not so any more', async () => {
      const cup = await brand.goods.variant();
      const { body } = await ready(brand, cup);
      const bare = await brand.send('PUT', `/checkout-sessions/${body.id}`, { body: lines(cup) });
      assert.deepEqual(
        [bare.body.status, bare.body.buyer?.email, bare.body.fulfillment.methods[0]?.destinations],
        ['incomplete', undefined, undefined],
      );
    });

    test('says what stops it with the path of what it is about', async () => {
      const few = await brand.goods.variant({ stock: 0 });
      const out = await brand.send('POST', '/checkout-sessions', { body: lines(few) });
      const error = out.body.messages.find(({ type }) => type === 'error');
      assert.deepEqual(
        [out.status, error?.code, error?.path, error?.severity],
        [201, 'out_of_stock', '$.line_items[0]', 'recoverable'],
      );
      for (const item of [randomUUID(), 'no-such-sku', await brand.goods.variant({ published: false })]) {
        const none = await brand.send('POST', '/checkout-sessions', { body: lines(item) });
        assert.deepEqual(
          [none.status, none.body.ucp.status, codes(none), none.body.id],
          [200, 'error', ['item_unavailable'], undefined],
        );
      }
      const cup = await brand.goods.variant();
      const elsewhere = { ...berlin, address_country: 'FR' };
      const far = await brand.send('POST', '/checkout-sessions', {
        body: {
          ...lines(cup),
          buyer: { email: 'nobody' },
          fulfillment: { methods: [{ type: 'shipping', destinations: [elsewhere] }] },
        },
      });
      assert.deepEqual(far.body.messages.map((one) => `${one.code} ${one.path}`).toSorted(), [
        'address_undeliverable $.fulfillment.methods[0].destinations[0].address_country',
        'invalid_email $.buyer.email',
      ]);
      const { body } = await ready(brand, cup);
      for (const [change, path] of [
        [{ methods: [{ type: 'pickup', line_item_ids: [] }] }, '$.fulfillment.methods[0].type'],
        [
          {
            methods: [
              { type: 'shipping', line_item_ids: [] },
              { type: 'shipping', line_item_ids: [] },
            ],
          },
          '$.fulfillment.methods[1]',
        ],
        [
          { methods: [{ type: 'shipping', line_item_ids: [], selected_destination_id: 'nowhere' }] },
          '$.fulfillment.methods[0].selected_destination_id',
        ],
      ] as const) {
        const same = await brand.send('PUT', `/checkout-sessions/${body.id}`, {
          body: { ...lines(cup, 5), fulfillment: change },
        });
        assert.deepEqual(
          [same.status, same.body.messages[0]?.path, same.body.line_items[0]?.quantity],
          [200, path, 1],
          same.text,
        );
      }
    });

    test('that is declined can be paid otherwise, and nothing that pays is told, kept or logged', async () => {
      const cup = await brand.goods.variant({ stock: 3 });
      const { body } = await ready(brand, cup);
      const secret = `tok_${randomUUID()}`;
      const declined = await brand.send('POST', `/checkout-sessions/${body.id}/complete`, { body: paid(secret) });
      assert.deepEqual(
        [declined.status, declined.body.status, codes(declined)],
        [200, 'ready_for_complete', ['payment_failed']],
      );
      const seen = `pan_${randomUUID()}`;
      const instrument = { ...paid(secret).payment.instruments[0], number: seen, display: { note: seen } };
      const told = await brand.send('PUT', `/checkout-sessions/${body.id}`, {
        body: { ...lines(cup), buyer: ann, ...shipping(brand.option), payment: { instruments: [instrument] } },
      });
      assert.deepEqual(told.body.payment.instruments, [
        { id: 'instr_1', handler_id: 'mock_payment_handler', type: 'card' },
      ]);
      const done = await brand.send('POST', `/checkout-sessions/${body.id}/complete`, { body: paid('success_token') });
      assert.equal(done.body.status, 'completed', done.text);
      const tables = await world.admin.query<{ name: string }>(
        statement(
          `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
         where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
          [],
        ),
      );
      assert.ok(tables.length > 60, `only ${tables.length} tables were looked at`);
      for (const text of [secret, seen]) {
        for (const { name } of tables) {
          const [row] = await world.admin.query<{ found: boolean }>(
            statement(`select exists (select from ${name} t where t::text like '%' || $1 || '%') as found`, [text]),
          );
          assert.equal(row?.found, false, `${name} has what pays`);
        }
        assert.ok(!world.logged.some((line) => line?.includes(text)), 'the log has what pays');
        for (const answer of [declined, told, done]) assert.ok(!answer.text.includes(text));
      }
      assert.ok(!done.text.includes('success_token'));
    });

    test('is paid by one instrument, of a handler and a type that are offered', async () => {
      const cup = await brand.goods.variant();
      const { body } = await ready(brand, cup);
      const complete = async (...instruments: object[]) =>
        brand.send('POST', `/checkout-sessions/${body.id}/complete`, { body: { payment: { instruments } } });
      const [card] = paid().payment.instruments;
      for (const instruments of [
        [],
        [{ ...card, handler_id: 'another' }],
        [{ ...card, type: 'wallet' }],
        [card, { ...card, id: 'instr_2' }],
      ] as object[][]) {
        const refused = await complete(...instruments);
        assert.deepEqual(
          [refused.status, refused.body.status, codes(refused)],
          [200, 'ready_for_complete', ['payment_failed']],
        );
      }
      const several = await complete({ ...card, selected: true }, { ...card, id: 'instr_2' });
      assert.equal(
        several.body.status,
        version === '2026-08-25' ? 'ready_for_complete' : 'completed',
        'the older release lets one of several be selected',
      );
    });

    test('keeps what its buyer agreed to until the buyer says otherwise, and takes no default of ours for their word', async () => {
      const cup = await brand.goods.variant();
      const newer = version === '2026-08-25';
      const marketing = (granted: boolean, source = 'platform') =>
        newer ? { 'dev.ucp.consent.marketing': { granted, source } } : { marketing: granted };
      const made = await brand.send('POST', '/checkout-sessions', {
        body: { ...lines(cup), buyer: { ...ann, consent: marketing(true) } },
      });
      const shown = ({ body: { buyer } }: Answer) => {
        const consent = (buyer as { consent?: Record<string, unknown> } | undefined)?.consent ?? {};
        const one = consent[newer ? 'dev.ucp.consent.marketing' : 'marketing'] as { granted: boolean; source: string };
        return newer ? `${one.granted} ${one.source}` : one;
      };
      const said = (granted: boolean) => (newer ? `${granted} platform` : granted);
      assert.equal(shown(made), said(true));
      const put = async (buyer?: object) =>
        brand.send('PUT', `/checkout-sessions/${made.body.id}`, {
          body: { ...lines(cup), ...shipping(brand.option), ...(buyer === undefined ? {} : { buyer }) },
        });
      const agreed = async () => {
        const [row] = await world.admin.query<{ agreed: boolean }>(
          statement('select marketing_consent as agreed from checkout.session where checkout_id = $1::uuid', [
            made.body.id,
          ]),
        );
        return row?.agreed;
      };
      assert.equal(shown(await put(ann)), said(true), 'nothing is said of it');
      assert.equal(await agreed(), true);
      if (newer) assert.equal(shown(await put({ ...ann, consent: marketing(false, 'business') })), said(true));
      assert.equal(shown(await put({ ...ann, consent: marketing(false) })), said(false));
      assert.equal(await agreed(), false);
      await put({ ...ann, consent: marketing(true) });
      const other = await put({ email: 'eve@example.com' });
      assert.equal(await agreed(), false, 'nobody agrees for somebody else');
      if (newer) assert.equal(shown(other), 'false business');
    });

    test('tells ways of shipping that are called alike apart', async () => {
      const shop = await world.brand();
      await world.admin.query(
        statement(
          `insert into checkout.shipping_option (tenant_id, shipping_option_id, shipping_zone_id, name, kind, currency, amount, tax_category)
           select tenant_id, gen_random_uuid(), shipping_zone_id, name, kind, currency, amount, tax_category
           from checkout.shipping_option, generate_series(1, 2) where shipping_option_id = $1::uuid`,
          [shop.option],
        ),
      );
      const cup = await shop.goods.variant();
      const made = await shop.send('POST', '/checkout-sessions', {
        body: { ...lines(cup), buyer: ann, ...shipping() },
      });
      const options = made.body.fulfillment.methods[0]?.groups[0]?.options ?? [];
      assert.deepEqual(options.map(({ title }) => title).toSorted(), ['Parcel', 'Parcel (2)', 'Parcel (3)']);
    });

    test('says of the first fifty that it left out what they are, and of how many more', async () => {
      const cup = await brand.goods.variant();
      const unsold = Array.from({ length: 400 }, (_, n) => `${n}-${'x'.repeat(240)}`);
      const line_items = [cup, ...unsold].map((id) => ({ item: { id }, quantity: 1 }));
      const made = await brand.send('POST', '/carts', { body: { line_items } });
      assert.equal(made.status, 201, made.text);
      const told = (made.body.messages ?? []).filter(({ code }) => code === 'item_unavailable');
      assert.equal(told.length, 51);
      assert.equal(told.at(-1)?.content, '350 more are left out. Update with all items that are wanted.');
    });

    test('has what there is of what was asked for, says what there is not, and is not bought until the agent says what is wanted', async () => {
      const [cup, hidden] = [await brand.goods.variant(), await brand.goods.variant({ published: false })];
      const unsold = ['no-such-sku', randomUUID(), hidden];
      const line_items = [...unsold, cup].map((id) => ({ item: { id }, quantity: 1 }));
      const whole = { buyer: ann, ...shipping(brand.option) };
      const told = ({ body }: Answer) =>
        (body.messages ?? [])
          .filter(({ code }) => code === 'item_unavailable')
          .map(({ type, severity, path, content }) => [type, severity, path, /“(.*?)” is left out/.exec(content)?.[1]]);
      const expected = unsold.map((id) => ['error', 'recoverable', '$.line_items', id]);
      const made = await brand.send('POST', '/checkout-sessions', { body: { line_items, ...whole } });
      assert.deepEqual([made.status, made.body.status], [201, 'incomplete'], made.text);
      assert.deepEqual(
        made.body.line_items.map(({ item }) => item.id),
        [cup],
      );
      assert.deepEqual(told(made).toSorted(), expected.toSorted());
      addsUp(made);
      const at = `/checkout-sessions/${made.body.id}`;
      assert.deepEqual(told(await brand.send('GET', at)), told(made));
      const early = await brand.send('POST', `${at}/complete`, { body: paid() });
      assert.deepEqual([early.status, early.body.status, told(early)], [200, 'incomplete', told(made)], early.text);

      const half = await brand.send('PUT', at, { body: { line_items, ...whole } });
      assert.deepEqual(
        [half.body.line_items.length, codes(half).includes('item_unavailable')],
        [1, true],
        'a change is made as a whole or not at all',
      );
      const settled = await brand.send('PUT', at, { body: { ...lines(cup), ...whole } });
      assert.deepEqual([settled.body.status, told(settled)], ['ready_for_complete', []], settled.text);
      const bought = await brand.send('POST', `${at}/complete`, { body: paid() });
      assert.equal(bought.body.status, 'completed', bought.text);

      const cart = await brand.send('POST', '/carts', { body: { line_items, buyer: ann } });
      assert.deepEqual([cart.status, cart.body.line_items.length], [201, 1], cart.text);
      assert.deepEqual(told(cart).toSorted(), expected.toSorted());
      assert.deepEqual(told(await brand.send('GET', `/carts/${cart.body.id}`)), told(cart));
      const from = await brand.send('POST', '/checkout-sessions', {
        body: { cart_id: cart.body.id, line_items: [], ...shipping(brand.option) },
      });
      assert.deepEqual([from.status, from.body.status, told(from)], [201, 'incomplete', told(cart)], from.text);
      const cartNamed = version === '2026-04-08' ? { id: cart.body.id } : {};
      const less = await brand.send('PUT', `/carts/${cart.body.id}`, { body: { ...cartNamed, ...lines(cup) } });
      assert.deepEqual(told(less), [], less.text);

      const none = { line_items: unsold.map((id) => ({ item: { id }, quantity: 1 })) };
      for (const path of ['/carts', '/checkout-sessions']) {
        const nothing = await brand.send('POST', path, { body: none });
        assert.deepEqual([nothing.status, nothing.body.ucp.status], [200, 'error'], nothing.text);
        assert.deepEqual([...new Set(codes(nothing))], ['item_unavailable']);
      }
    });

    test('is in the currency in which most of it is sold where no one currency has all of it', async () => {
      const [both, other, own] = [
        await brand.goods.variant({ currencies: ['CHF', 'SEK'] }),
        await brand.goods.variant({ currencies: ['SEK'] }),
        await brand.goods.variant({ currencies: ['CHF'] }),
      ];
      for (const [asked, currency, sold] of [
        [[both, other, own], 'CHF', [both, own]],
        [[both, other], 'SEK', [both, other]],
      ] as const)
        for (const path of ['/carts', '/checkout-sessions']) {
          const line_items = asked.map((id) => ({ item: { id }, quantity: 1 }));
          const made = await brand.send('POST', path, { body: { line_items } });
          assert.deepEqual([made.status, made.body.currency], [201, currency], made.text);
          assert.deepEqual(
            made.body.line_items.map(({ item }) => item.id),
            sold,
          );
          assert.equal(codes(made).filter((code) => code === 'item_unavailable').length, asked.length - sold.length);
        }
    });

    test('is not made of more than is kept of what an agent says, and says so', async () => {
      const cup = await brand.goods.variant();
      const long = (longest: number) => '\u0001'.repeat(longest);
      const attribution = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`${at}`, long(500)]));
      const eligibility = Array.from({ length: 50 }, () => long(255));
      const body = { ...lines(cup), attribution, context: { eligibility } };
      for (const path of ['/carts', '/checkout-sessions']) {
        const refused = await brand.send('POST', path, { body });
        assert.deepEqual([refused.status, refused.body.code], [413, 'request_too_large'], refused.text);
        const made = await brand.send('POST', path, { body: lines(cup) });
        const named = version === '2026-04-08' ? { id: made.body.id } : {};
        const changed = await brand.send('PUT', `${path}/${made.body.id}`, { body: { ...named, ...body } });
        assert.deepEqual([changed.status, changed.body.code], [413, 'request_too_large'], changed.text);
      }
    });

    test('counts pieces, and takes no other measure for them', async () => {
      const cup = await brand.goods.variant();
      const counted = (unit: object, quantity = 2) => ({
        line_items: [{ item: { id: cup, quantity_unit: { display_text: 'x', ...unit } }, quantity }],
      });
      const made = await brand.send('POST', '/checkout-sessions', { body: counted({ unit: 'C62', scale: 0 }) });
      assert.deepEqual([made.status, made.body.line_items[0]?.quantity], [201, 2], made.text);
      const kilograms = counted({ unit: 'KGM', scale: 2 }, 250);
      const [created, cart] = [
        await brand.send('POST', '/checkout-sessions', { body: kilograms }),
        await brand.send('POST', '/carts', { body: kilograms }),
      ];
      const changed = await brand.send('PUT', `/checkout-sessions/${made.body.id}`, { body: kilograms });
      if (version === '2026-04-08') {
        assert.equal(changed.body.line_items[0]?.quantity, 250, 'the older release has no units');
        return;
      }
      for (const refused of [created, cart])
        assert.deepEqual(
          [refused.status, refused.body.ucp.status, codes(refused)],
          [200, 'error', ['quantity_unit_mismatch']],
        );
      const other = await brand.goods.variant();
      const mixed = await brand.send('POST', '/checkout-sessions', {
        body: { line_items: [...kilograms.line_items, ...lines(other).line_items] },
      });
      assert.deepEqual(
        [mixed.status, mixed.body.line_items.map(({ item }) => item.id), mixed.body.messages[0]?.code],
        [201, [other], 'quantity_unit_mismatch'],
      );
      assert.match(String(mixed.body.messages[0]?.content), new RegExp(cup));
      const [error] = changed.body.messages;
      assert.deepEqual(
        [changed.status, changed.body.line_items[0]?.quantity, error?.code, error?.severity, error?.path],
        [200, 2, 'quantity_unit_mismatch', 'recoverable', '$.line_items[0].item.quantity_unit'],
      );
    });

    test('says of each thing that a buyer is said to be eligible for that it changes nothing, and is sold all the same', async () => {
      const cup = await brand.goods.variant();
      const context = { eligibility: ['com.example.loyalty', 'org.example.student'] };
      const told = ({ body }: Answer) =>
        (body.messages ?? []).filter(({ type }) => type === 'warning').map(({ code, content }) => [code, content]);
      const both = context.eligibility.map((claim) => [
        'eligibility_not_accepted',
        `Nothing changes by being eligible for ${claim}.`,
      ]);
      const cart = await brand.send('POST', '/carts', { body: { ...lines(cup), context } });
      assert.deepEqual(told(cart), both);
      const converted = await brand.send('POST', '/checkout-sessions', {
        body: { cart_id: cart.body.id, line_items: [], context: { eligibility: ['com.example.other'] } },
      });
      assert.deepEqual(told(converted), both, 'what the cart says counts');
      const made = await brand.send('POST', '/checkout-sessions', {
        body: { ...lines(cup), buyer: ann, ...shipping(brand.option), context },
      });
      assert.deepEqual([told(made), made.body.status], [both, 'ready_for_complete']);
      const rescinded = await brand.send('PUT', `/checkout-sessions/${made.body.id}`, {
        body: { ...lines(cup), buyer: ann, ...shipping(brand.option), context: { eligibility: [] } },
      });
      assert.deepEqual(told(rescinded), []);
      const again = await brand.send('PUT', `/checkout-sessions/${made.body.id}`, {
        body: { ...lines(cup), buyer: ann, ...shipping(brand.option), context },
      });
      assert.deepEqual(told(again), both);
      const done = await brand.send('POST', `/checkout-sessions/${made.body.id}/complete`, { body: paid() });
      assert.equal(done.body.status, 'completed', done.text);
    });

    test('does the same request under the same key once, and refuses another under it by its bytes', async () => {
      const cup = await brand.goods.variant();
      const key = randomUUID();
      const text = JSON.stringify({ ...lines(cup), buyer: ann });
      const first = await brand.send('POST', '/checkout-sessions', { raw: text, key });
      const again = await brand.send('POST', '/checkout-sessions', { raw: text, key });
      assert.deepEqual(
        [again.status, again.text, again.headers.get('idempotent-replayed')],
        [first.status, first.text, 'true'],
      );
      const turned = JSON.stringify({ buyer: ann, ...lines(cup) });
      const other = await brand.send('POST', '/checkout-sessions', { raw: turned, key });
      assert.deepEqual([other.status, other.body.code], [409, 'idempotency_conflict']);
      assert.deepEqual(Object.keys(other.body), ['code', 'content'], 'flat');
      const { body } = await ready(brand, cup);
      const at = `/checkout-sessions/${body.id}/complete`;
      const paying = randomUUID();
      const done = await brand.send('POST', at, { body: paid(), key: paying });
      const repeated = await brand.send('POST', at, { body: paid(), key: paying });
      assert.deepEqual([repeated.status, repeated.text], [200, done.text]);
      assert.equal((await brand.send('POST', at, { body: paid('other'), key: paying })).status, 409);
      const anew = await brand.send('POST', at, { body: paid() });
      assert.deepEqual([anew.body.status, codes(anew)], ['completed', ['checkout_closed']]);
      for (const [method, path] of [
        ['POST', '/checkout-sessions'],
        ['PUT', `/checkout-sessions/${body.id}`],
        ['POST', at],
        ['POST', `/checkout-sessions/${body.id}/cancel`],
        ['POST', '/carts'],
      ] as const) {
        const refused = await brand.send(method, path, { body: lines(cup), key: null });
        assert.deepEqual([refused.status, refused.body.code], [400, 'idempotency_key_required']);
      }
    });

    test('is sold once, however many agents race for the last piece', async () => {
      const shop = await world.brand('live');
      const last = await shop.goods.variant({ stock: 1 });
      const invoice = { payment: { instruments: [{ id: 'bill', handler_id: 'manual', type: 'invoice' }] } };
      const agents = Array.from({ length: 20 }, (_, at) => `https://agent-${at}.example/profile`);
      for (const agent of agents) world.profile(agent, able(agent.length % 2 === 0 ? '2026-04-08' : '2026-08-25'));
      const begun = await Promise.all(
        agents.map(async (agent) =>
          shop.send('POST', '/checkout-sessions', {
            body: { ...lines(last), buyer: ann, ...shipping(shop.option) },
            agent,
          }),
        ),
      );
      for (const { body, text } of begun) assert.equal(body.status, 'ready_for_complete', text);
      const answers = await Promise.all(
        begun.map(async ({ body }, at) =>
          shop.send('POST', `/checkout-sessions/${body.id}/complete`, { body: invoice, agent: agents[at] ?? '' }),
        ),
      );
      const sold = answers.filter(({ body }) => body.status === 'completed');
      assert.equal(sold.length, 1, answers.map(({ text }) => text.slice(0, 200)).join('\n'));
      for (const answer of answers)
        if (answer.body.status !== 'completed') {
          assert.deepEqual([answer.status, answer.body.status], [200, 'incomplete'], answer.text);
          assert.ok(codes(answer).includes('out_of_stock'), answer.text);
        }
    });

    test('that the buyer must confirm leads to a page where they can', async () => {
      const cup = await brand.goods.variant();
      const { body } = await ready(brand, cup);
      const waiting = await brand.send('POST', `/checkout-sessions/${body.id}/complete`, {
        body: paid('action_token'),
      });
      assert.equal(waiting.body.status, 'requires_escalation', waiting.text);
      assert.ok(waiting.body.messages.some(({ severity }) => severity === 'requires_buyer_input'));
      const url = waiting.body.continue_url as string;
      const shown = await fetch(url);
      assert.equal(shown.status, 200);
      assert.match(await shown.text(), /confirm_succeed/);
      const confirmed = await fetch(url, { method: 'POST', body: new URLSearchParams({ intent: 'confirm_succeed' }) });
      assert.match(await confirmed.text(), /Thank you/);
      assert.equal((await brand.send('GET', `/checkout-sessions/${body.id}`)).body.status, 'completed');
      for (const wrong of [url.slice(0, -2), url.replace(/t=.*/, 't='), url.replace(body.id, randomUUID())])
        assert.equal((await fetch(wrong)).status, 404);
    });

    test('its page stays open to the buyer, however often it is asked for without the token', async () => {
      const cup = await brand.goods.variant();
      const { body } = await brand.send('POST', '/checkout-sessions', { body: lines(cup) });
      const url = String(body.continue_url);
      for (let i = 0; i < 121; i += 1) assert.equal((await fetch(url.replace(/t=.*/, 't=guessed'))).status, 404);
      assert.equal((await fetch(url)).status, 200);
    });

    describe('on the page of the buyer', () => {
      const typed = {
        email: 'ann@example.com',
        name: 'Ann Bo',
        line1: 'Weg 1',
        city: 'Berlin',
        postcode: '10115',
        country: 'DE',
      };
      const begun = async () => {
        const cup = await brand.goods.variant();
        const { body } = await brand.send('POST', '/checkout-sessions', { body: lines(cup) });
        const post = async (form: Record<string, string>) =>
          (await fetch(body.continue_url, { method: 'POST', body: new URLSearchParams(form) })).text();
        return { id: body.id, post, read: async () => (await fetch(body.continue_url)).text() };
      };
      /** What the button agrees to. */
      const agreedOn = (page: string) => {
        const said = (name: string) => new RegExp(`name="${name}" value="([^"]+)"`).exec(page)?.[1] ?? '';
        return { total: said('total'), seen: said('seen') };
      };

      test('is finished from nothing but items, with the cheapest shipping unless they choose', async () => {
        const { id, post, read } = await begun();
        const first = await read();
        assert.match(first, /Juniper &#38; Clay/);
        assert.match(first, /<a href="https:\/\/shop.example\/terms" rel="noreferrer">Terms of sale<\/a>/);
        const offered = [...first.matchAll(/<option value="([A-Z]+)"/g)].map(([, code]) => code);
        assert.deepEqual(offered, ['DE'], 'goods can go nowhere else');
        assert.doesNotMatch(first, /value="buy"/);
        const saved = await post({ ...typed, intent: 'save' });
        assert.match(saved, new RegExp(`value="${brand.option}" checked`));
        const bought = await post({
          ...typed,
          option: brand.option,
          intent: 'buy',
          payment: 'test/succeed',
          ...agreedOn(saved),
        });
        assert.match(bought, /Thank you/);
        const seen = await brand.send('GET', `/checkout-sessions/${id}`);
        assert.deepEqual([seen.body.status, seen.body.buyer?.email], ['completed', 'ann@example.com']);
      });

      test('buys nothing at another total than the button said', async () => {
        const { id, post, read } = await begun();
        const buy = { ...typed, option: brand.option, intent: 'buy', payment: 'test/succeed' };
        await post({ ...typed, intent: 'save' });
        for (const total of ['0.01 EUR', '', 'nonsense'])
          assert.match(
            await post({ ...buy, ...agreedOn(await read()), total }),
            /Nothing was bought, because the total is another one now/,
          );
        assert.equal((await brand.send('GET', `/checkout-sessions/${id}`)).body.status, 'ready_for_complete');
        assert.match(await post({ ...buy, ...agreedOn(await read()) }), /Thank you/);
      });

      test('buys what it showed: no other size of the same price that the agent chose meanwhile', async () => {
        const { id, post } = await begun();
        const shown = agreedOn(await post({ ...typed, intent: 'save' }));
        const buy = { ...typed, option: brand.option, intent: 'buy', payment: 'test/succeed' };
        const other = await brand.goods.variant();
        const changed = await brand.send('PUT', `/checkout-sessions/${id}`, {
          body: { ...lines(other), buyer: ann, ...shipping(brand.option) },
        });
        assert.equal(changed.status, 200, changed.text);
        const refused = await post({ ...buy, ...shown });
        assert.match(refused, /Nothing was done, because the order was changed meanwhile/);
        for (const seen of ['', 'nonsense'])
          assert.match(await post({ ...buy, ...agreedOn(refused), seen }), /Nothing was done/);
        const now = await brand.send('GET', `/checkout-sessions/${id}`);
        assert.equal(now.body.status, 'ready_for_complete', now.text);
        assert.equal(shown.total, agreedOn(refused).total, 'it costs the same');
        assert.match(await post({ ...buy, ...agreedOn(refused) }), /Thank you/, 'also once the agent has looked at it');
      });

      test('keeps what was typed where something of it cannot be taken, and says what', async () => {
        const { post } = await begun();
        const page = await post({ ...typed, city: ' ', email: 'ann', region: 'Süd <b>', intent: 'save' });
        assert.match(page, /Give the town or city\./);
        assert.match(page, /Write a whole e-mail address/);
        for (const kept of [
          'value="ann"',
          'value="Ann Bo"',
          'value="Weg 1"',
          'value="Süd &#60;b&#62;"',
          'value="DE" selected',
        ])
          assert.ok(page.includes(kept), kept);
        assert.match(await post({ ...typed, country: 'Norway', intent: 'save' }), /Give the country\./);
      });
    });

    test('is in the log, write by write, with who wrote and by which proof, and a repetition is not', async () => {
      const cup = await brand.goods.variant({ ships: false });
      const key = randomUUID();
      const body = { ...lines(cup), buyer: ann };
      const made = await brand.send('POST', '/checkout-sessions', { body, key });
      await brand.send('POST', '/checkout-sessions', { body, key });
      const at = `/checkout-sessions/${made.body.id}`;
      await brand.send('PUT', at, { body });
      await brand.send('GET', at);
      await brand.send('POST', `${at}/cancel`);
      const rows = await world.admin.query<{ event: string }>(
        statement(
          `select e.event from audit.event e where e.tenant_id = $1::uuid and e.type like 'ucp.%' order by e.sequence`,
          [brand.tenant],
        ),
      );
      const told = rows
        .map(({ event }) => (JSON.parse(event) as { payload: Record<string, unknown> }).payload)
        .filter(({ resource_id: of }) => of === made.body.id);
      assert.deepEqual(
        told.map(({ operation, verdict, brand_id: of }) => [operation, verdict, of]),
        ['create_checkout', 'update_checkout', 'cancel_checkout'].map((one) => [one, 'unsigned', brand.brandId]),
      );
    });

    test('is forgotten with its person, and so are their carts and what was answered of both', async () => {
      const cup = await brand.goods.variant();
      const mark = `gone-${randomUUID()}`;
      const email = `${mark}@Example.com`;
      const buyer = { first_name: mark, email };
      const cart = await brand.send('POST', '/carts', { body: { ...lines(cup), buyer } });
      const made = await brand.send('POST', '/checkout-sessions', {
        body: { ...lines(cup), buyer, ...shipping(brand.option) },
      });
      const mentions = async () => {
        const found: string[] = [];
        for (const table of ['cart', 'session', 'request']) {
          const [row] = await world.admin.query<{ rows: number }>(
            statement(
              `select count(*)::int as rows from checkout.${table} t where lower(t::text) like '%' || $1 || '%'`,
              [mark],
            ),
          );
          if (Number(row?.rows) > 0) found.push(table);
        }
        return found;
      };
      assert.deepEqual(await mentions(), ['cart', 'session', 'request']);
      await brand.erase(email);
      assert.deepEqual(await mentions(), []);
      for (const path of [`/carts/${cart.body.id}`, `/checkout-sessions/${made.body.id}`])
        assert.equal((await brand.send('GET', path)).body.buyer?.email, undefined);
    });
  });
