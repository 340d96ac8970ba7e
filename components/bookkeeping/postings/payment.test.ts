import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import type { TenantContext } from '@steward/sql';
import { placing } from '../fixtures/order.ts';
import { byDoor, createWorld, type World } from '../fixtures/world.ts';
import { updatePostingProfile } from '../profile/update.ts';
import { carryOutOrderPosting } from './carry-out-one.ts';

describe('what came in for an order', () => {
  let world: World;
  before(async () => {
    world = await createWorld();
  });
  after(async () => world[Symbol.asyncDispose]());

  const inMode = async (mode: string): Promise<TenantContext> => {
    const context = await world.tenant();
    await byDoor(updatePostingProfile)(context, { mode, clearingAccounts: [{ handler: 'manual', account: '1000' }] });
    return context;
  };
  const states = async (context: TenantContext) =>
    (await world.postings(context)).map(
      ({ kind, state, reason }) => `${kind} ${state}${reason === null ? '' : `: ${reason}`}`,
    );
  const list = async (context: TenantContext, name: string, of: string): Promise<Record<string, never>[]> =>
    (await world.books(context, name, {}))[of] as never;
  const noted = async (context: TenantContext, many: number): Promise<void> => {
    await using bus = world.bus();
    bus.start();
    while ((await world.postings(context)).length < many) await setTimeout(20);
  };

  test('pays its invoice on the account of its handler, also where it came before the order', async () => {
    const context = await inMode('post');
    const order = await world.paid(context, placing());
    await noted(context, 2);
    await Promise.all([world.work(), world.work()]);
    assert.deepEqual((await states(context)).toSorted(), ['invoice posted', 'payment posted']);
    const [invoice] = await list(context, 'service_list_documents', 'documents');
    assert.deepEqual([invoice?.['status'], invoice?.['open']], ['paid', { amount: '0.00', currency: 'EUR' }]);
    const payments = await list(context, 'service_list_payments', 'payments');
    assert.deepEqual(
      payments.map(({ amount, reference, direction }) => [amount, reference, direction]),
      [[order.total, order.number, 'received']],
    );
    const { accounts } = await world.books(context, 'service_list_accounts', {});
    const bank = (accounts as unknown as { id: string; code: string }[]).find(({ code }) => code === '1000');
    assert.equal(payments[0]?.['accountId'], bank?.id);
    assert.deepEqual(await world.told(), []);
  });

  test('waits for the invoice, and is left to people where the profile posts nothing by itself', async () => {
    const context = await inMode('drafts');
    await world.paid(context, placing());
    await noted(context, 2);
    await world.work();
    assert.deepEqual((await states(context)).toSorted(), ['invoice drafted', 'payment waiting: invoice_not_issued']);
    const all = await world.postings(context);
    for (const kind of ['invoice', 'payment']) {
      const postingId = all.find((one) => one.kind === kind)?.id ?? '';
      await carryOutOrderPosting(context, { postingId }, world.ports);
      await world.work();
      if (kind === 'invoice')
        assert.deepEqual((await states(context)).toSorted(), ['invoice posted', 'payment waiting: people_post']);
    }
    assert.deepEqual((await states(context)).toSorted(), ['invoice posted', 'payment posted']);
    assert.equal((await list(context, 'service_list_payments', 'payments')).length, 1);
    assert.deepEqual(await world.told(), []);
  });

  test('is posted once people let the profile post', async () => {
    const context = await inMode('drafts');
    await world.paid(context, placing());
    await noted(context, 2);
    await world.work();
    const [invoice] = await list(context, 'service_list_documents', 'documents');
    await world.books(context, 'service_issue_document', { documentId: invoice?.['id'] });
    await byDoor(updatePostingProfile)(context, { mode: 'post' });
    await using bus = world.bus();
    bus.start();
    while ((await states(context)).toSorted().join() !== 'invoice posted,payment posted') {
      await world.work();
      await setTimeout(20);
    }
    assert.equal((await list(context, 'service_list_documents', 'documents'))[0]?.['status'], 'paid');
  });

  test('of tests is nothing to the books', async () => {
    const context = await inMode('post');
    await world.paid(context, placing({ mode: 'test' }));
    await world.paid(context, placing());
    await noted(context, 2);
    await world.work();
    assert.equal((await list(context, 'service_list_payments', 'payments')).length, 1);
  });
});
