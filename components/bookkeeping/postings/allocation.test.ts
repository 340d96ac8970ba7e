import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { anything } from '@steward/audit/testing';
import { cancelOrder, movementsOf, type Order, orderIn, recordOrderPayment, refundOrder } from '@steward/orders';
import { newId } from '@steward/kernel';
import type { TenantContext } from '@steward/sql';
import { placing } from '../fixtures/order.ts';
import { byDoor, createWorld, refused, type World } from '../fixtures/world.ts';
import { mayBePaid } from '../papers/papers.ts';
import { updatePostingProfile } from '../profile/update.ts';
import { reconcileOrders } from '../reports/reconcile.ts';
import { carryOutOrderPosting } from './carry-out-one.ts';

// Whatever people record in the books of money for an order: the order says the same.

const day = new Date().toISOString().slice(0, 10);
const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
const eur = (amount: string) => ({ amount, currency: 'EUR' });

describe('money for an order that people record in the books', () => {
  let world: World;
  before(async () => {
    world = await createWorld();
  });
  after(async () => world[Symbol.asyncDispose]());

  interface Invoice {
    readonly id: string;
    readonly partyId: string;
    readonly open: { readonly amount: string };
    readonly reference: string;
  }
  interface Made {
    readonly payment: { readonly id: string; readonly allocations: readonly { readonly id: string }[] };
  }

  class Shop {
    readonly context: TenantContext;

    constructor(context: TenantContext) {
      this.context = context;
    }

    static async open(mode: 'post' | 'drafts' = 'post'): Promise<Shop> {
      const context = await world.tenant();
      await byDoor(updatePostingProfile)(context, {
        mode,
        clearingAccounts: [{ handler: 'manual', account: '1000' }],
      });
      return new Shop(context);
    }

    /** An order of 19.99 by invoice, which the books have. */
    async placed(): Promise<Order> {
      const order = await world.awaiting(this.context, placing());
      await this.tell('commerce.order.placed', { orderId: order.id, mode: 'live' });
      await world.work();
      return order;
    }

    async tell(type: string, data: object, subject?: string): Promise<void> {
      await world.tell(this.context, type, data, subject);
    }

    /** What the books announce of allocations, heard and carried out; twice, since it may come twice. */
    async heard(type: 'made' | 'undone', ids: readonly string[]): Promise<void> {
      for (const id of [...ids, ...ids]) await this.tell(`accounting.allocation.${type}`, {}, id);
      await world.work();
    }

    async invoices(): Promise<Invoice[]> {
      return (await world.books(this.context, 'service_list_documents', {}))['documents'] as never;
    }

    async invoiceOf({ number }: Order): Promise<Invoice> {
      return (await this.invoices()).find(({ reference }) => reference === number) as Invoice;
    }

    /** As `record`, and the order hears of it. */
    async pay(parts: readonly (readonly [Invoice, string])[], more: object = {}): Promise<Made> {
      const made = await this.record(parts, more);
      const ids = made.payment.allocations.map(({ id }) => id);
      await this.heard('made', ids);
      return made;
    }

    /** A payment that pays so much of each. */
    async record(parts: readonly (readonly [Invoice, string])[], more: object = {}): Promise<Made> {
      const amount = parts.reduce((sum, [, part]) => sum + Number(part) * 100, 0) / 100;
      return (await world.books(this.context, 'service_record_payment', {
        direction: 'received',
        partyId: parts[0]?.[0].partyId,
        account: '1000',
        date: day,
        currency: 'EUR',
        amount: amount.toFixed(2),
        allocations: parts.map(([{ id }, part]) => ({ documentId: id, amount: part })),
        ...more,
      })) as unknown as Made;
    }

    async now({ id }: Order): Promise<string[]> {
      const order = await this.context.require(anything).write(async (tx) => orderIn(tx, id));
      return order === undefined ? [] : [order.paymentStatus, order.captured.amount, order.balanceDue.amount];
    }

    async postings(order: Order): Promise<string[]> {
      return (await world.postings(this.context))
        .filter(({ orderId, kind }) => orderId === order.id && kind !== 'invoice')
        .map(({ kind, state, reason }) => `${kind} ${state}${reason === null ? '' : `: ${reason}`}`);
    }

    async differences(): Promise<readonly unknown[]> {
      return (await byDoor(reconcileOrders)(this.context, { from: day, to: day })).differences;
    }
  }

  test('is known of before the order hears of it, so that nothing cancels an order that the books have money of', async () => {
    const shop = await Shop.open();
    const [unpaid, paid] = [await shop.placed(), await shop.placed()];
    await shop.record([[await shop.invoiceOf(paid), '1.00']]);
    assert.deepEqual((await shop.now(paid))[0], 'pending');
    const itself = { type: 'system', id: 'orders' } as const;
    const request = { requestId: newId(), correlationId: newId() };
    const asJob = world.tenancy.systemContext({
      ...request,
      tenant: shop.context.tenant,
      chain: [itself],
      subject: itself,
      caller: itself,
    });
    assert.deepEqual([await mayBePaid(asJob, unpaid), await mayBePaid(asJob, paid)], [false, true]);
  });

  test('pays the order: in parts, by one payment of several orders, and never twice', async () => {
    const shop = await Shop.open();
    const [one, two] = [await shop.placed(), await shop.placed()];
    await shop.pay([[await shop.invoiceOf(one), '5.00']], { reference: 'Ann 1' });
    assert.deepEqual(await shop.now(one), ['partially_paid', '5.00', '14.99']);
    const parties = new Set((await shop.invoices()).map(({ partyId }) => partyId));
    assert.equal(parties.size, 1);
    await shop.pay([
      [await shop.invoiceOf(one), '14.99'],
      [await shop.invoiceOf(two), '19.99'],
    ]);
    assert.deepEqual(await shop.now(one), ['paid', '19.99', '0.00']);
    assert.deepEqual(await shop.now(two), ['paid', '19.99', '0.00']);
    assert.deepEqual(await shop.postings(one), ['allocation posted', 'allocation posted']);
    assert.deepEqual(await shop.differences(), []);
    const again = await refused(byDoor(recordOrderPayment)(shop.context, { orderId: one.id }));
    assert.equal(again.code, 'payment_state');
    assert.deepEqual(await world.told(), []);
  });

  test('is in the books on the day on which it arrived, where it is recorded at the order', async () => {
    const shop = await Shop.open();
    const order = await shop.placed();
    await byDoor(recordOrderPayment)(shop.context, { orderId: order.id, receivedOn: yesterday });
    const [moved] = await shop.context.require(anything).write(async (tx) => movementsOf(tx, order.id));
    await shop.tell('commerce.payment.captured', { orderId: order.id, mode: 'live', operationId: moved?.id });
    await world.work();
    const { payments } = (await world.books(shop.context, 'service_list_payments', {})) as unknown as {
      readonly payments: readonly { readonly date: string }[];
    };
    assert.deepEqual(
      payments.map(({ date }) => date),
      [yesterday],
    );
  });

  test('is heard of from the bus, and so is its being taken back', async () => {
    const shop = await Shop.open();
    await using bus = world.bus();
    bus.start();
    const order = await world.awaiting(shop.context, placing());
    const until = async (wanted: string): Promise<void> => {
      while ((await shop.now(order))[0] !== wanted) {
        await world.work();
        await setTimeout(20);
      }
    };
    while ((await shop.invoices())[0]?.open == null) {
      await world.work();
      await setTimeout(20);
    }
    const { payment } = await shop.record([[await shop.invoiceOf(order), '19.99']]);
    await until('paid');
    for (const { id: allocationId } of payment.allocations)
      await world.books(shop.context, 'service_unallocate_payment', { allocationId });
    await until('pending');
    assert.deepEqual(await shop.differences(), []);
    assert.deepEqual(await world.told(), []);
  });

  test('is no longer of the order once the books take it back, and again once they pay it again', async () => {
    const shop = await Shop.open();
    const order = await shop.placed();
    const { payment } = await shop.pay([[await shop.invoiceOf(order), '19.99']]);
    assert.deepEqual(await shop.now(order), ['paid', '19.99', '0.00']);
    const ids = payment.allocations.map(({ id }) => id);
    for (const id of ids) await world.books(shop.context, 'service_unallocate_payment', { allocationId: id });
    await shop.heard('undone', ids);
    assert.deepEqual(await shop.now(order), ['pending', '0.00', '19.99']);
    assert.deepEqual(await shop.postings(order), ['allocation left_out: undone']);
    assert.deepEqual(await shop.differences(), []);
    const { id: itemId } = await shop.invoiceOf(order);
    const { allocations } = (await world.books(shop.context, 'service_allocate_payment', {
      creditId: payment.id,
      date: day,
      allocations: [{ documentId: itemId, amount: '19.99' }],
    })) as unknown as { allocations: { id: string }[] };
    await shop.heard(
      'made',
      allocations.map(({ id }) => id),
    );
    assert.deepEqual(await shop.now(order), ['paid', '19.99', '0.00']);
    assert.deepEqual(await shop.differences(), []);
    assert.deepEqual(await world.told(), []);
  });

  test('stays with an order that gave it back before the books took it back, and the comparison says so', async () => {
    const shop = await Shop.open();
    const order = await shop.placed();
    const { payment } = await shop.pay([[await shop.invoiceOf(order), '19.99']]);
    await byDoor(refundOrder)(shop.context, { orderId: order.id, reason: 'other', adjustment: eur('1.00') });
    const ids = payment.allocations.map(({ id }) => id);
    for (const id of ids) await world.books(shop.context, 'service_unallocate_payment', { allocationId: id });
    await shop.heard('undone', ids);
    assert.deepEqual(await shop.now(order), ['partially_refunded', '19.99', '0.00']);
    assert.deepEqual(await shop.postings(order), ['allocation left_out: given_back']);
    assert.deepEqual(
      (await shop.differences()).map((one) => (one as { kind: string }).kind),
      ['payment', 'refund'],
    );
    assert.deepEqual(await world.told(), []);
  });

  test('that was taken back is not awaited by an order that was cancelled meanwhile', async () => {
    const shop = await Shop.open();
    const order = await shop.placed();
    const { payment } = await shop.pay([[await shop.invoiceOf(order), '5.00']]);
    const refund = await refused(
      cancelOrder(shop.context, { orderId: order.id, reason: 'other' }, { releaseDiscounts: async () => undefined }),
    );
    assert.equal(refund.code, 'order_paid');
    const ids = payment.allocations.map(({ id }) => id);
    for (const id of ids) await world.books(shop.context, 'service_unallocate_payment', { allocationId: id });
    await shop.heard('undone', ids);
    await cancelOrder(
      shop.context,
      { orderId: order.id, reason: 'other' },
      { releaseDiscounts: async () => undefined },
    );
    assert.deepEqual(await shop.now(order), ['voided', '0.00', '0.00']);
    assert.deepEqual(await world.told(), []);
  });

  test('is what was recorded at the order in the same amount, whoever came first', async () => {
    for (const first of ['order', 'books']) {
      const shop = await Shop.open('drafts');
      const order = await shop.placed();
      const [draft] = await world.postings(shop.context);
      await carryOutOrderPosting(shop.context, { postingId: draft?.id ?? '' }, world.ports);
      const other = await shop.placed();
      const [, second] = await world.postings(shop.context);
      await carryOutOrderPosting(shop.context, { postingId: second?.id ?? '' }, world.ports);
      const record = async () => {
        await byDoor(recordOrderPayment)(shop.context, { orderId: order.id });
        const moved = await world.moved(shop.context, order.id);
        for (const { id } of moved)
          await shop.tell('commerce.payment.captured', { orderId: order.id, mode: 'live', operationId: id });
        await world.work();
      };
      const parts = [
        [await shop.invoiceOf(order), '19.99'],
        [await shop.invoiceOf(other), '19.99'],
      ] as const;
      if (first === 'order') await record();
      await shop.pay(parts);
      if (first === 'books') {
        const again = await refused(byDoor(recordOrderPayment)(shop.context, { orderId: order.id }));
        assert.equal(again.code, 'payment_state');
      }
      await world.work();
      for (const one of [order, other]) assert.deepEqual(await shop.now(one), ['paid', '19.99', '0.00'], first);
      assert.deepEqual(
        (await shop.postings(order)).toSorted(),
        first === 'order' ? ['allocation posted', 'payment left_out: recorded'] : ['allocation posted'],
      );
      assert.deepEqual(await shop.differences(), []);
    }
    assert.deepEqual(await world.told(), []);
  });

  test('that is undone leaves what was recorded at the order to be put into the books', async () => {
    const shop = await Shop.open('drafts');
    const order = await shop.placed();
    const [draft] = await world.postings(shop.context);
    await carryOutOrderPosting(shop.context, { postingId: draft?.id ?? '' }, world.ports);
    await byDoor(recordOrderPayment)(shop.context, { orderId: order.id });
    const [moved] = await world.moved(shop.context, order.id);
    await shop.tell('commerce.payment.captured', { orderId: order.id, mode: 'live', operationId: moved?.id });
    await world.work();
    // More than the order came to: the rest stays on account.
    const { payment } = await shop.record([[await shop.invoiceOf(order), '19.99']], { amount: '30.00' });
    const ids = payment.allocations.map(({ id }) => id);
    await shop.heard('made', ids);
    assert.deepEqual((await shop.postings(order)).toSorted(), ['allocation posted', 'payment left_out: recorded']);
    assert.deepEqual(await shop.differences(), []);
    for (const allocationId of ids) await world.books(shop.context, 'service_unallocate_payment', { allocationId });
    await shop.heard('undone', ids);
    assert.deepEqual((await shop.postings(order)).toSorted(), [
      'allocation left_out: undone',
      'payment waiting: people_post',
    ]);
    assert.deepEqual(await shop.now(order), ['paid', '19.99', '0.00'], 'as somebody said there');
    assert.deepEqual(await world.told(), []);
    const waiting = (await world.postings(shop.context)).find(({ kind }) => kind === 'payment');
    await carryOutOrderPosting(shop.context, { postingId: waiting?.id ?? '' }, world.ports);
    assert.deepEqual(await shop.differences(), []);
    assert.deepEqual(await world.told(), []);
  });

  test('waits where other money of the order is not in the books yet', async () => {
    const shop = await Shop.open('drafts');
    const order = await shop.placed();
    const [draft] = await world.postings(shop.context);
    await carryOutOrderPosting(shop.context, { postingId: draft?.id ?? '' }, world.ports);
    await byDoor(recordOrderPayment)(shop.context, { orderId: order.id, amount: eur('4.99') });
    const [moved] = await world.moved(shop.context, order.id);
    await shop.tell('commerce.payment.captured', { orderId: order.id, mode: 'live', operationId: moved?.id });
    await world.work();
    await shop.pay([[await shop.invoiceOf(order), '15.00']]);
    assert.deepEqual((await shop.postings(order)).toSorted(), [
      'allocation waiting: payment_not_posted',
      'payment waiting: people_post',
    ]);
    const waiting = (await world.postings(shop.context)).find(({ kind }) => kind === 'payment');
    await carryOutOrderPosting(shop.context, { postingId: waiting?.id ?? '' }, world.ports);
    await world.work();
    assert.deepEqual((await shop.postings(order)).toSorted(), ['allocation posted', 'payment posted']);
    assert.deepEqual(await shop.now(order), ['paid', '19.99', '0.00']);
    assert.deepEqual(await shop.differences(), []);
    assert.deepEqual(await world.told(), []);
  });
});
