import type { Json } from '../demo/client.ts';
import { ask, type Hand, listOf, textOf } from './client.ts';
import { type Delivery, receive } from './deliveries.ts';
import { type Buyer, buyers } from './people.ts';
import { type Chances, chancesOf } from './random.ts';
import { code, type Shop } from './shop.ts';

const hour = 3_600_000;
const day = 24 * hour;

/** What the bank saw. */
export interface Moved {
  readonly at: number;
  /** EUR, with a sign. */
  readonly amount: string;
  readonly who: string;
  readonly reference: string;
}

export interface Year {
  readonly moved: readonly Moved[];
  readonly counts: Readonly<Record<'placed' | 'paid' | 'sent' | 'cancelled' | 'returned' | 'refunded', number>>;
  /** Orders, as they were sent. */
  readonly sent: readonly string[];
  /** What came back and waits for the refund that a person approves. */
  readonly owed: readonly { readonly orderId: string; readonly returnId: string }[];
}

interface Doing {
  readonly at: number;
  run(at: number): Promise<void>;
}

interface Hands {
  readonly packer: Hand;
  readonly bookkeeper: Hand;
  readonly owner: Hand;
}

interface Setting extends Hands {
  readonly shop: Shop;
  readonly deliveries: readonly Delivery[];
  /** `{commerce}/storefront/v1`. */
  readonly storefront: string;
  readonly chances: Chances;
  readonly now: number;
  at(milliseconds: number): void;
}

/** A year of orders and what became of them, each at its own time: placed, paid, sent, and some cancelled or sent back. Goods come in meanwhile. */
export async function trade(setting: Setting, orders: number): Promise<Year> {
  const { chances, now, at } = setting;
  const people = buyers(Math.max(1, Math.ceil(orders * 0.7)), chances);
  const agenda: Doing[] = [];
  const plan = (when: number, run: Doing['run']): void => {
    if (when >= now) return;
    const before = agenda.findIndex((one) => one.at > when);
    agenda.splice(before < 0 ? agenda.length : before, 0, { at: when, run });
  };
  // Of those who only look, so that the others come out alike without them.
  const others = chancesOf(1);
  const moved: Moved[] = [];
  const sent: string[] = [];
  const owed: { orderId: string; returnId: string }[] = [];
  const counts = { placed: 0, paid: 0, sent: 0, cancelled: 0, returned: 0, refunded: 0 };
  const used = new Set<string>();

  const place = async (when: number): Promise<void> => {
    const buyer = chances.of(people);
    const withCode = chances.happens(0.12) && !used.has(buyer.email);
    const order = await buy(setting, buyer, withCode);
    if (withCode) used.add(buyer.email);
    // Others look what it would cost, and leave; some have said who they are.
    if (now - when < 30 * day)
      for (let other = 0; other < counts.placed % 3; other += 1) await leave(setting, people, others);
    counts.placed += 1;
    const later = (days: number, run: Doing['run']): void =>
      plan(when + days * day * (0.6 + chances.next() * 0.8), run);
    if (chances.happens(0.05)) {
      later(0.5, async () => {
        await setting.packer.call('commerce/fulfilment', 'service_cancel_order', {
          order_id: order.id,
          reason: chances.of(['customer', 'payment', 'out_of_stock']),
        });
        counts.cancelled += 1;
      });
      return;
    }
    // A few never pay.
    if (chances.happens(0.03)) return;
    later(1.5, async (paidAt) => {
      await setting.bookkeeper.call('commerce/fulfilment', 'service_record_order_payment', {
        order_id: order.id,
        reference: order.number,
      });
      counts.paid += 1;
      moved.push({ at: paidAt, amount: order.total, who: buyer.name, reference: order.number });
    });
    later(3, async (sentAt) => {
      await send(setting, order.id);
      counts.sent += 1;
      sent.push(order.id);
      if (!chances.happens(0.07)) return;
      plan(sentAt + (6 + chances.next() * 6) * day, async (backAt) => {
        const returnId = await sendBack(setting, order.id);
        counts.returned += 1;
        if (backAt > now - 6 * day) return void owed.push({ orderId: order.id, returnId });
        plan(backAt + day, async (refundedAt) => {
          const amount = await refund(setting, { orderId: order.id, returnId });
          counts.refunded += 1;
          moved.push({ at: refundedAt, amount: `-${amount}`, who: buyer.name, reference: `Refund ${order.number}` });
        });
      });
    });
  };

  for (const when of times(orders, setting)) plan(when, place);
  for (const one of setting.deliveries) plan(one.at, async () => receive(setting.packer, setting.shop, one, chances));
  for (let next = agenda.shift(); next !== undefined; next = agenda.shift()) {
    at(next.at);
    await next.run(next.at);
  }
  return { moved, counts, sent, owed };
}

/** More towards the end than at the beginning, most before Christmas, by day. */
function times(count: number, { chances, now }: Setting): number[] {
  const weights = Array.from({ length: 364 }, (_none, index) => {
    const date = new Date(now - (364 - index) * day);
    const month = date.getUTCMonth();
    const season =
      month === 10 ? 1.7 : month === 11 && date.getUTCDate() < 21 ? 2.2 : month === 6 || month === 7 ? 0.75 : 1;
    return (0.55 + index / 364) * season;
  });
  const sum = weights.reduce((all, one) => all + one, 0);
  return Array.from({ length: count }, () => {
    let left = chances.next() * sum;
    const index = Math.max(
      0,
      weights.findIndex((weight) => (left -= weight) < 0),
    );
    const midnight = Math.floor((now - (364 - index) * day) / day) * day;
    return midnight + 7 * hour + Math.floor(chances.next() * 14 * hour);
  }).toSorted((a, b) => a - b);
}

interface Bought {
  readonly id: string;
  readonly number: string;
  readonly total: string;
}

/** As a page does it, with the key alone. */
async function begin(
  { shop, storefront }: Setting,
  lines: readonly { readonly variantId: string; readonly quantity: number }[],
  more: object = {},
): Promise<Json> {
  return ask(`${storefront}/checkouts`, {
    headers: { 'x-service-sdk-key': shop.liveKey },
    body: { currency: 'EUR', lines, ...more },
  });
}

async function leave(setting: Setting, people: readonly Buyer[], chances: Chances): Promise<void> {
  const { variantId } = chances.of(setting.shop.sold);
  const { id, token } = await begin(setting, [{ variantId, quantity: chances.of([1, 1, 2]) }]);
  const { email, name } = chances.of(people);
  if (chances.happens(0.6))
    await ask(`${setting.storefront}/checkouts/${textOf(id)}`, {
      method: 'PATCH',
      headers: { 'x-service-sdk-key': setting.shop.liveKey, 'x-cart-token': textOf(token) },
      body: { email, name },
    });
}

async function buy(setting: Setting, buyer: Buyer, withCode: boolean): Promise<Bought> {
  const { shop, storefront, chances } = setting;
  const key = { 'x-service-sdk-key': shop.liveKey };
  const chosen = new Map(
    Array.from({ length: chances.of([1, 1, 1, 2, 2, 3, 4]) }, () => [
      chances.of(shop.sold).variantId,
      chances.of([1, 1, 1, 1, 2, 2, 4]),
    ]),
  );
  const lines = [...chosen].map(([variantId, quantity]) => ({ variantId, quantity }));
  const opened = await begin(setting, lines, { locale: buyer.locale, ...(withCode ? { codes: [code] } : {}) });
  const url = `${storefront}/checkouts/${textOf(opened['id'])}`;
  const headers = { ...key, 'x-cart-token': textOf(opened['token']) };
  const said = await ask(url, {
    method: 'PATCH',
    headers,
    body: {
      email: buyer.email,
      name: buyer.name,
      shippingAddress: buyer.address,
      marketingConsent: chances.happens(0.35),
      ...(chances.happens(0.06) ? { note: chances.of(notes) } : {}),
    },
  });
  const options = listOf(said['shippingOptions']);
  const option = options.length > 1 && chances.happens(0.85) ? cheapest(options) : chances.of(options);
  const ready = await ask(url, { method: 'PATCH', headers, body: { shippingOptionId: option['id'] } });
  const done = await ask(`${url}/complete`, {
    headers,
    body: {
      payment: { handler: 'manual', method: chances.of(['bank_transfer', 'bank_transfer', 'invoice']) },
      total: ready['total'],
    },
  });
  const { order, total } = done;
  return { id: textOf(order?.['id']), number: textOf(order?.['number']), total: textOf(total?.['amount']) };
}

const cheapest = (options: readonly Json[]): Json =>
  options.toSorted((a, b) => Number(a['amount']?.['amount']) - Number(b['amount']?.['amount']))[0] ?? {};

const notes = [
  'Please leave it with the neighbours.',
  'It is a present: no invoice in the parcel, please.',
  'The bell is broken, please knock.',
  'Thank you for the lovely mugs!',
];

async function send({ packer, chances }: Setting, orderId: string): Promise<void> {
  const number = String(chances.whole(100_000_000, 999_999_999));
  await packer.call('commerce/fulfilment', 'service_fulfil_order', {
    order_id: orderId,
    carrier: 'DHL',
    tracking_number: `0034${number}`,
    tracking_url: `https://www.example.com/track/0034${number}`,
  });
}

async function sendBack({ packer, chances }: Setting, orderId: string): Promise<string> {
  const { order } = await packer.call('commerce/fulfilment', 'service_get_order', { order_id: orderId });
  const line = chances.of(listOf(order?.['lines']));
  const asked = await packer.call('commerce/fulfilment', 'service_request_return', {
    order_id: orderId,
    lines: [{ line_id: line['id'], quantity: 1 }],
    reason: chances.of(['damaged', 'not_as_described', 'changed_mind']),
  });
  const id = textOf(asked['return']?.['id']);
  await packer.call('commerce/fulfilment', 'service_approve_return', { return_id: id });
  await packer.call('commerce/fulfilment', 'service_receive_return', { return_id: id });
  return id;
}

/** An agent proposes it and the owner approves. */
async function refund(
  { packer, owner }: Setting,
  { orderId, returnId }: { readonly orderId: string; readonly returnId: string },
): Promise<string> {
  const proposed = await packer.call('commerce/fulfilment', 'service_refund_order', {
    order_id: orderId,
    return_id: returnId,
  });
  const { result } = await approve(owner, textOf(proposed['pending_action_id']));
  return textOf(result?.['data']?.['refund']?.['total']?.['amount']);
}

/** What the owner sees is what is approved. */
export async function approve(owner: Hand, id: string): Promise<Json> {
  const { previewHash } = await owner.rest('portal', `/api/pending-actions/${id}`);
  const done = await owner.rest('portal', `/api/pending-actions/${id}/approve`, { body: { previewHash } });
  if (textOf(done['state']) !== 'executed')
    throw new RangeError(`${textOf(done['summary'])} It is ${textOf(done['state'])}.`);
  return done;
}
