import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { TenantContext } from '@steward/sql';
import { goodsOf } from '../fixtures/goods.ts';
import { byDoor, createWorld, type World } from '../fixtures/world.ts';
import { carryOutOrderPosting } from '../postings/carry-out-one.ts';
import { updatePostingProfile } from '../profile/update.ts';
import { reconcileOrders } from './reconcile.ts';

const today = new Date().toISOString().slice(0, 10);

describe('the reconciliation of goods', () => {
  let world: World;
  before(async () => {
    world = await createWorld();
  });
  after(async () => world[Symbol.asyncDispose]());
  const change = byDoor(updatePostingProfile);
  const costs = async (context: TenantContext) =>
    (await byDoor(reconcileOrders)(context, { from: today, to: today })).costs;
  const sums = async (context: TenantContext) => {
    const { sold, lost, posted, drafted, notPosted } = await costs(context);
    return [sold, lost, posted, drafted, notPosted].map(({ amount }) => amount);
  };
  const stock = async (context: TenantContext) => {
    const { value, balance, difference, billed, broughtIn, notPosted } = (await costs(context)).stock;
    return [value, balance, difference, billed, broughtIn, notPosted].map(({ amount }) => amount);
  };
  const hear = async (context: TenantContext) => {
    for (const one of await goodsOf(world, context).news()) await world.tell(context, 'commerce.stock.costed', one);
    await world.work();
  };

  test('tells what the movements say and what is posted, drafts as drafts, and each that differs', async () => {
    const context = await world.tenant();
    const goods = goodsOf(world, context);
    const order = await goods.bought(3);
    const variantId = order.lines[0]?.variantId ?? '';
    await goods.adjust(variantId, 4, 'received', '10.00');
    await goods.send(order, 2);
    // Nobody has told the books yet.
    assert.deepEqual(await sums(context), ['5.00', '0.00', '0.00', '0.00', '5.00']);
    const [unheard] = (await costs(context)).differences;
    assert.deepEqual([unheard?.sourceKind, unheard?.cost.amount, unheard?.postingId], ['fulfilment', '5.00', null]);
    await hear(context);
    assert.deepEqual(await sums(context), ['5.00', '0.00', '0.00', '5.00', '0.00']);
    assert.equal((await costs(context)).differenceCount, 0);
    assert.deepEqual(await stock(context), ['5.00', '0.00', '-5.00', '0.00', '10.00', '5.00']);
    await change(context, { mode: 'post' });
    await goods.adjust(variantId, -1, 'lost');
    await hear(context);
    assert.deepEqual(await sums(context), ['5.00', '2.50', '5.00', '2.50', '0.00']);
    for (const { id, reason } of await world.postings(context))
      if (reason === 'people_post') await carryOutOrderPosting(context, { postingId: id }, world.ports);
    assert.deepEqual(await sums(context), ['5.00', '2.50', '7.50', '0.00', '0.00']);
    assert.deepEqual(await stock(context), ['2.50', '-7.50', '-10.00', '0.00', '10.00', '0.00']);
    // The bill of the supplier, of which a part is freight.
    await world.books(context, 'service_post_journal_entry', {
      date: today,
      currency: 'EUR',
      narration: 'Bill of the supplier',
      lines: [
        { account: '1200', debit: '9.00' },
        { account: '5100', debit: '1.00' },
        { account: '2300', credit: '10.00' },
      ],
    });
    assert.deepEqual(await stock(context), ['2.50', '1.50', '-1.00', '9.00', '10.00', '0.00']);
  });

  test('shows an entry that somebody reversed, and goods that wait for an account', async () => {
    const context = await world.tenant();
    const goods = goodsOf(world, context);
    await change(context, { mode: 'post' });
    const order = await goods.bought();
    await goods.adjust(order.lines[0]?.variantId ?? '', 1, 'received', '7.00');
    await goods.send(order, 1);
    await hear(context);
    const [own] = await world.postings(context);
    await world.books(context, 'service_reverse_journal_entry', {
      entryId: own?.entryId,
      date: today,
      narration: 'Wrong.',
    });
    assert.deepEqual(await sums(context), ['7.00', '0.00', '0.00', '0.00', '7.00']);
    const { differences } = await costs(context);
    assert.deepEqual(
      differences.map(({ orderId, state, cost, books }) => [orderId, state, cost.amount, books.amount]),
      [[order.id, 'posted', '7.00', '0.00']],
    );
    assert.deepEqual(await stock(context), ['0.00', '0.00', '0.00', '0.00', '7.00', '7.00']);

    const services = await world.tenant({ persona: 'services' });
    const others = goodsOf(world, services);
    await change(services, { mode: 'post' });
    const sold = await others.bought();
    await others.adjust(sold.lines[0]?.variantId ?? '', 1, 'received', '7.00');
    await others.send(sold, 1);
    await hear(services);
    const told = await costs(services);
    assert.deepEqual([told.stock.account, told.differences[0]?.reason], [null, 'posting_account_missing']);
    assert.deepEqual(await sums(services), ['7.00', '0.00', '0.00', '0.00', '7.00']);
  });
});
