import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { money, type Money, newId, parseAmount, undeclared } from '@steward/kernel';
import { addressDigest } from '@steward/mail';
import { sql } from '@steward/sql';
import { attachPayments, beginPayment, settlePayment } from '../component.ts';
import { createWorld, type Received, until, type World } from '../fixtures/letters.ts';
import { address, byDoor, placing } from '../fixtures/world.ts';
import { editOrder } from '../edits/make.ts';
import { fulfilOrder } from '../fulfilments/fulfil.ts';
import { cancelOrder } from '../orders/cancel.ts';
import { eraseOrders } from '../orders/erase.ts';
import type { Placing } from '../orders/placing.ts';
import { recordOrderPayment } from '../payments/record.ts';
import { refundOrder } from '../refunds/make.ts';
import { track } from '../tracking/track.ts';
import type { Fact } from './fact.ts';
import { listOrderLetters } from './list.ts';
import { quotas } from './quota.ts';

const fulfil = byDoor(fulfilOrder);
const cancel = byDoor(cancelOrder);
const record = byDoor(recordOrderPayment);
const edit = byDoor(editOrder);
const editing = {
  quoteEdit: async () => assert.fail('nothing is added'),
  noteOnTimeline: async () => undefined,
  mediaAt: '',
};
const refund = byDoor(refundOrder);
const listed = byDoor(listOrderLetters);

const buyer = (email: string, more: object = {}): Placing['buyer'] => ({
  email,
  name: 'Ann Buyer',
  phone: null,
  vatNumber: null,
  marketing: false,
  ...more,
});

/** Amounts as people of a language read them, made without the code under test. */
const shown: Readonly<Record<string, (minor: bigint, currency: 'EUR' | 'JPY' | 'KWD') => string>> = {
  en: (minor, currency) => `${{ EUR: '€', JPY: '¥', KWD: 'KWD' }[currency]}${grouped(minor, currency, ',', '.')}`,
  de: (minor, currency) => `${grouped(minor, currency, '.', ',')}${{ EUR: '€', JPY: '¥', KWD: 'KWD' }[currency]}`,
  es: (minor, currency) => `${grouped(minor, currency, '.', ',')}${{ EUR: '€', JPY: 'JPY', KWD: 'KWD' }[currency]}`,
  ja: (minor, currency) => `${{ EUR: '€', JPY: '¥', KWD: 'KWD' }[currency]}${grouped(minor, currency, ',', '.')}`,
};
const digits = { EUR: 2, JPY: 0, KWD: 3 };
function grouped(minor: bigint, currency: keyof typeof digits, thousands: string, point: string): string {
  const text = minor.toString().padStart(digits[currency] + 1, '0');
  const whole = text.slice(0, text.length - digits[currency]).replace(/\B(?=(\d{3})+$)/g, thousands);
  return digits[currency] === 0 ? whole : `${whole}${point}${text.slice(-digits[currency])}`;
}
const byTransfer: Readonly<Record<string, string>> = {
  en: 'the shop transfers it to you.',
  de: 'Der Shop überweist es Ihnen.',
  es: 'la tienda se lo transfiere.',
  ja: 'ショップよりお振り込みします。',
};
const parcel: NonNullable<Placing['shipping']> = {
  optionId: newId(),
  name: 'Parcel',
  kind: 'flat',
  locationId: null,
  gross: 500n,
  discounts: [],
  net: 420n,
  tax: 80n,
  total: 500n,
  taxed: { treatment: 'taxed', taxId: newId(), percentage: 190_000n },
};
const minorOf = (amount: bigint | Money): bigint =>
  typeof amount === 'bigint' ? amount : (parseAmount(amount.amount, amount.currency) ?? 0n);
/** Spaces and signs of width differ by the version of the figures' rules. */
const plain = (text: string): string => text.replace(/[\s\u00a0\u202f]/g, '').replaceAll('￥', '¥');
const holds = (letter: Received, said: string): void => {
  assert.ok(plain(letter.text).includes(plain(said)), `${said} is not in:\n${letter.text}`);
  const html = letter.html
    .replace(/<[^>]*>/g, '')
    .replace(/&#(\d+);/g, (_all, code: string) => String.fromCharCode(Number(code)));
  assert.ok(plain(html).includes(plain(said)), `${said} is not in the HTML of:\n${letter.text}`);
};

describe('letters about orders', () => {
  let world: World;
  before(async () => {
    world = await createWorld();
  });
  after(async () => world[Symbol.asyncDispose]());

  const lettersTo = (to: string): Received[] => world.received.filter((one) => one.to === to);
  /** To be paid by other means. */
  const orderToPay = async (tenant: string, given: Placing, method = 'invoice') =>
    world.write(tenant, async (tx) => {
      const { checkoutId, mode, currency, total: amount } = given;
      const started = await beginPayment(tx, { checkoutId, mode, handler: 'manual', method, amount, currency });
      await settlePayment(tx, started.id, { kind: 'awaiting' });
      const order = await world.orders.placeOrder(tx, given);
      await attachPayments(tx, { checkoutId, orderId: order.id });
      return order;
    });
  const announce = async (tenant: string, type: string, data: object): Promise<void> =>
    world.write(tenant, async (tx) => {
      tx.publish(undeclared({ type, source: 'commerce', subject: newId(), data: { mode: 'live', ...data } }));
    });

  test('what happened more than a week ago is no news: nobody is written to, and no quota is used up', async () => {
    const tenant = await world.tenant({ alice: 'owner' });
    const [old, fresh] = [8, 6].map((days) => ({ to: `past-${days}@example.com`, days }));
    for (const { to, days } of [old, fresh].filter((one) => one !== undefined)) {
      const { id: orderId } = await world.write(tenant, async (tx) => {
        await tx.query(
          sql`select set_config('app.happened_at', (clock_timestamp() - make_interval(days => ${days}::int))::text, true)`,
        );
        return world.orders.placeOrder(tx, placing([{}], { buyer: buyer(to) }));
      });
      await announce(tenant, 'commerce.order.cancelled', { orderId });
      await announce(tenant, 'commerce.order.fulfilled', { orderId, fulfilmentId: newId() });
    }
    await world.handled(tenant);
    const told = await world.admin.query<{ about: string }>(sql`
      select split_part(about, ' ', 1) as about from orders.letter where tenant_id = ${tenant}::uuid and reader = 'buyer' order by 1`);
    assert.deepEqual(
      told.map(({ about }) => about),
      ['cancelled', 'placed', 'shipped'],
    );
    assert.deepEqual(lettersTo(old?.to ?? ''), []);
  });

  test('an edit is told to buyer and owner, with the difference and how to pay what is left', async () => {
    const tenant = await world.tenant({ olga: 'owner' });
    const olga = world.as(tenant, 'olga');
    const words = {
      en: ['Your order 1001 was changed', 'Still to pay', 'Difference'],
      de: ['Ihre Bestellung 1002 wurde geändert', 'Noch zu zahlen', 'Differenz'],
      es: ['Su pedido 1003 se ha modificado', 'Pendiente de pago', 'Diferencia'],
      ja: ['ご注文 1004 が変更されました', 'お支払い残額', '差額'],
    };
    for (const [locale, [subject, left, differs]] of Object.entries(words)) {
      const to = `edited-${locale}@example.com`;
      const order = await orderToPay(
        tenant,
        placing([{ quantity: 3, unitPrice: 1_000_000n }], { locale, buyer: buyer(to) }),
      );
      await record(olga, { orderId: order.id, amount: { amount: '9500.00', currency: 'EUR' } });
      const lines = [{ lineId: order.lines[0]?.id, quantity: 1 }];
      await edit(olga, { orderId: order.id, version: 1, lines }, editing);
      await world.sent(tenant);
      const letter = lettersTo(to).find((one) => one.subject === subject);
      assert.ok(
        letter !== undefined,
        `${subject} is not among ${lettersTo(to)
          .map((one) => one.subject)
          .join()}`,
      );
      const told = shown[locale] ?? String;
      assert.match(letter.text, new RegExp(`${left}: `));
      holds(letter, told(50_000n, 'EUR'));
      holds(letter, `${told(3_000_000n, 'EUR')} → ${told(1_000_000n, 'EUR')}`);
      assert.match(letter.text, new RegExp(`${differs}: `));
      const { letters } = await listed(olga, { orderId: order.id });
      assert.deepEqual(
        letters.map(({ kind, state, reason }) => [kind, state, reason]),
        [
          ['edited', 'sent', null],
          ['placed', 'sent', null],
        ],
      );
      assert.doesNotMatch(JSON.stringify(letters), /@/);
      const stranger = world.as(await world.tenant({ sam: 'owner' }), 'sam');
      await assert.rejects(listed(stranger, { orderId: order.id }), /no such order|not_found/i);
    }
    const owner = lettersTo('olga@fjord.example').map((one) => one.subject);
    assert.ok(owner.includes('Order 1001 was edited'), owner.join());
  });

  test('each fact is told once in each language, however often it is said, with the figures of the order', async () => {
    const tenant = await world.tenant({ alice: 'owner', bob: 'admin' });
    const locales = ['en', 'de', 'es', 'ja-JP', 'fr', null] as const;
    for (const [index, locale] of locales.entries()) {
      const currency = (['EUR', 'JPY', 'KWD'] as const)[index % 3] ?? 'EUR';
      const to = `buyer-${index}@example.com`;
      const ordered = {
        locale,
        currency,
        buyer: buyer(to),
        billingAddress: { ...address, line1: 'Ring 7' },
      };
      const alice = world.as(tenant, 'alice');
      const given = placing([{ quantity: 3, unitPrice: 123_456n }, { unitPrice: 5n }], {
        ...ordered,
        shipping: parcel,
      });
      const order = await orderToPay(tenant, given);
      const first = given.lines[0]?.id;
      const orderId = order.id;
      const sent = await fulfil(alice, {
        orderId,
        lines: [{ lineId: first, quantity: 2 }],
        carrier: 'DHL',
        trackingNumber: 'JD0146',
        trackingUrl: 'https://dhl.example/JD0146',
      });
      await record(alice, { orderId });
      const back = await refund(alice, {
        orderId,
        lines: [{ lineId: first, quantity: 2 }],
        shipping: money(210n, currency),
        adjustment: money(33n, currency),
        reason: 'damaged',
        note: 'Not for buyers.',
      });
      const dropped = await world.place(tenant, placing([{ quantity: 2, unitPrice: 7_007n }], ordered));
      await cancel(alice, { orderId: dropped.id, reason: 'staff' }, { releaseDiscounts: async () => undefined });
      const fulfilmentId = sent.fulfilments[0]?.id;
      await announce(tenant, 'commerce.order.fulfilled', { orderId, fulfilmentId });
      await announce(tenant, 'commerce.order.refunded', { orderId, refundId: back.id });
      await announce(tenant, 'commerce.order.cancelled', { orderId: dropped.id });
      await announce(tenant, 'commerce.order.placed', { orderId });
      await world.sent(tenant);
      const language = locale?.slice(0, 2) ?? 'en';
      const told = shown[language === 'fr' ? 'en' : language];
      assert.ok(told);
      const cameOf = (number: string, most: number): Received[] => {
        const came = lettersTo(to).filter(({ subject }) => subject.includes(number));
        assert.equal(came.length, most, String(locale));
        return came;
      };
      const came = cameOf(order.number, 3);
      for (const letter of [...came, ...cameOf(dropped.number, 2)]) {
        assert.match(letter.html, new RegExp(`<html lang="${language === 'fr' ? 'en' : language}">`));
        assert.ok(letter.text.includes('https://shop.example/commerce/orders/'));
        assert.ok(letter.text.includes('Fjord & Bikes') && letter.html.includes('Fjord &#38; Bikes'));
        assert.ok(!letter.text.includes('Not for buyers.'));
      }
      for (const letter of cameOf(dropped.number, 2))
        for (const minor of [7_007n, 14_014n, dropped.total]) holds(letter, told(minorOf(minor), currency));
      const one = (holding: RegExp): Received => {
        const [letter, ...others] = came.filter(({ text }) => holding.test(text));
        assert.ok(letter !== undefined && others.length === 0, String(holding));
        return letter;
      };
      for (const { text, html } of came) {
        assert.match(
          text,
          /^(Returns and refunds|Rückgabe|Devoluciones|返品).*: https:\/\/fjord.example\/returns\?a=1&b=2$/m,
        );
        assert.ok(html.includes('href="https://fjord.example/returns?a=1&#38;b=2"'));
      }
      const shipped = one(/JD0146/);
      holds(shipped, '2 × Shirt 1, Size: M');
      assert.ok(shipped.html.includes('href="https://dhl.example/JD0146"'));
      const refunded = one(/^(Refund|Erstattung|Reembolso|返金額): /m);
      const amounts = [246_912n, 210n, 33n, 247_155n];
      assert.deepEqual([minorOf(back.lines[0]?.total ?? 0n), minorOf(back.total)], [246_912n, 247_155n]);
      assert.ok(
        plain(refunded.text).includes(plain(`2 × Shirt 1, Size: M: ${told(246_912n, currency)}`)),
        refunded.text,
      );
      holds(refunded, '2 × Shirt 1, Size: M');
      for (const minor of amounts) holds(refunded, told(minor, currency));
      holds(refunded, `    ${told(247_155n, currency)}: ${byTransfer[language] ?? byTransfer['en']}`);
      const placed = came.find((letter) => letter !== shipped && letter !== refunded);
      assert.ok(placed);
      for (const minor of [123_456n, 370_368n, 5n, 370_373n, given.tax, given.total])
        holds(placed, told(minor, currency));
      assert.equal(came.filter(({ text }) => text.includes('Ring 7') && text.includes('Torstr')).length, 2);
      assert.equal(
        lettersTo('alice@fjord.example').filter(({ subject }) => subject === `New order ${order.number}`).length,
        1,
      );
    }
    assert.equal(lettersTo('bob@fjord.example').length, 0, 'only owners are told');
    // Whatever happened before is heard again.
    const count = world.received.length;
    await world.admin.query(sql`update bus.consumer set position = 0, generation = generation + 1`);
    await world.place(tenant, placing([{}], { buyer: buyer('next@example.com') }));
    await world.sent(tenant);
    await until(async () => lettersTo('next@example.com').length === 1);
    assert.equal(world.received.length, count + 2, 'one to the buyer, one to the owner');
  });

  test('amounts of a letter add up: discounts, shipping, and tax that prices do not contain', async () => {
    const tenant = await world.tenant({ alice: 'owner' });
    const base = placing([{ unitPrice: 10_000n }], { pricing: 'exclusive', buyer: buyer('sum@example.com') });
    const taxed = base.lines[0]?.taxed;
    assert.ok(taxed);
    const order = await world.place(tenant, {
      ...base,
      shipping: {
        optionId: newId(),
        name: 'Express',
        kind: 'flat',
        locationId: null,
        gross: 500n,
        discounts: [],
        net: 500n,
        tax: 95n,
        total: 595n,
        taxed,
      },
      discounts: [{ discountId: newId(), name: 'Spring', code: 'SPRING', amount: 1_000n }],
      subtotal: 10_000n,
      discount: 1_000n,
      net: 9_500n,
      tax: 1_805n,
      total: 11_305n,
      taxes: [{ ...taxed, net: 9_500n, tax: 1_805n }],
    });
    await world.sent(tenant);
    const [letter] = lettersTo('sum@example.com');
    assert.ok(letter);
    const said = [
      'Subtotal: €100.00',
      'Shipping: Express: €5.00',
      'Discount: Spring: -€10.00',
      'Tax 19%: €18.05',
      'Total: €113.05',
    ];
    assert.ok(letter.text.includes(said.join('\n')), letter.text);
    assert.equal(order.total.amount, '113.05');
  });

  test('of what is taken back before it is paid say what need not be paid any more, and promise no money', async () => {
    const tenant = await world.tenant({ alice: 'owner' });
    const alice = world.as(tenant, 'alice');
    const order = await orderToPay(
      tenant,
      placing([{ quantity: 3, unitPrice: 1000n }], { locale: 'en', buyer: buyer('less@example.com') }),
    );
    const lines = [{ lineId: order.lines[0]?.id, quantity: 1 }];
    const back = await refund(alice, { orderId: order.id, lines });
    await announce(tenant, 'commerce.order.refunded', { orderId: order.id, refundId: back.id });
    await world.sent(tenant);
    const letter = lettersTo('less@example.com').find(({ subject }) => subject.startsWith('Less to pay'));
    assert.equal(letter?.subject, `Less to pay for your order ${order.number}`);
    assert.match(letter?.text ?? '', /No longer to pay: €10\.00\nStill to pay: €20\.00/);
    assert.doesNotMatch(letter?.text ?? '', /Refund:|How you get the money/);
  });

  test('show the logo of the brand with words in its place, and say the same without it', async () => {
    const tenant = await world.tenant({ alice: 'owner' });
    world.show({ path: '/media/aa"b', width: 480, height: 100 });
    const alts = { en: 'Logo of', de: 'Logo von', es: 'Logotipo de', ja: 'のロゴ' };
    try {
      for (const locale of Object.keys(alts))
        await world.place(tenant, placing([{}], { locale, buyer: buyer(`logo-${locale}@example.com`) }));
      await world.sent(tenant);
    } finally {
      world.show(undefined);
    }
    for (const [locale, said] of Object.entries(alts)) {
      const [letter] = lettersTo(`logo-${locale}@example.com`);
      const image = /<img [^>]*>/.exec(letter?.html ?? '')?.[0] ?? '';
      assert.match(image, /src="https:\/\/shop\.example\/commerce\/media\/aa&#34;b"/);
      assert.match(image, /width="240" height="50"/);
      const alt = /alt="([^"]*)"/.exec(image)?.[1] ?? '';
      assert.ok(alt.includes(said) && alt.includes('Fjord &#38; Bikes'), alt);
      assert.ok(letter !== undefined && letter.html.includes('<bdi>Fjord &#38; Bikes</bdi>'), 'the name is beside it');
      assert.ok(letter.text.includes('Fjord & Bikes') && !letter.text.includes('/media/'));
    }
    assert.ok(lettersTo('alice@fjord.example').some(({ html }) => html.includes('alt="Logo of Fjord &#38; Bikes"')));
    await world.place(tenant, placing([{}], { buyer: buyer('plain@example.com') }));
    await world.sent(tenant);
    assert.ok(!lettersTo('plain@example.com')[0]?.html.includes('<img'));
  });

  test('who pays by other means is told how, in the words of the shop', async () => {
    const tenant = await world.tenant();
    await world.admin.query(sql`
      insert into orders.payment_setting (tenant_id, capture_at, manual_methods)
      values (${tenant}, 'placement', '[{"method": "bank_transfer", "instructions": "IBAN DE02 1203\\nGive the number.", "payWithinDays": 7}]')`);
    const given = placing([{}], { locale: 'de', buyer: buyer('pays@example.com') });
    await orderToPay(tenant, given, 'bank_transfer');
    await world.sent(tenant);
    const [letter] = lettersTo('pays@example.com');
    assert.ok(letter);
    assert.match(
      letter.text,
      /Bezahlung:\n {4}Überweisung\n {4}IBAN DE02 1203\n {4}Give the number\.\n {4}Verwendungszweck: \d+\n {4}Bitte zahlen Sie bis zum \d+\. \p{L}+ \d{4}\. Eine Bestellung,/u,
    );
    assert.ok(letter.html.includes('IBAN DE02 1203'));
    // What the shop says comes first; else what its invoices say.
    world.payTo('IBAN AT61 1904\nBIC BKAUATWW');
    const second = placing([{}], { locale: 'de', buyer: buyer('second@example.com') });
    await orderToPay(tenant, second, 'bank_transfer');
    const silent = await world.tenant();
    await world.admin.query(sql`
      insert into orders.payment_setting (tenant_id, capture_at, manual_methods) values (${silent}, 'placement',
        '[{"method": "invoice", "instructions": null}, {"method": "bank_transfer", "instructions": null},
          {"method": "cash_on_delivery", "instructions": null}]')`);
    for (const method of ['invoice', 'bank_transfer', 'cash_on_delivery'])
      await orderToPay(silent, placing([{}], { locale: 'en', buyer: buyer(`${method}@example.com`) }), method);
    for (const one of [tenant, silent]) await world.sent(one);
    assert.match(lettersTo('second@example.com')[0]?.text ?? '', /IBAN DE02 1203/);
    for (const method of ['invoice', 'bank_transfer'])
      assert.match(
        lettersTo(`${method}@example.com`)[0]?.text ?? '',
        /\n {4}IBAN AT61 1904\n {4}BIC BKAUATWW\n {4}Reference: \d+\n/,
      );
    assert.doesNotMatch(lettersTo('cash_on_delivery@example.com')[0]?.text ?? '', /IBAN|Reference/);
  });

  test('what waits holds nobody’s name, and a dead mail server changes nothing; erased persons are not written to', async () => {
    const tenant = await world.tenant({ alice: 'owner' });
    await world.mailServer('dead');
    const kept = await world.place(tenant, placing([{}], { buyer: buyer('kept@example.com') }));
    const erased = await world.place(tenant, placing([{}], { buyer: buyer('erased@example.com') }));
    await world.handled(tenant);
    const rows = await world.admin.query<{ said: string }>(
      sql`select l::text as said from mail.letter l where tenant_id = ${tenant}`,
    );
    assert.equal(rows.length, 4);
    assert.ok(
      rows.every(({ said }) => !/example|Ann|Buyer/.test(said)),
      'no word of anybody is kept',
    );
    assert.equal(kept.status, 'open');
    // Nothing is being tried at the moment of the erasure: what a mail server is just receiving may still arrive.
    await until(async () => {
      await world.admin.query(sql`
        update mail.letter set next_at = clock_timestamp() + interval '1 hour' where tenant_id = ${tenant}`);
      await sleep(500);
      const [row] = await world.admin.query<{ quiet: boolean }>(sql`
        select bool_and(next_at > clock_timestamp() + interval '30 minutes') as quiet from mail.letter where tenant_id = ${tenant}`);
      return row?.quiet === true;
    });
    await world.write(tenant, async (tx) => eraseOrders(tx, { orderIds: [erased.id] }, 'requested'));
    const waiting = await world.admin.query(sql`select from mail.letter where tenant_id = ${tenant}`);
    assert.equal(waiting.length, 2, 'only those about the other order');
    const noted = await world.admin.query<{ about: string }>(sql`
      select about from orders.letter where tenant_id = ${tenant} and address is not null`);
    assert.deepEqual(noted, [{ about: `placed ${kept.id}` }]);
    await world.mailServer('alive');
    await world.admin.query(sql`update mail.letter set next_at = clock_timestamp() where tenant_id = ${tenant}`);
    await until(async () => lettersTo('kept@example.com').length === 1);
    await until(async () => lettersTo('alice@fjord.example').some(({ text }) => text.includes(kept.id)));
    assert.equal(lettersTo('erased@example.com').length, 0);
    assert.equal(lettersTo('alice@fjord.example').filter(({ text }) => text.includes(erased.id)).length, 0);
  });

  test('of every kind keep no digest of the address of a person who was erased', async () => {
    const tenant = await world.tenant({ alice: 'owner' });
    const alice = world.as(tenant, 'alice');
    const given = { buyer: buyer('Leaves@example.com') };
    const sold = await orderToPay(tenant, placing([{ quantity: 3 }], given));
    const orderId = sold.id;
    const lineId = sold.lines[0]?.id;
    await edit(alice, { orderId, version: 1, lines: [{ lineId, quantity: 2 }] }, editing);
    await fulfil(alice, { orderId, trackingNumber: 'JD0147' });
    const delivered = { id: 'trk_1', number: 'JD0147', status: 'delivered', at: new Date().toISOString() } as const;
    await world.write(tenant, async (tx) => track(tx, delivered, ['live']));
    await record(alice, { orderId });
    await refund(alice, { orderId, lines: [{ lineId, quantity: 1 }], reason: 'damaged' });
    const dropped = await world.place(tenant, placing([{}], given));
    await cancel(alice, { orderId: dropped.id, reason: 'staff' }, { releaseDiscounts: async () => undefined });
    const other = await world.place(tenant, placing([{}], { buyer: buyer('stays@example.com') }));
    await world.sent(tenant);
    const kindsWithAddress = async () =>
      world.admin.query<{ kind: string; orders: string[] }>(sql`
        select split_part(about, ' ', 1) as kind, array_agg(split_part(about, ' ', 2)) as orders
        from orders.letter where tenant_id = ${tenant}::uuid and address is not null group by 1 order by 1`);
    /** A kind that is new does not compile until it is here, and does not pass until it happened above. */
    const kinds = {
      placed: true,
      cancelled: true,
      shipped: true,
      delivered: true,
      refunded: true,
      edited: true,
    } satisfies Record<Fact['kind'], true>;
    assert.deepEqual(
      (await kindsWithAddress()).map(({ kind }) => kind),
      Object.keys(kinds).toSorted(),
    );
    await world.write(tenant, async (tx) => eraseOrders(tx, { addresses: ['leaves@example.com'] }, 'requested'));
    assert.deepEqual(await kindsWithAddress(), [{ kind: 'placed', orders: [other.id] }]);
    const letters = await world.admin.query<{ said: string }>(sql`
      select l::text as said from orders.letter l where tenant_id = ${tenant}::uuid
      union all select l::text from mail.letter l where tenant_id = ${tenant}::uuid`);
    const digest = addressDigest('leaves@example.com');
    assert.deepEqual(
      letters.filter(({ said }) => said.includes(digest) || /leaves@/i.test(said)),
      [],
    );
  });

  test('of a test say so, and go to members alone: its buyer’s address may be anybody’s', async () => {
    const tenant = await world.tenant({ alice: 'owner', carl: 'developer' });
    await world.place(tenant, placing([{}], { mode: 'test', buyer: buyer('stranger@example.com') }));
    await world.place(tenant, placing([{}], { mode: 'test', buyer: buyer('Carl@fjord.example') }));
    await world.sent(tenant);
    assert.equal(lettersTo('stranger@example.com').length, 0);
    const [letter] = lettersTo('Carl@fjord.example');
    assert.equal(letter?.subject, '[TEST] Your order TEST-1002');
    assert.match(letter?.text ?? '', /^TEST: this order was made with a test key/);
    assert.match(letter?.html ?? '', /TEST: this order was made with a test key/);
    const told = world.received.filter(({ subject }) => /^\[TEST\] New order TEST-100[12]$/.test(subject));
    assert.deepEqual(
      told.map(({ to }) => to),
      ['alice@fjord.example', 'alice@fjord.example'],
    );
    for (const one of told) assert.match(one.html, />New order TEST-100[12]</);
  });

  test('are to whoever runs the shop in the language of its invoices, whatever that of the buyer', async () => {
    const said = {
      de: ['Neue Bestellung 1001', 'ist am', 'Käufer', 'Zahlung ausstehend'],
      es: ['Nuevo pedido 1001', 'se hizo el', 'Comprador', 'Pago pendiente'],
      ja: ['新しい注文 1001', 'に受け付けました。', '購入者'],
    } as const;
    for (const [language, words] of Object.entries(said)) {
      world.speak(language as keyof typeof said);
      const tenant = await world.tenant({ alice: 'owner' });
      const order = await world.place(tenant, placing([{}], { buyer: buyer(`${language}@example.com`), locale: 'en' }));
      await world.sent(tenant);
      const [told] = lettersTo('alice@fjord.example').filter(({ text }) => text.includes(order.id));
      for (const word of words) assert.ok(`${told?.subject}\n${told?.text}`.includes(word), `${word}\n${told?.text}`);
      assert.doesNotMatch(told?.text ?? '', /Order|Payment|Buyer:|letters/, language);
      assert.equal(lettersTo(`${language}@example.com`)[0]?.subject, 'Your order 1001');
    }
    world.speak('en');
  });

  test('lead whoever runs the shop to the order in the console, and buyers to their own page alone', async () => {
    const tenant = await world.tenant({ alice: 'owner' });
    const order = await world.place(tenant, placing([{}], { buyer: buyer('reads@example.com') }));
    await world.sent(tenant);
    const page = `https://office.example/o/${tenant}/commerce/orders/${order.id}`;
    const told = lettersTo('alice@fjord.example').filter(({ text }) => text.includes(order.id));
    assert.equal(told.length, 1);
    for (const { text, html } of told) {
      assert.ok(text.includes(`The order in the console: ${page}\n`), text);
      assert.ok(html.includes(`href="${page}"`), html);
    }
    for (const { text, html } of lettersTo('reads@example.com')) {
      assert.doesNotMatch(text, /office\.example/);
      assert.doesNotMatch(html, /office\.example/);
    }
  });

  test('a script cannot have a shop write to a stranger as often as it likes, nor say what it likes', async () => {
    const tenant = await world.tenant({ alice: 'owner' });
    const evil = '<b>Win</b> at https://evil.example\r\nBcc: x@evil.example';
    const victim = buyer('Victim@example.com', { name: evil, phone: evil, vatNumber: evil });
    const everywhere = Object.fromEntries(
      Object.keys(address).map((field) => [field, field === 'country' ? 'DE' : evil]),
    ) as unknown as typeof address;
    const given = { buyer: victim, note: evil, shippingAddress: everywhere, billingAddress: everywhere };
    for (let time = 0; time < quotas.placedToAddress + 2; time += 1)
      await world.place(
        tenant,
        placing([{}], { ...given, buyer: { ...victim, email: time % 2 === 0 ? victim.email : 'victim@EXAMPLE.com' } }),
      );
    await world.sent(tenant);
    const came = world.received.filter(({ to }) => to.toLowerCase() === 'victim@example.com');
    assert.equal(came.length, quotas.placedToAddress);
    for (const { subject, text, html } of came) {
      assert.match(subject, /^Your order \d+$/);
      assert.ok(!/https:\/\/evil|evil\.example/.test(text + html), 'nothing typed leads anywhere');
      assert.ok(!html.includes('<b>'), 'nothing typed is markup');
      assert.ok(html.includes('&#60;b&#62;Win'));
    }
    assert.equal(lettersTo('alice@fjord.example').filter(({ html }) => html.includes('<b>')).length, 0);
    for (const { text, html } of lettersTo('alice@fjord.example'))
      assert.ok(
        !/https:\/\/evil|evil\.example/.test(text + html),
        'nothing typed leads whoever runs the shop anywhere',
      );
    // Another tenant has room of its own, until all together have written too often.
    const other = await world.tenant();
    await world.place(other, placing([{}], { buyer: victim }));
    await world.sent(other);
    assert.equal(lettersTo('Victim@example.com').length > came.length / 2, true);
  });

  test('a tenant sends no more letters to buyers in a day than the operator allows', async () => {
    await using small = await createWorld(2);
    const tenant = await small.tenant();
    for (const name of ['a', 'b', 'c'])
      await small.place(tenant, placing([{}], { buyer: buyer(`${name}@example.com`) }));
    await small.sent(tenant);
    assert.deepEqual(
      small.received
        .map(({ to }) => to)
        .filter((to) => to.endsWith('@example.com'))
        .toSorted(),
      ['a@example.com', 'b@example.com'],
    );
  });
});
