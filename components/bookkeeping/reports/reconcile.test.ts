import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { placing } from '../fixtures/order.ts';
import { byDoor, createWorld, faults, refused, type World } from '../fixtures/world.ts';
import { updatePostingProfile } from '../profile/update.ts';
import { reconcileOrders } from './reconcile.ts';

const today = new Date().toISOString().slice(0, 10);
const untaxed = { treatment: 'none', taxId: null, percentage: 0n } as const;
const of = (currency: string, unitPrice: bigint) =>
  placing({ currency, lines: [{ quantity: 1, unitPrice, tax: untaxed }] });

describe('the reconciliation of orders', () => {
  let world: World;
  before(async () => {
    world = await createWorld();
  });
  after(async () => world[Symbol.asyncDispose]());
  const reconcile = byDoor(reconcileOrders);

  test('tells what was placed, invoiced, drafted and paid by currency, and each order that differs', async () => {
    const context = await world.tenant();
    await world.owe(context, of('EUR', 1000n));
    await world.work();
    await byDoor(updatePostingProfile)(context, { mode: 'post' });
    await world.paid(context, of('EUR', 2000n));
    await world.owe(context, of('USD', 700n));
    await world.place(context, placing({ mode: 'test' }));
    await using bus = world.bus();
    bus.start();
    while ((await world.postings(context)).length < 4) await setTimeout(20);
    await world.work();
    await world.work();
    const missed = await world.place(context, of('EUR', 300n));
    const { currencies, differences, differenceCount } = await reconcile(context, { from: today, to: today });
    assert.deepEqual(
      currencies.map(({ currency, orders, placed, invoiced, drafted, notInvoiced, captured, paid, notPaid }) => [
        currency,
        orders,
        ...[placed, invoiced, drafted, notInvoiced, captured, paid, notPaid].map(({ amount }) => amount),
      ]),
      [
        ['EUR', 3, '33.00', '20.00', '10.00', '3.00', '20.00', '20.00', '0.00'],
        ['USD', 1, '7.00', '0.00', '0.00', '7.00', '0.00', '0.00', '0.00'],
      ],
    );
    assert.deepEqual(
      differences
        .map(({ orderId, kind, order, books, reason }) => [
          orderId === missed.id,
          kind,
          order.amount,
          books.amount,
          reason,
        ])
        .toSorted(),
      [
        [false, 'invoice', '7.00', '0.00', 'rate_missing'],
        [true, 'invoice', '3.00', '0.00', null],
      ],
    );
    assert.equal(differenceCount, 2);
    assert.deepEqual((await reconcile(context, { from: today, to: today, currency: 'USD' })).currencies.length, 1);
  });

  test('is of days in their order, at most a year', async () => {
    const context = await world.tenant();
    assert.equal((await refused(reconcile(context, { from: '2026-02-02', to: '2026-02-01' }))).code, 'invalid_request');
    assert.equal((await refused(reconcile(context, { from: '2024-01-01', to: '2026-02-01' }))).code, 'invalid_request');
    for (const from of ['0000-01-01', '1899-12-31', '2200-01-01', '2026-02-30'])
      assert.deepEqual(
        Object.keys(faults(await refused(reconcile(context, { from, to: '2026-02-02' })))),
        ['/from'],
        from,
      );
    const { costs, ...orders } = await reconcile(context, { from: '2020-01-01', to: '2020-12-31' });
    assert.deepEqual(orders, {
      from: '2020-01-01',
      to: '2020-12-31',
      currencies: [],
      differences: [],
      differenceCount: 0,
    });
    assert.deepEqual([costs.sold.amount, costs.differences, costs.differenceCount], ['0.00', [], 0]);
  });
});
