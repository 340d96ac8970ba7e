import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { anything } from '@steward/audit/testing';
import { money, newId } from '@steward/kernel';
import { sql, type TenantContext } from '@steward/sql';
import { reserve } from '@steward/stock';
import fc from 'fast-check';
import { attachPayments, authorize, beginPayment, placeOrder, settlePayment } from './component.ts';
import { byDoor, createWorld, placing, selling, type World } from './fixtures/world.ts';
import { editOrder } from './edits/make.ts';
import { fulfilOrder } from './fulfilments/fulfil.ts';
import { cancelOrder } from './orders/cancel.ts';
import type { Placing } from './orders/placing.ts';
import { receiveBooked, takeBackBooked } from './payments/booked.ts';
import { recordOrderPayment } from './payments/record.ts';
import { refundOrder } from './refunds/make.ts';
import { approveReturn, rejectReturn } from './returns/decide.ts';
import { receiveReturn } from './returns/receive.ts';
import { requestReturn } from './returns/request.ts';

// What orders promise, written down a second time in the plainest way, beside the real thing. Amounts are cents.

const record = byDoor(recordOrderPayment);
const fulfil = byDoor(fulfilOrder);
const cancel = byDoor(cancelOrder);
const edit = byDoor(editOrder);
const refund = byDoor(refundOrder);
const request = byDoor(requestReturn);
const approve = byDoor(approveReturn);
const reject = byDoor(rejectReturn);
const receive = byDoor(receiveReturn);

const counted = [9, 12];
const eur = (cents: number) => money(BigInt(cents), 'EUR');

const nat = (max: number) => fc.integer({ min: 0, max });
/** Units of the first lines of an order. */
const units = fc.tuple(fc.constantFrom(0, 1, 1, 2), fc.constantFrom(0, 1, 1, 2));
/** The how manieth last. */
const order = fc.constantFrom(0, 0, 0, 1, 2);
const goods = fc.constantFrom(0, 0, 1);
const steps = fc.array(
  fc.oneof(
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constant('place' as const),
        lines: fc.array(
          fc.record({
            variant: nat(counted.length - 1),
            quantity: fc.integer({ min: 1, max: 5 }),
            price: fc.integer({ min: 1, max: 999 }),
            percentOff: fc.constantFrom(0, 0, 10, 33),
          }),
          { minLength: 1, maxLength: 2 },
        ),
        shipping: fc.constantFrom(0, 1, 495),
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        do: fc.constant('record' as const),
        order,
        amount: fc.option(fc.integer({ min: 1, max: 3000 }), { freq: 1, nil: undefined }),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ do: fc.constant('book' as const), order, amount: fc.integer({ min: 1, max: 4000 }) }),
    },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('unbook' as const), order, booked: nat(9) }) },
    { weight: 4, arbitrary: fc.record({ do: fc.constant('fulfil' as const), order, units }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('cancel' as const), order }) },
    { weight: 4, arbitrary: fc.record({ do: fc.constant('request' as const), order, units }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('approve' as const, 'reject' as const), goods }) },
    {
      weight: 4,
      arbitrary: fc.record({ do: fc.constant('receive' as const), goods, missing: nat(1), damaged: nat(2) }),
    },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('refundReturn' as const), goods }) },
    {
      weight: 5,
      arbitrary: fc.record({
        do: fc.constant('refund' as const),
        order,
        units,
        shipping: fc.constantFrom(0, 0, 1, 300),
        adjustment: fc.constantFrom(0, 0, 7, 500),
        balance: fc.boolean(),
      }),
    },
    {
      weight: 5,
      arbitrary: fc.record({
        do: fc.constant('edit' as const),
        order,
        /** How many of the first lines stay. */
        left: fc.tuple(...[0, 1].map(() => fc.option(nat(4), { nil: undefined }))),
        add: fc.option(
          fc.record({
            variant: nat(counted.length - 1),
            quantity: fc.integer({ min: 1, max: 3 }),
            price: fc.integer({ min: 1, max: 999 }),
          }),
          { nil: undefined },
        ),
      }),
    },
  ),
  { minLength: 20, maxLength: 40, size: 'max' },
);
type Step = typeof steps extends fc.Arbitrary<(infer S)[]> ? S : never;
type Placed = Extract<Step, { do: 'place' }>;

interface Line {
  readonly id: string;
  readonly variant: number;
  quantity: number;
  net: number;
  tax: number;
  readonly price: number;
  /** When it came into the order. */
  readonly first: { readonly quantity: number; readonly off: number };
  /** Paid back before it left, and not reserved any more since an edit. */
  freed: number;
  fulfilled: number;
  returned: number;
  refunded: number;
  /** Paid back before it left: not to be sent. */
  withdrawn: number;
}
interface Held {
  readonly id: string;
  readonly lines: Line[];
  total: number;
  readonly shipping: number;
  version: number;
  /** Of what was given back, what an edit left over. */
  balance: number;
  /** Taken back before it was paid. */
  credited: number;
  shippingRefunded: number;
  captured: number;
  refunded: number;
  cancelled: boolean;
  /** What the books said came in: ids of allocations and what the order awaited of each. */
  readonly booked: { readonly id: string; readonly taken: number }[];
}
interface Back {
  readonly id: string;
  readonly of: Held;
  state: 'requested' | 'approved' | 'received' | 'rejected' | 'refunded';
  /** Units by line. */
  came: Map<Line, number>;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);
const netOf = (total: number): number => Math.round((total * 100) / 119);
/** What so many of a line's units are worth; of two halves the net is rounded up and the tax down. */
const worth = ({ net, tax, quantity }: Line, of: number): number =>
  Math.floor((2 * net * of + quantity) / (2 * quantity)) + Math.ceil((2 * tax * of - quantity) / (2 * quantity));

class Model {
  readonly onHand = [...counted];
  readonly orders: Held[] = [];
  readonly returns: Back[] = [];

  reserved(): number[] {
    const toSend = (of: Held) => of.lines.some((line) => line.fulfilled + line.withdrawn < line.quantity);
    const open = this.orders.filter((one) => !one.cancelled && toSend(one)).flatMap(({ lines }) => lines);
    return counted.map((_all, at) =>
      sum(open.map(({ variant, quantity, fulfilled, freed }) => (variant === at ? quantity - fulfilled - freed : 0))),
    );
  }

  short({ lines }: Placed): boolean {
    const reserved = this.reserved();
    return counted.some(
      (_all, at) =>
        sum(lines.map(({ variant, quantity }) => (variant === at ? quantity : 0))) >
        (this.onHand[at] ?? 0) - (reserved[at] ?? 0),
    );
  }

  /** Of a line: neither back nor on its way. */
  returnable(line: Line): number {
    const coming = this.returns.filter(({ state }) => state === 'requested' || state === 'approved');
    return line.fulfilled - line.returned - sum(coming.map(({ came }) => came.get(line) ?? 0));
  }

  /** Gives back, or says why not. */
  refund(of: Held, asked: ReadonlyMap<Line, number>, shipping = 0, adjustment = 0, balance = 0): string | undefined {
    const lines = [...asked];
    if (lines.some(([line, count]) => line.refunded + count > line.quantity)) return 'refund_exceeds_line';
    if (of.shippingRefunded + shipping > of.shipping) return 'refund_exceeds_line';
    const amounts = lines.map(([line, count]) => worth(line, line.refunded + count) - worth(line, line.refunded));
    const goods = sum(amounts) + shipping + adjustment;
    if (goods + balance === 0) return 'invalid_request';
    const credited = Math.min(goods, dueOf(of));
    const total = goods + balance - credited;
    if (of.refunded + total > of.captured) return 'refund_exceeds_captured';
    of.refunded += total;
    of.balance += balance;
    of.credited += credited;
    of.shippingRefunded += shipping;
    for (const [line, count] of lines) {
      line.withdrawn += Math.max(0, count - (line.fulfilled - (line.refunded - line.withdrawn)));
      line.refunded += count;
    }
    return undefined;
  }

  /** Makes another version of it, or says why not. */
  edit(of: Held, left: readonly (readonly [Line, number])[], added: Line | undefined): string | undefined {
    if (of.cancelled) return 'order_cancelled';
    if (sum(of.lines.map(({ fulfilled }) => fulfilled)) >= sum(of.lines.map(({ quantity }) => quantity)))
      return 'order_fulfilled';
    if (left.some(([line, units]) => units >= line.quantity)) return 'invalid_request';
    for (const [line, units] of left) {
      if (line.refunded > 0) return 'line_refunded';
      if (line.quantity - units > line.quantity - line.fulfilled - line.withdrawn) return 'more_than_open';
    }
    const goes = new Map(left);
    const next = [...of.lines, ...(added === undefined ? [] : [added])].map((line) => ({
      line,
      quantity: goes.get(line) ?? line.quantity,
    }));
    if (left.length === 0 && added === undefined) return 'invalid_request';
    if (next.every(({ quantity }) => quantity === 0)) return 'invalid_request';
    const others = new Model();
    others.orders.push(...this.orders.filter((one) => one !== of));
    const elsewhere = others.reserved();
    const takes = counted.map((_all, at) =>
      sum(next.map(({ line, quantity }) => (line.variant === at ? quantity - line.fulfilled - line.withdrawn : 0))),
    );
    if (takes.some((units, at) => units > (this.onHand[at] ?? 0) - (elsewhere[at] ?? 0))) return 'stock_insufficient';
    for (const { line, quantity } of next) {
      line.freed = line.withdrawn;
      if (quantity === line.quantity) continue;
      const off = Math.floor((2 * line.first.off * quantity + line.first.quantity) / (2 * line.first.quantity));
      const paid = line.price * quantity - Math.min(off, line.price * quantity);
      Object.assign(line, { quantity, net: netOf(paid), tax: paid - netOf(paid) });
    }
    if (added !== undefined) of.lines.push(added);
    of.total = of.shipping + sum(of.lines.map(({ net, tax }) => net + tax));
    of.version += 1;
    return undefined;
  }

  rows() {
    return this.orders.map((one, at) => {
      const { captured, refunded, total, cancelled, lines } = one;
      const bought = sum(lines.map(({ quantity }) => quantity));
      const sent = sum(lines.map(({ fulfilled }) => fulfilled));
      const back = sum(lines.map(({ returned }) => returned));
      // Of a line, what was paid back beyond what came back is sent no more, as far as it has not left.
      const unsent = sum(lines.map(({ withdrawn }) => withdrawn));
      const whole = sent + unsent >= bought;
      return {
        number: 1001 + at,
        total,
        captured,
        refunded,
        credited: one.credited,
        shipping: one.shippingRefunded,
        status: cancelled ? 'cancelled' : whole && captured - one.balance >= total - one.credited ? 'closed' : 'open',
        payment: paymentOf(one),
        fulfilment: fulfilmentOf(bought, sent, back, whole),
        lines: lines.map((line) => [line.quantity, line.net, line.tax, line.fulfilled, line.returned, line.refunded]),
      };
    });
  }
}

/** What is still to be paid. */
const dueOf = ({ cancelled, total, credited, captured, balance }: Held): number =>
  cancelled ? 0 : Math.max(total - credited - captured + balance, 0);

function paymentOf({ captured, refunded, balance, total, credited, cancelled }: Held): string {
  if (refunded > 0 && refunded === captured) return 'refunded';
  if (refunded > balance) return 'partially_refunded';
  if (captured === 0 && (cancelled || (credited > 0 && credited >= total))) return 'voided';
  if (captured - balance >= total - credited) return 'paid';
  return captured > 0 ? 'partially_paid' : 'pending';
}

function fulfilmentOf(bought: number, sent: number, back: number, whole: boolean): string {
  if (back > 0) return back === bought ? 'returned' : 'partially_returned';
  if (sent > 0 && whole) return 'fulfilled';
  return sent > 0 ? 'partially_fulfilled' : 'unfulfilled';
}

/** The order of a step, as its buyer agreed to it. */
function agreed({ lines: bought, shipping: carriage }: Placed, variants: readonly string[]): Placing {
  const base = placing(
    bought.map(({ variant, quantity, price }) => ({
      variantId: variants[variant] ?? '',
      quantity,
      unitPrice: BigInt(price),
    })),
  );
  const discountId = newId();
  const charged = (total: number) => ({
    net: BigInt(netOf(total)),
    tax: BigInt(total - netOf(total)),
    total: BigInt(total),
  });
  const lines = base.lines.map((line, at) => {
    const off = (line.gross * BigInt(bought[at]?.percentOff ?? 0)) / 100n;
    return {
      ...line,
      discounts: off === 0n ? [] : [{ discountId, amount: off }],
      ...charged(Number(line.gross - off)),
    };
  });
  const taxed = { treatment: 'taxed', taxId: newId(), percentage: 190_000n } as const;
  const shipping =
    carriage === 0
      ? null
      : {
          optionId: newId(),
          name: 'Parcel',
          kind: 'flat',
          locationId: null,
          gross: BigInt(carriage),
          discounts: [],
          ...charged(carriage),
          taxed,
        };
  const all = shipping === null ? lines : [...lines, shipping];
  const discount = lines.reduce((whole, line) => whole + line.gross - line.total, 0n);
  const net = all.reduce((whole, one) => whole + one.net, 0n);
  const tax = all.reduce((whole, one) => whole + one.tax, 0n);
  return {
    ...base,
    lines,
    shipping,
    discounts: discount === 0n ? [] : [{ discountId, name: 'Sale', code: null, amount: discount }],
    discount,
    net,
    tax,
    total: net + tax,
    taxes: [{ ...taxed, net, tax }],
  };
}

describe('orders, beside a model', () => {
  let world: World;
  before(async () => {
    world = await createWorld();
  });
  after(async () => world[Symbol.asyncDispose]());

  /** As a checkout does it: all in one transaction, to be paid by invoice. */
  const place = async (shop: TenantContext, whole: Placing) =>
    selling(shop, async (tx) => {
      const { checkoutId, mode, currency, total: amount, lines } = whole;
      const short = await reserve(tx, { holder: checkoutId, mode, lines, expiresAt: null });
      const begun = await beginPayment(tx, {
        checkoutId,
        mode,
        amount,
        currency,
        handler: 'manual',
        method: 'invoice',
      });
      await settlePayment(tx, begun.id, await authorize(begun, tx.context));
      const made = await placeOrder(tx, whole, world.ports);
      await attachPayments(tx, { checkoutId, orderId: made.id });
      // Late, so that all of it must be undone.
      if (short.length > 0) throw Object.assign(new Error('there is not enough stock'), { code: 'short' });
      return made;
    });

  /** Does a step to the model, then to the product. @returns what the model refuses it with, and the product's work */
  function doing(shop: TenantContext, model: Model, variants: readonly string[], step: Step) {
    if (step.do === 'place') {
      const whole = agreed(step, variants);
      if (model.short(step)) return { refused: 'short', work: async () => place(shop, whole) };
      return {
        work: async () => {
          const { id } = await place(shop, whole);
          model.orders.push({
            id,
            lines: whole.lines.map((line, at) => ({
              id: line.id,
              variant: step.lines[at]?.variant ?? 0,
              quantity: line.quantity,
              net: Number(line.net),
              tax: Number(line.tax),
              price: Number(line.unitPrice),
              first: { quantity: line.quantity, off: Number(line.discounts[0]?.amount ?? 0n) },
              freed: 0,
              fulfilled: 0,
              returned: 0,
              refunded: 0,
              withdrawn: 0,
            })),
            total: Number(whole.total),
            version: 1,
            balance: 0,
            shipping: step.shipping,
            shippingRefunded: 0,
            captured: 0,
            refunded: 0,
            credited: 0,
            cancelled: false,
            booked: [],
          });
        },
      };
    }
    if ('goods' in step) return withReturn(shop, model, step);
    const of = model.orders.at(-1 - step.order);
    if (of === undefined) return undefined;
    const orderId = of.id;
    const given = new Map<Line, number>(
      'units' in step
        ? of.lines.flatMap((line, at) => (step.units[at] && line.quantity > 0 ? [[line, step.units[at]]] : []))
        : [],
    );
    const lines = [...given].map(([{ id: lineId }, quantity]) => ({ lineId, quantity }));
    switch (step.do) {
      case 'record': {
        const left = dueOf(of);
        const work = async () => record(shop, { orderId, ...(step.amount && { amount: eur(step.amount) }) });
        if (left === 0) return { refused: 'payment_state', work };
        if ((step.amount ?? left) > left) return { refused: 'amount_exceeds_open', work };
        of.captured += step.amount ?? left;
        return { work };
      }
      case 'book': {
        const allocationId = newId();
        const left = dueOf(of);
        const taken = Math.min(left, step.amount);
        of.captured += taken;
        if (taken > 0) of.booked.push({ id: allocationId, taken });
        const told = { orderId, allocationId, amount: BigInt(step.amount), reference: 'Ann' };
        return {
          work: async () =>
            shop.require(anything).write(async (tx) => {
              assert.equal(await receiveBooked(tx, told), BigInt(taken));
              if (taken > 0) assert.equal(await receiveBooked(tx, told), BigInt(taken));
            }),
        };
      }
      case 'unbook': {
        const at = step.booked % Math.max(1, of.booked.length);
        const one = of.booked[at];
        if (one === undefined) return undefined;
        return {
          work: async () => {
            const back = async () =>
              shop.require(anything).write(async (tx) => takeBackBooked(tx, { orderId, allocationId: one.id }));
            // Which payment was given back is the order's own: it stays only where something was.
            if (!(await back())) return assert.ok(of.refunded > 0);
            of.captured -= one.taken;
            of.booked.splice(at, 1);
            assert.equal(await back(), true);
          },
        };
      }
      case 'fulfil': {
        if (lines.length === 0) return undefined;
        const work = async () => fulfil(shop, { orderId, lines });
        if (of.cancelled) return { refused: 'order_cancelled', work };
        if ([...given].some(([line, count]) => line.fulfilled + line.withdrawn + count > line.quantity))
          return { refused: 'more_than_open', work };
        for (const [line, count] of given) {
          line.fulfilled += count;
          model.onHand[line.variant] = (model.onHand[line.variant] ?? 0) - count;
        }
        return { work };
      }
      case 'cancel': {
        const work = async () => cancel(shop, { orderId, reason: 'staff' }, world.deps);
        if (!of.cancelled && of.lines.some(({ fulfilled, returned }) => fulfilled > returned))
          return { refused: 'order_fulfilled', work };
        if (!of.cancelled && of.captured > of.refunded) return { refused: 'order_paid', work };
        of.cancelled = true;
        return { work };
      }
      case 'request': {
        if (lines.length === 0) return undefined;
        const right = [...given].every(([line, count]) => count <= model.returnable(line));
        return {
          ...(right ? {} : { refused: 'not_returnable' }),
          work: async () => {
            const { id } = await request(shop, { orderId, lines });
            model.returns.push({ id, of, state: 'requested', came: given });
          },
        };
      }
      case 'refund': {
        const { shipping, adjustment } = step;
        const waits = model.returns.some(
          (one) =>
            one.of === of &&
            one.state === 'received' &&
            [...given.keys()].some((line) => (one.came.get(line) ?? 0) > 0),
        );
        const balance = step.balance ? Math.max(of.captured - of.balance - of.total + of.credited, 0) : 0;
        const refused = waits ? 'return_state' : model.refund(of, given, shipping, adjustment, balance);
        return {
          ...(refused === undefined ? {} : { refused }),
          work: async () =>
            refund(shop, {
              orderId,
              ...(lines.length > 0 && { lines }),
              ...(shipping > 0 && { shipping: eur(shipping) }),
              ...(adjustment > 0 && { adjustment: eur(adjustment) }),
              ...(balance > 0 && { balance: eur(balance) }),
            }),
        };
      }
      case 'edit': {
        const { add } = step;
        const { version } = of;
        const left = of.lines.flatMap((line, at) => {
          const units = step.left[at];
          return units === undefined || line.quantity === 0 ? [] : [[line, units] as const];
        });
        const added: Line | undefined = add && {
          id: newId(),
          variant: add.variant,
          quantity: add.quantity,
          price: add.price,
          net: netOf(add.price * add.quantity),
          tax: add.price * add.quantity - netOf(add.price * add.quantity),
          first: { quantity: add.quantity, off: 0 },
          freed: 0,
          fulfilled: 0,
          returned: 0,
          refunded: 0,
          withdrawn: 0,
        };
        const refused = model.edit(of, left, added);
        return {
          ...(refused === undefined ? {} : { refused }),
          work: async () => {
            const variantId = variants[add?.variant ?? 0] ?? '';
            world.sell(variantId, BigInt(add?.price ?? 1));
            const { edit: made } = await edit(
              shop,
              {
                orderId,
                version,
                ...(left.length > 0 && { lines: left.map(([{ id: lineId }, quantity]) => ({ lineId, quantity })) }),
                ...(add && { add: [{ variantId, quantity: add.quantity }] }),
              },
              world.deps,
            );
            const [line] = made.lines.slice(-1);
            if (added !== undefined && line !== undefined) of.lines.splice(-1, 1, { ...added, id: line.id });
          },
        };
      }
    }
  }

  function withReturn(shop: TenantContext, model: Model, step: Extract<Step, { goods: number }>) {
    const back = model.returns.at(-1 - step.goods);
    if (back === undefined) return undefined;
    const { id: returnId, of, state } = back;
    const coming = state === 'requested' || state === 'approved';
    switch (step.do) {
      case 'approve': {
        const work = async () => approve(shop, { returnId });
        if (!coming) return { refused: 'return_state', work };
        back.state = 'approved';
        return { work };
      }
      case 'reject': {
        const work = async () => reject(shop, { returnId });
        if (state === 'refunded') return { refused: 'return_state', work };
        back.state = 'rejected';
        return { work };
      }
      case 'receive': {
        const lines = [...back.came].map(([line, count]) => {
          const received = Math.max(count - step.missing, 0);
          return { line, received, damaged: Math.min(step.damaged, received) };
        });
        const work = async () =>
          receive(shop, {
            returnId,
            lines: lines.map(({ line, received, damaged }) => ({ lineId: line.id, received, damaged })),
          });
        if (!coming) return { refused: 'return_state', work };
        if (lines.every(({ received }) => received === 0)) return { refused: 'invalid_request', work };
        back.state = 'received';
        back.came = new Map(lines.map(({ line, received }) => [line, received]));
        for (const { line, received, damaged } of lines) {
          line.returned += received;
          model.onHand[line.variant] = (model.onHand[line.variant] ?? 0) + received - damaged;
        }
        return { work };
      }
      case 'refundReturn': {
        const work = async () => refund(shop, { orderId: of.id, returnId });
        if (state !== 'received') return { refused: 'return_state', work };
        const refused = model.refund(of, back.came);
        if (refused !== undefined) return { refused, work };
        back.state = 'refunded';
        return { work };
      }
    }
  }

  const rowsOf = async ({ tenant }: TenantContext) => ({
    orders: await world.admin.query(sql`
      select o.number::int, o.total::int, o.captured::int, o.refunded::int, o.credited::int, o.shipping_refunded::int as shipping, o.status,
        o.payment_status as payment, o.fulfilment_status as fulfilment, (
          select json_agg(json_build_array(l.quantity, l.net, l.tax, l.fulfilled, l.returned, l.refunded) order by l.position) from orders.line l
          where l.tenant_id = o.tenant_id and l.order_id = o.order_id) as lines
      from orders.sales_order o where o.tenant_id = ${tenant}::uuid order by o.number`),
    returns: await world.admin.query(sql`
      select return_id as id, state from orders.return where tenant_id = ${tenant}::uuid order by return_id`),
  });

  test('after any steps, both have the same orders, money, goods and stock, and refuse alike', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        const shop = await world.tenant();
        const variants: string[] = [];
        for (const onHand of counted) variants.push(await world.stocked(shop, onHand));
        const model = new Model();
        for (const step of all) {
          const about = JSON.stringify(step);
          const asked = doing(shop, model, variants, step);
          if (asked === undefined) continue;
          const answer = await asked.work().then(
            () => undefined,
            (error: unknown) => (error as { code?: string }).code ?? error,
          );
          assert.equal(answer, asked.refused, about);
          const { orders, returns } = await rowsOf(shop);
          assert.deepEqual(
            orders.map((row) => ({ ...row })),
            model.rows(),
            about,
          );
          assert.deepEqual(
            returns.map((row) => [row['id'], row['state']]),
            model.returns.map(({ id, state }) => [id, state]),
            about,
          );
          for (const { captured, refunded, balance, total } of model.orders)
            assert.ok(refunded <= captured && balance <= refunded && captured - balance >= 0 && total >= 0);
          const reserved = model.reserved();
          for (const [at, variant] of variants.entries()) {
            const [level] = await world.levels(shop, variant);
            assert.deepEqual([level?.['on_hand'], level?.['reserved']], [model.onHand[at], reserved[at]], about);
            assert.ok((reserved[at] ?? 0) >= 0 && (model.onHand[at] ?? 0) >= (reserved[at] ?? 0), about);
          }
        }
      }),
      { numRuns: 5 * Number(process.env['LONG_RUNS'] ?? 1), unbiased: true },
    );
    assert.deepEqual(await world.told(), []);
  });
});
