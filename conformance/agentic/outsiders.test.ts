import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { createWorld, hireAgent, openShop, type Shop, type World } from '@steward/conformance/world';
import { openPool, type SqlPool } from '@steward/sql';
import { good, listOf, openShoppers, type Shoppers } from './fixtures/shoppers.ts';

const ofSubmission = 'Of a submission, of which a tenant has STOREFRONT_SUBMISSIONS_PER_TENANT.';
const ofOrder = 'Of what was bought, which is a record of the shop.';
/** Tables in which whoever is no member can have rows made, and what ends or bounds them. */
const bounded: Readonly<Record<string, string>> = {
  'acp.payment_token':
    'In tests alone: of an agent 1,000 that may be used, and what ended goes when it asks for the next one.',
  'agentic.agent': 'Of a brand 50,000, 1,000 of them in a day and 100 of a domain.',
  'audit.event': 'The log: as many as the limits of doors let through, until the day’s rows expire.',
  'bus.inbox': 'One of a consumer and a tenant.',
  'bus.outbox': 'Events of submissions and orders, until the operator prunes.',
  'checkout.cart': 'STOREFRONT_CART_BYTES_PER_TENANT; deleted a month after its end, or sooner to make room.',
  'checkout.kept': '64 of each part of the ceiling of carts.',
  'checkout.request': 'Counts as bytes of carts; deleted after two days, or sooner to make room.',
  'checkout.session':
    'STOREFRONT_CART_BYTES_PER_TENANT, unless bought; deleted a month after its end, or sooner to make room.',
  'checkout.discount_use': ofOrder,
  'commerce.form_day': 'One of a form and a day.',
  'commerce.refusal': 'The newest 200 of a form.',
  'commerce.submission': ofSubmission,
  'crm.contact': 'Of a submission or an order, one of an address.',
  'crm.contact_term': 'Of a contact.',
  'crm.timeline_entry': 'Of a submission or an order.',
  'mail.letter': 'Has quotas by reader and sender; deleted some days after it was sent, or given up.',
  'orders.counter': 'One of a mode.',
  'orders.letter': ofOrder,
  'orders.line': ofOrder,
  'orders.payment': 'Of a checkout that is being paid: of an agent ten of a checkout.',
  'orders.sales_order': ofOrder,
  'stock.level': 'One of an item and a location.',
  'stock.movement': ofOrder,
  'stock.reservation': 'Of a checkout that is being paid, or an order.',
  'studio.notified': ofSubmission,
  'studio.notified_hour': 'One of a form, a recipient and an hour.',
  'studio.submission': ofSubmission,
};

const ofCheckout = 'From a checkout, whose columns have sizes.';
const ofProduct = 'Words of the shop.';
const ofBody = 'As much as a body of the door, 1 MiB, and its schema take.';
/** Columns of these tables whose size no check of the database says. */
const sized: Readonly<Record<string, string>> = {
  'audit.event.causal_id': 'An id of ours.',
  'audit.event.correlation_id': 'An id of ours, or the header of 200 characters.',
  'audit.event.event': 'What the grammars say, from what the columns of the thing take.',
  'audit.event.grammar': 'A word of ours.',
  'audit.event.principals': 'Ids.',
  'audit.event.type': 'A word of ours.',
  'bus.inbox.consumer': 'A word of ours.',
  'bus.outbox.causation_id': 'An id of ours.',
  'bus.outbox.correlation_id': 'An id of ours, or the header of 200 characters.',
  'bus.outbox.data': 'What the schema of the event says, from what the columns of the thing take.',
  'bus.outbox.source': 'A word of ours.',
  'bus.outbox.subject': 'An id of ours.',
  'bus.outbox.type': 'A word of ours.',
  'checkout.cart.door_email': 'Made of door_state.',
  'checkout.cart.part': 'A word of ours.',
  'checkout.session.part': 'A word of ours.',
  'commerce.refusal.code': 'A word of ours.',
  'crm.contact.custom': ofBody,
  'crm.contact.discarded': ofBody,
  'crm.contact.marketing_consent': 'A word of ours, and an id.',
  'crm.contact.source': 'A word of ours, and ids.',
  'crm.timeline_entry.refs': 'Ids.',
  'mail.letter.html': ofBody,
  'mail.letter.key': 'A digest.',
  'mail.letter.recipient': 'An address of the form.',
  'mail.letter.subject': 'Words of ours and of the form.',
  'mail.letter.text': ofBody,
  'orders.line.image': ofProduct,
  'orders.line.options': ofProduct,
  'orders.line.sku': ofProduct,
  'orders.line.tax_category': ofProduct,
  'orders.line.title': ofProduct,
  'orders.payment.action': 'From the provider, or a word of ours.',
  'orders.sales_order.billing_address': ofCheckout,
  'orders.sales_order.buyer_note': ofCheckout,
  'orders.sales_order.email_key': ofCheckout,
  'orders.sales_order.fulfilment_status': 'A word of ours.',
  'orders.sales_order.name': ofCheckout,
  'orders.sales_order.payment_status': 'A word of ours.',
  'orders.sales_order.phone': ofCheckout,
  'orders.sales_order.shipping': ofProduct,
  'orders.sales_order.shipping_address': ofCheckout,
  'orders.sales_order.status': 'A word of ours.',
  'orders.sales_order.vat_number': ofCheckout,
  'stock.movement.actor': 'An id.',
};

describe('what visitors and agents of buyers can fill', () => {
  const stack = new AsyncDisposableStack();
  let world: World;
  let admin: SqlPool;
  let shop: Shoppers;
  let forms: Shop;
  before(async () => {
    world = stack.use(await createWorld({ AGENT_PROFILES_FROM_LOOPBACK: 'allow' }));
    admin = stack.use(openPool({ url: world.db.adminUrl, size: 1 }));
    shop = stack.use(await openShoppers(world, 'owner@example.com'));
    await using agent = await hireAgent(world, 'owner@example.com');
    forms = await openShop(agent, [], ['owner@example.com']);
    for (const title of ['Stoneware mug', 'Last stool'])
      await shop.store.count(shop.store.variants.get(title) ?? '', 50);
  });
  after(async () => stack.disposeAsync());

  /** Rows by table. */
  const counts = async (): Promise<ReadonlyMap<string, number>> =>
    admin.withClient(async (client) => {
      const { rows: tables } = await client.query<{ name: string }>(`
        select c.oid::regclass::text as name from pg_class c
        where c.relkind in ('r', 'p') and not c.relispartition
          and c.relnamespace::regnamespace::text not in ('pg_catalog', 'information_schema', 'pg_toast') order by 1`);
      const counted = new Map<string, number>();
      for (const { name } of tables) {
        const { rows } = await client.query<{ n: string }>(`select count(*) as n from ${name}`);
        counted.set(name, Number(rows[0]?.n));
      }
      return counted;
    });
  const grown = async (before: ReadonlyMap<string, number>): Promise<string[]> =>
    [...(await counts())].flatMap(([name, n]) => (n > (before.get(name) ?? 0) ? [name] : []));
  /** What has grown once nothing that was begun goes on, and no table of `expected` is missing any more. */
  const settled = async (before: ReadonlyMap<string, number>, expected: readonly string[] = []): Promise<string[]> => {
    let last = '';
    for (let times = 0; times < 30; times += 1) {
      await wait(1_000);
      const now = JSON.stringify([...(await counts())]);
      const found = await grown(before);
      if (now === last && expected.every((one) => found.includes(one))) return found;
      last = now;
    }
    return grown(before);
  };

  /** Columns of these tables that hold text, bytes or lists, and that no check of the database says the size of. */
  const unchecked = async (tables: readonly string[]): Promise<string[]> =>
    admin.withClient(async (client) => {
      const { rows } = await client.query<{ name: string }>(
        `select a.attrelid::regclass || '.' || a.attname as name from pg_attribute a
        where a.attrelid = any ($1::text[]::regclass[]) and a.attnum > 0 and not a.attisdropped
          and (a.atttypid = any ('{text,jsonb,json,bytea,tsvector}'::regtype[]) or (select typcategory from pg_type t where t.oid = a.atttypid) = 'A')
          and not exists (select from pg_constraint c where c.conrelid = a.attrelid and c.contype = 'c' and a.attnum = any (c.conkey)
            and pg_get_constraintdef(c.oid) ~ format('(length|size|cardinality)\\(\\(?("?%1$s"?|array_to_string\\("?%1$s"?,[^)]*\\))(\\)?::text)?\\)\\)? (=|<=|<|>= \\d+\\)) |%1$s (= ANY|~ ''\\^)', a.attname))
        order by 1`,
        [tables],
      );
      return rows.map(({ name }) => name);
    });

  test('has a bound or an end, table by table, and a size, column by column', async () => {
    const quiet = await settled(await counts());
    const before = await counts();
    const { page, ucp, acp, store, brandId } = shop;
    const variantId = store.variants.get('Stoneware mug') ?? '';
    const lines = [{ variantId, quantity: 1 }];

    // Forms.
    const form = `/forms/${forms.formId}`;
    const by = { key: forms.key };
    good(await page('GET', `${form}/schema`, undefined, by));
    await page('POST', `${form}/start`, {}, by);
    const data = { full_name: 'Ann', email: 'ann@example.com', message: 'Hello', consent: true };
    good(await page('POST', `${form}/submit`, { data }, by));
    assert.equal((await page('POST', `${form}/submit`, { data: { email: 'nobody' } }, by)).status, 400);

    // Pages of a shop.
    const cart = good(await page('POST', '/carts', { currency: 'EUR', lines, codes: ['WELCOME'] }));
    const token = String(cart['token']);
    const checkout = good(await page('POST', '/checkouts', { cartId: cart['id'] }, { token }));
    const at = `/checkouts/${String(checkout['id'])}`;
    const address = { line1: 'Weg 1', city: 'Berlin', postcode: '10115', country: 'DE' };
    const said = { email: 'bo@example.com', name: 'Bo', shippingAddress: address, marketingConsent: true };
    const [option] = listOf(good(await page('PATCH', at, said, { token })), 'shippingOptions');
    good(await page('PATCH', at, { shippingOptionId: option?.['id'] }, { token }));
    const invoice = { payment: { handler: 'manual', method: 'invoice' } };
    const { order } = good(await page('POST', `${at}/complete`, invoice, { token }));
    await fetch(String(order?.['statusUrl']));
    for (const path of ['/products', '/collections']) await page('GET', path);

    // Agents by UCP.
    const items = [{ item: { id: variantId }, quantity: 1 }];
    good(await ucp('POST', '/carts', { line_items: items }));
    const home = {
      id: 'home',
      street_address: 'Weg 1',
      address_locality: 'Berlin',
      postal_code: '10115',
      address_country: 'DE',
    };
    const method = { type: 'shipping', destinations: [home], selected_destination_id: 'home' };
    const buyer = { first_name: 'Cy', last_name: 'Do', email: 'cy@example.com' };
    const buying = { line_items: items, buyer, fulfillment: { methods: [method] } };
    const begun = good(await ucp('POST', '/checkout-sessions', buying));
    const [sending] = listOf(begun['fulfillment'], 'methods');
    const [group] = listOf(sending, 'groups');
    const selected_option_id = listOf(group, 'options')[0]?.['id'];
    const selected = { ...method, groups: [{ id: group?.['id'], selected_option_id }] };
    const session = `/checkout-sessions/${String(begun['id'])}`;
    good(await ucp('PUT', session, { ...buying, fulfillment: { methods: [selected] } }));
    const instrument = { id: 'i1', handler_id: 'manual', type: 'invoice', selected: true };
    good(await ucp('POST', `${session}/complete`, { payment: { instruments: [instrument] } }));

    // A platform by ACP.
    const made = good(
      await acp('POST', '/checkout_sessions', {
        currency: 'eur',
        line_items: [{ id: variantId, quantity: 1 }],
        buyer: { first_name: 'Di', email: 'di@example.com' },
        fulfillment_details: {
          address: { name: 'Di', line_one: 'Weg 1', city: 'Berlin', state: 'BE', country: 'DE', postal_code: '10115' },
        },
        capabilities: {},
      }),
    );
    good(
      await acp('POST', '/agentic_commerce/delegate_payment', {
        payment_method: {
          type: 'card',
          card_number_type: 'fpan',
          number: '4242424242424242',
          display_card_funding_type: 'credit',
          metadata: {},
        },
        allowance: {
          reason: 'one_time',
          max_amount: 10_000,
          currency: 'eur',
          checkout_session_id: String(made['id']),
          merchant_id: brandId,
          expires_at: new Date(Date.now() + 3_600_000).toISOString(),
        },
        risk_signals: [{ type: 'card_testing', score: 1, action: 'authorized' }],
        metadata: {},
      }),
    );

    // Nobody's signature.
    for (const path of ['/webhooks/card_payments', '/webhooks/shipping', '/webhooks/marketplace'])
      await world.call(`${world.server.addresses.commerce}${path}`, { method: 'POST', body: { id: 'evt_1' } });

    const filled = (await settled(before, Object.keys(bounded))).filter((one) => !quiet.includes(one));
    assert.deepEqual(filled.toSorted(), Object.keys(bounded).toSorted());
    assert.deepEqual(await unchecked(filled), Object.keys(sized).toSorted());
  });
});
