import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createTax } from '@steward/accounting';
import { anything } from '@steward/audit/testing';
import { newId, Problem } from '@steward/kernel';
import {
  cancelOrder,
  editOrder,
  editsOf,
  fulfilOrder,
  movementsOf,
  type Order,
  orderIn,
  recordOrderPayment,
  refundOrder,
  type Refund,
} from '@steward/orders';
import type { TenantContext } from '@steward/sql';
import fc from 'fast-check';
import { placing, untaxed } from './fixtures/order.ts';
import { byDoor, createWorld, type World } from './fixtures/world.ts';
import { cameIn, isSettled } from './postings/allocation.ts';
import { carryOutOrderPosting } from './postings/carry-out-one.ts';
import { carryOutDue } from './postings/worker.ts';
import { updatePostingProfile } from './profile/update.ts';
import { reconcileOrders } from './reports/reconcile.ts';

// Whatever happens to orders, and in whichever order and how often the books hear of it: they end as the orders are.

const day = 86_400_000;
const on = (days: number) => new Date(Date.now() + days * day).toISOString().slice(0, 10);
const nat = (max: number) => fc.integer({ min: 0, max });
const order = nat(2);
const steps = fc.array(
  fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record({
        do: fc.constant('place' as const),
        inclusive: fc.boolean(),
        lines: fc.array(fc.record({ quantity: fc.integer({ min: 1, max: 4 }), price: nat(999), taxed: fc.boolean() }), {
          minLength: 1,
          maxLength: 3,
        }),
        shipping: fc.constantFrom(0, 1, 495),
        off: fc.constantFrom(0, 0, 100),
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        do: fc.constant('pay' as const),
        order,
        amount: fc.option(nat(2000), { nil: undefined }),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ do: fc.constant('fulfil' as const), order, units: fc.integer({ min: 1, max: 2 }) }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        do: fc.constant('refund' as const),
        order,
        units: nat(3),
        shipping: fc.constantFrom(0, 0, 1, 300),
        adjustment: fc.constantFrom(0, 0, 7, 500),
      }),
    },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('refundRest' as const), order }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('refundBalance' as const), order }) },
    {
      weight: 5,
      arbitrary: fc.record({
        do: fc.constant('edit' as const),
        order,
        line: fc.option(nat(2), { nil: undefined }),
        left: nat(3),
        add: fc.option(fc.record({ quantity: fc.integer({ min: 1, max: 3 }), price: nat(999), taxed: fc.boolean() }), {
          nil: undefined,
        }),
      }),
    },
    { weight: 5, arbitrary: fc.record({ do: fc.constant('cancel' as const), order }) },
    // What people do in the books themselves.
    {
      weight: 3,
      arbitrary: fc.record({ do: fc.constant('settle' as const), order, second: order, amount: nat(2000) }),
    },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('unsettle' as const), order, settled: nat(1000) }) },
    // What the books hear of it, and do.
    { weight: 6, arbitrary: fc.record({ do: fc.constant('hear' as const), news: nat(1000) }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('work' as const) }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('carry' as const), posting: nat(1000) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('mode' as const), mode: fc.constantFrom('drafts', 'post') }) },
  ),
  { minLength: 10, maxLength: 40, size: 'max' },
);
type Step = typeof steps extends fc.Arbitrary<(infer S)[]> ? S : never;

const eur = (minor: number) => ({ amount: (minor / 100).toFixed(2), currency: 'EUR' });
const cents = (money: { readonly amount: string } | null | undefined): bigint =>
  BigInt((money?.amount ?? '0.00').replace('.', ''));
const sum = <Of>(all: readonly Of[], of: (one: Of) => bigint): bigint => all.reduce((so, one) => so + of(one), 0n);

describe('orders and their books', () => {
  let world: World;
  before(async () => {
    world = await createWorld();
  });
  after(async () => world[Symbol.asyncDispose]());

  const doors = {
    pay: byDoor(recordOrderPayment),
    fulfil: byDoor(fulfilOrder),
    refund: byDoor(refundOrder),
    profile: byDoor(updatePostingProfile),
    reconcile: byDoor(reconcileOrders),
  };

  class Shop {
    readonly context: TenantContext;
    readonly taxId: string;
    readonly ids: string[] = [];
    readonly refunds: Refund[] = [];
    /** Payments that people recorded in the books, of orders. */
    readonly settled: {
      readonly paymentId: string;
      readonly allocations: readonly { readonly id: string }[];
      readonly orderIds: readonly string[];
    }[] = [];

    constructor(context: TenantContext, taxId: string) {
      this.context = context;
      this.taxId = taxId;
    }

    static async open(): Promise<Shop> {
      const context = await world.tenant();
      await doors.profile(context, { clearingAccounts: [{ handler: 'manual', account: '1000' }] });
      const { id } = await createTax(context, { name: 'Tax', percentage: '19' });
      return new Shop(context, id);
    }

    async order(back: number): Promise<Order | undefined> {
      const id = this.ids.at(-1 - back);
      return id === undefined ? undefined : this.context.require(anything).write(async (tx) => orderIn(tx, id));
    }

    /** All that orders announced, in the order of their ids. */
    async news(): Promise<{ type: string; data: object }[]> {
      const told = await Promise.all(
        this.ids.map(async (orderId) => {
          const moved = await this.context.require(anything).write(async (tx) => movementsOf(tx, orderId));
          const found = await this.context.require(anything).write(async (tx) => orderIn(tx, orderId));
          const edited = await this.context.require(anything).write(async (tx) => editsOf(tx, orderId));
          const one = (type: string, data: object = {}) => ({ type, data: { orderId, mode: 'live', ...data } });
          return [
            one('commerce.order.placed'),
            ...moved.flatMap(({ kind, id }) => {
              if (kind !== 'capture' && kind !== 'received') return [];
              return one('commerce.payment.captured', { operationId: id });
            }),
            ...this.refunds
              .filter((given) => given.orderId === orderId)
              .map(({ id: refundId }) => one('commerce.order.refunded', { refundId })),
            ...edited.map(({ id: editId }) => one('commerce.order.edited', { editId })),
            ...(found?.cancelledAt == null ? [] : [one('commerce.order.cancelled')]),
          ];
        }),
      );
      return told.flat();
    }

    async do(step: Step): Promise<void> {
      const { context } = this;
      switch (step.do) {
        case 'place': {
          const tax = { treatment: 'taxed', taxId: this.taxId, percentage: 190_000n } as const;
          const every = { productIds: new Set<string>(), collectionIds: new Set<string>() };
          const whole = placing({
            pricing: step.inclusive ? 'inclusive' : 'exclusive',
            lines: step.lines.map(({ quantity, price, taxed }) => ({
              quantity,
              unitPrice: BigInt(price),
              tax: taxed ? tax : untaxed,
            })),
            shipping: step.shipping === 0 ? null : { price: BigInt(step.shipping), tax },
            discounts:
              step.off === 0
                ? []
                : [
                    {
                      id: newId(),
                      rule: { kind: 'fixed_amount', on: 'order', amount: BigInt(step.off), among: every },
                      combinesWith: new Set(),
                    },
                  ],
          });
          if (whole.total > 0n) this.ids.push((await world.awaiting(context, whole)).id);
          return;
        }
        case 'hear': {
          const all = await this.news();
          const one = all[step.news % Math.max(1, all.length)];
          if (one !== undefined) await world.tell(context, one.type, one.data);
          return;
        }
        case 'work': {
          await carryOutDue(world.ports);
          return;
        }
        case 'carry': {
          const all = await world.postings(context);
          const one = all[step.posting % Math.max(1, all.length)];
          if (one !== undefined) await carryOutOrderPosting(context, { postingId: one.id }, world.ports);
          return;
        }
        case 'mode': {
          await doors.profile(context, { mode: step.mode });
          return;
        }
        default:
          await this.change(step);
      }
    }

    async change(step: Extract<Step, { order: number }>): Promise<void> {
      const { context } = this;
      const of = await this.order(step.order);
      if (of === undefined) return;
      const orderId = of.id;
      switch (step.do) {
        case 'pay': {
          await doors.pay(context, { orderId, ...(step.amount === undefined ? {} : { amount: eur(step.amount) }) });
          return;
        }
        case 'fulfil': {
          await doors.fulfil(context, { orderId, lines: [{ lineId: of.lines[0]?.id, quantity: step.units }] });
          return;
        }
        case 'refund': {
          this.refunds.push(
            await doors.refund(context, {
              orderId,
              reason: 'other',
              ...(step.units === 0 ? {} : { lines: [{ lineId: of.lines[0]?.id, quantity: step.units }] }),
              ...(step.shipping === 0 ? {} : { shipping: eur(step.shipping) }),
              ...(step.adjustment === 0 ? {} : { adjustment: eur(step.adjustment) }),
            }),
          );
          return;
        }
        case 'refundRest': {
          const adjustment = eur(Number(cents(of.captured) - cents(of.refunded)));
          this.refunds.push(await doors.refund(context, { orderId, reason: 'other', adjustment }));
          return;
        }
        case 'refundBalance': {
          this.refunds.push(await doors.refund(context, { orderId, reason: 'other', balance: of.toGiveBack }));
          return;
        }
        case 'edit': {
          const line = step.line === undefined ? undefined : of.lines[step.line % Math.max(1, of.lines.length)];
          const variantId = newId();
          const tax = { treatment: 'taxed', taxId: this.taxId, percentage: 190_000n } as const;
          await editOrder(
            context,
            {
              orderId,
              version: of.version,
              ...(line === undefined ? {} : { lines: [{ lineId: line.id, quantity: step.left }] }),
              ...(step.add === undefined ? {} : { add: [{ variantId, quantity: step.add.quantity }] }),
            },
            {
              mediaAt: '',
              noteOnTimeline: async () => undefined,
              quoteEdit: async () => ({
                pricing: of.pricesIncludeTax ? 'inclusive' : 'exclusive',
                taxes: new Map(),
                shippingTax: undefined,
                offers: new Map([
                  [
                    variantId,
                    {
                      productId: newId(),
                      title: 'Hat',
                      options: {},
                      sku: null,
                      image: null,
                      taxCategory: 'standard',
                      weightGrams: null,
                      requiresShipping: true,
                      unitPrice: BigInt(step.add?.price ?? 0),
                      taxed: step.add?.taxed === true ? tax : untaxed,
                    },
                  ],
                ]),
              }),
            },
          );
          return;
        }
        case 'settle': {
          await this.settle(
            of,
            step.second === step.order ? undefined : await this.order(step.second),
            BigInt(step.amount),
          );
          return;
        }
        case 'unsettle': {
          await this.unsettle(step.settled);
          return;
        }
        case 'cancel': {
          await cancelOrder(context, { orderId, reason: 'other' }, { releaseDiscounts: async () => undefined });
        }
      }
    }

    /** What is open of the invoice of an order that awaits it, unless money was recorded at it that the books do not have. */
    async openOf({ id, balanceDue }: Order): Promise<{ itemId: string; partyId: string; open: bigint } | undefined> {
      const { context } = this;
      const own = (await world.postings(context)).filter(({ orderId }) => orderId === id);
      const moved = (await world.moved(context, id)).filter(cameIn);
      const documentId = own.find(({ kind }) => kind === 'invoice')?.documentId ?? undefined;
      if (documentId === undefined || moved.some((one) => !isSettled(own, one))) return undefined;
      const { documents } = (await world.books(context, 'service_list_documents', { limit: 200 })) as unknown as {
        documents: { id: string; partyId: string; open: { amount: string } | null }[];
      };
      const document = documents.find((one) => one.id === documentId);
      if (document === undefined) return undefined;
      const open = cents(document.open) < cents(balanceDue) ? cents(document.open) : cents(balanceDue);
      return open > 0n ? { itemId: documentId, partyId: document.partyId, open } : undefined;
    }

    /** A person pays invoices of one or two orders in the books, and the orders hear of it. */
    async settle(one: Order, two: Order | undefined, amount: bigint): Promise<void> {
      const { context } = this;
      const [first, second] = [await this.openOf(one), two === undefined ? undefined : await this.openOf(two)];
      if (first === undefined) return;
      const parts = [first, ...(second?.partyId === first.partyId ? [second] : [])].map(({ itemId, open }) => ({
        documentId: itemId,
        amount: eur(Number(amount < open && amount > 0n ? amount : open)).amount,
      }));
      const { payment } = (await world.books(context, 'service_record_payment', {
        direction: 'received',
        partyId: first.partyId,
        account: '1000',
        date: on(0),
        currency: 'EUR',
        amount: eur(Number(sum(parts, cents))).amount,
        allocations: parts,
      })) as unknown as { payment: { id: string; allocations: { id: string }[] } };
      this.settled.push({
        paymentId: payment.id,
        allocations: payment.allocations,
        orderIds: two === undefined ? [one.id] : [one.id, two.id],
      });
      await this.hear('made', payment.allocations);
    }

    /** It paid something else. Where it was given back meanwhile, that stays, so it is not tried. */
    async unsettle(nth: number): Promise<void> {
      const { context, settled } = this;
      const [one] = settled.splice(nth % Math.max(1, settled.length), 1);
      if (one === undefined || this.refunds.some(({ orderId }) => one.orderIds.includes(orderId))) return;
      const { paymentId, allocations } = one;
      for (const { id } of allocations) await world.books(context, 'service_unallocate_payment', { allocationId: id });
      await world.books(context, 'service_void_payment', { paymentId });
      await this.hear('undone', allocations);
    }

    async hear(what: 'made' | 'undone', allocations: readonly { readonly id: string }[]): Promise<void> {
      for (const { id } of allocations) await world.tell(this.context, `accounting.allocation.${what}`, {}, id);
      await world.work();
    }

    /** All is heard, once more, and done. */
    async end(): Promise<void> {
      await doors.profile(this.context, { mode: 'post' });
      for (const { type, data } of await this.news()) await world.tell(this.context, type, data);
      await world.work();
      for (const kind of ['invoice', 'edit_credit', 'edit_charge', 'payment', 'refund', 'cancellation'])
        for (const own of await world.postings(this.context))
          if (own.kind === kind && own.state !== 'posted')
            await carryOutOrderPosting(this.context, { postingId: own.id }, world.ports);
      await world.work();
    }
  }

  test('end as one: each order to the unit, and every balance', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        const shop = await Shop.open();
        const { context } = shop;
        for (const step of all)
          await shop.do(step).catch((error: unknown) => {
            if (!(error instanceof Problem) || error.status >= 500) throw error;
          });
        await shop.end();
        const postings = await world.postings(context);
        assert.deepEqual(
          postings.filter(({ state }) => state !== 'posted' && state !== 'left_out'),
          [],
        );
        const { differences } = await doors.reconcile(context, { from: on(-1), to: on(1) });
        assert.deepEqual(differences, []);
        const orders: Order[] = [];
        for (let back = 0; back < shop.ids.length; back += 1) orders.push((await shop.order(back)) as Order);
        const live = orders.filter(({ cancelledAt }) => cancelledAt === null);
        const given = shop.refunds.filter(({ orderId }) => live.some(({ id }) => id === orderId));
        const tax =
          sum(live, (one) => cents(one.tax)) -
          sum(given, (one) => cents(one.shippingTax) + sum(one.lines, (line) => cents(line.tax)));
        const expected: Record<string, bigint> = {
          receivable:
            sum(live, (one) => cents(one.total) - cents(one.captured)) +
            sum(given, (one) => cents(one.balance) - cents(one.credited)),
          clearing: sum(orders, (one) => cents(one.captured) - cents(one.refunded)),
          tax: -tax,
          sales:
            tax -
            sum(live, (one) => cents(one.total)) +
            sum(given, (one) => cents(one.total) + cents(one.credited) - cents(one.balance)),
        };
        const { rows, debit, credit } = (await world.books(context, 'service_get_trial_balance', {
          asOf: '2199-12-31',
        })) as unknown as {
          rows: { accountId: string; debit: { amount: string } | null; credit: { amount: string } | null }[];
          debit: object;
          credit: object;
        };
        assert.deepEqual(debit, credit);
        assert.deepEqual(
          rows.map((row) => cents(row.debit) - cents(row.credit)).toSorted((a, b) => Number(a - b)),
          Object.values(expected)
            .filter((one) => one !== 0n)
            .toSorted((a, b) => Number(a - b)),
        );
        // Nothing of a cancelled order is left open.
        const { documents } = (await world.books(context, 'service_list_documents', { limit: 200 })) as unknown as {
          documents: { reference: string; status: string }[];
        };
        const gone = new Set(orders.filter(({ cancelledAt }) => cancelledAt !== null).map(({ number }) => number));
        assert.deepEqual(
          documents.filter(({ reference, status }) => gone.has(reference) && status !== 'paid' && status !== 'void'),
          [],
        );
      }),
      { numRuns: 20 * Number(process.env['LONG_RUNS'] ?? 1) },
    );
    assert.deepEqual(await world.told(), []);
  });
});
