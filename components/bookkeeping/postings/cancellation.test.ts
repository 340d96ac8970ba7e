import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createTax } from '@steward/accounting';
import { anything } from '@steward/audit/testing';
import { newId } from '@steward/kernel';
import { cancelOrder, movementsOf, type Order, orderIn, refundOrder } from '@steward/orders';
import type { TenantContext } from '@steward/sql';
import { placing, type Wish } from '../fixtures/order.ts';
import { byDoor, createWorld, type World } from '../fixtures/world.ts';
import { updatePostingProfile } from '../profile/update.ts';
import { reconcileOrders } from '../reports/reconcile.ts';
import { carryOutOrderPosting } from './carry-out-one.ts';

const today = new Date().toISOString().slice(0, 10);

describe('an order that was cancelled', () => {
  let world: World;
  before(async () => {
    world = await createWorld();
  });
  after(async () => world[Symbol.asyncDispose]());

  const inMode = async (mode: string): Promise<TenantContext> => {
    const context = await world.tenant();
    await byDoor(updatePostingProfile)(context, { mode });
    return context;
  };
  const taxed = async (context: TenantContext): Promise<Wish> => {
    const { id } = await createTax(context, { name: `Tax ${newId()}`, percentage: '19' });
    const tax = { treatment: 'taxed', taxId: id, percentage: 190_000n } as const;
    return { lines: [{ quantity: 3, unitPrice: 3333n, tax }], shipping: { price: 490n, tax } };
  };
  const refund = byDoor(refundOrder);
  const cancel = async (context: TenantContext, { id: orderId }: Order): Promise<void> => {
    await cancelOrder(context, { orderId, reason: 'customer' } as never, { releaseDiscounts: async () => undefined });
  };
  const movements = async (context: TenantContext, { id }: Order) =>
    context.require(anything).write(async (tx) => movementsOf(tx, id));
  /** What the bus announces of an order, each by a name. */
  const announced = async (context: TenantContext, order: Order): Promise<Record<string, () => Promise<void>>> => {
    const told =
      (type: string, data: object = {}) =>
      async () =>
        world.tell(context, type, { orderId: order.id, mode: 'live', ...data });
    const moved = await movements(context, order);
    const came = moved.find(({ kind }) => kind === 'received' || kind === 'capture');
    const back = moved.find(({ kind }) => kind === 'refund');
    return {
      placed: told('commerce.order.placed'),
      ...(came === undefined ? {} : { paid: told('commerce.payment.captured', { operationId: came.id }) }),
      ...(back === undefined ? {} : { refunded: told('commerce.order.refunded', { refundId: back.sourceId }) }),
      cancelled: told('commerce.order.cancelled'),
    };
  };
  const states = async (context: TenantContext) =>
    (await world.postings(context))
      .map(({ kind, state, reason }) => `${kind} ${state}${reason === null ? '' : `: ${reason}`}`)
      .toSorted();
  const documents = async (context: TenantContext): Promise<Record<string, never>[]> =>
    (await world.books(context, 'service_list_documents', {}))['documents'] as never;
  const balances = async (context: TenantContext): Promise<string[]> => {
    const { rows } = await world.books(context, 'service_get_trial_balance', { asOf: '2199-12-31' });
    return (rows as unknown as { name: string; debit: { amount: string }; credit: { amount: string } }[]).map(
      ({ name, debit, credit }) => `${name} ${debit?.amount ?? `-${credit.amount}`}`,
    );
  };
  const differences = async (context: TenantContext) =>
    (await byDoor(reconcileOrders)(context, { from: today, to: today })).differences.map(
      ({ kind, order, books, reason }) => [kind, order.amount, books.amount, reason],
    );
  const carry = async (context: TenantContext, kind: string, more: object = {}) => {
    const own = (await world.postings(context)).find((one) => one.kind === kind);
    const done = await carryOutOrderPosting(context, { postingId: own?.id ?? '', ...more }, world.ports);
    return (done as { posting: { state: string; reason: string | null } }).posting;
  };

  for (const mode of ['drafts', 'post', 'off'])
    test(`makes no invoice where it was cancelled before, also by hand: mode ${mode}`, async () => {
      const context = await inMode(mode);
      const order = await world.awaiting(context, placing());
      await cancel(context, order);
      const { placed, cancelled } = await announced(context, order);
      await cancelled?.();
      await world.work();
      await placed?.();
      await placed?.();
      await cancelled?.();
      await world.work();
      const { state, reason } = await carry(context, 'invoice');
      assert.deepEqual([state, reason], ['left_out', 'order_cancelled']);
      assert.equal((await carry(context, 'cancellation')).state, 'left_out');
      assert.deepEqual(await documents(context), []);
      assert.deepEqual(await differences(context), []);
      assert.deepEqual(await world.told(), []);
    });

  test('names on its invoice and credit note whom that order is for, also where the books know the buyer by another name', async () => {
    const context = await inMode('post');
    const at = (more: object) => ({
      name: 'Max Muster',
      company: null,
      line1: 'Ring 1',
      line2: null,
      city: 'Wien',
      region: null,
      postcode: '1010',
      country: 'AT',
      phone: null,
      ...more,
    });
    const wanted = await taxed(context);
    await world.owe(context, placing(wanted));
    const order = await world.owe(context, {
      ...placing(wanted),
      shippingAddress: at({ line1: 'Lager 7' }),
      billingAddress: at({ company: 'Muster GmbH' }),
      buyer: { ...placing(wanted).buyer, vatNumber: 'ATU12345678' },
    });
    await world.work();
    await cancel(context, order);
    const told = await announced(context, order);
    await told['cancelled']?.();
    await world.work();
    const of = (await documents(context)).filter(({ reference }) => String(reference) === order.number);
    const notes = await Promise.all(
      of.map(async ({ id }) => (await world.books(context, 'service_get_document', { documentId: id }))['document']),
    );
    assert.deepEqual(
      notes
        .map((one) => one as unknown as Record<string, unknown>)
        .map(({ kind, partyName, buyer, notes: said }) => [kind, partyName, buyer, said])
        .toSorted(),
      ['credit_note', 'invoice'].map((kind) => [
        kind,
        'Ann Buyer',
        { name: 'Muster GmbH', address: 'Max Muster\nRing 1\n1010 Wien\nAustria', vatNumber: 'ATU12345678' },
        null,
      ]),
    );
  });

  test('leaves its draft void, and nothing to issue', async () => {
    const context = await inMode('drafts');
    const order = await world.awaiting(context, placing());
    const { placed, cancelled } = await announced(context, order);
    await placed?.();
    await world.work();
    assert.deepEqual(await states(context), ['invoice drafted']);
    await cancel(context, order);
    await cancelled?.();
    await world.work();
    assert.equal((await documents(context))[0]?.['status'], 'void');
    await world.tell(context, 'accounting.document.voided', {});
    await carry(context, 'invoice');
    assert.deepEqual(await states(context), [
      'cancellation left_out: draft_voided',
      'invoice left_out: order_cancelled',
    ]);
    assert.deepEqual(await differences(context), []);
    assert.deepEqual(await world.told(), []);
  });

  test('leaves its draft void, also where people carry it out before the news of it', async () => {
    const context = await inMode('drafts');
    const order = await world.awaiting(context, placing());
    const { placed, cancelled } = await announced(context, order);
    await placed?.();
    await world.work();
    await cancel(context, order);
    assert.equal((await carry(context, 'invoice')).reason, 'order_cancelled');
    assert.equal((await documents(context))[0]?.['status'], 'void');
    await cancelled?.();
    await world.work();
    assert.deepEqual(await states(context), ['cancellation left_out: no_invoice', 'invoice left_out: order_cancelled']);
  });

  test('is credited where it was invoiced, which people do unless the profile posts', async () => {
    const context = await inMode('drafts');
    const order = await world.awaiting(context, placing(await taxed(context)));
    const { placed, cancelled } = await announced(context, order);
    await placed?.();
    await world.work();
    await carry(context, 'invoice');
    await cancel(context, order);
    await cancelled?.();
    await world.work();
    assert.deepEqual(await states(context), ['cancellation waiting: people_post', 'invoice posted']);
    assert.deepEqual(await differences(context), [['cancellation', '0.00', order.total.amount, 'people_post']]);
    assert.equal((await carry(context, 'cancellation')).state, 'posted');
    const all = await documents(context);
    assert.deepEqual(
      all.map(({ kind, status, net, tax, total }) => [kind, status, net, tax, total]).toSorted(),
      ['credit_note', 'invoice'].map((kind) => [kind, 'paid', order.net, order.tax, order.total]),
    );
    assert.deepEqual([await balances(context), await differences(context)], [[], []]);
    assert.deepEqual(await world.told(), []);
  });

  test('is credited with what no refund credited before, and its tax with it, however it was given back', async () => {
    for (const [given, notes] of [
      ['a unit', 2],
      ['an amount', 2],
      ['all as an amount', 2],
      ['all', 1],
    ] as const) {
      const context = await inMode('post');
      const wish = await taxed(context);
      const order = await world.paid(context, placing(wish));
      const part = { amount: '10.00', currency: 'EUR' };
      await refund(context, {
        orderId: order.id,
        reason: 'other',
        ...(given === 'a unit' ? { lines: [{ lineId: order.lines[0]?.id, quantity: 1 }] } : {}),
        ...(given === 'an amount' ? { adjustment: part } : {}),
        ...(given === 'all as an amount' ? { adjustment: order.total } : {}),
        ...(given === 'all'
          ? { lines: [{ lineId: order.lines[0]?.id, quantity: 3 }], shipping: order.shipping?.total }
          : {}),
      });
      const first = await announced(context, order);
      for (const tell of [first['placed'], first['paid'], first['refunded']]) await tell?.();
      await world.work();
      if (given !== 'all as an amount' && given !== 'all') {
        const left = await context.require(anything).write(async (tx) => orderIn(tx, order.id));
        const minor = (of: string | undefined): number => Number((of ?? '').replace('.', ''));
        const rest = minor(left?.captured.amount) - minor(left?.refunded.amount);
        const adjustment = { amount: (rest / 100).toFixed(2), currency: 'EUR' };
        await refund(context, { orderId: order.id, reason: 'other', adjustment });
        const moved = (await movements(context, order)).findLast(({ kind }) => kind === 'refund');
        await world.tell(context, 'commerce.order.refunded', {
          orderId: order.id,
          mode: 'live',
          refundId: moved?.sourceId,
        });
        await world.work();
      }
      await cancel(context, order);
      await (await announced(context, order))['cancelled']?.();
      await world.work();
      assert.deepEqual(
        (await states(context)).filter((one) => one.includes('waiting')),
        [],
        given,
      );
      assert.deepEqual(await balances(context), [], given);
      assert.deepEqual(await differences(context), [], given);
      const all = await documents(context);
      assert.ok(
        all.every(({ open }) => (open as unknown as { amount: string }).amount === '0.00'),
        given,
      );
      assert.ok(all.filter(({ kind }) => String(kind) === 'credit_note').length >= notes, given);
    }
    assert.deepEqual(await world.told(), []);
  });
});
