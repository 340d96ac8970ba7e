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

  const codeOf = async (context: TenantContext, id: string | undefined): Promise<string> => {
    const all = await list(context, 'service_list_accounts', 'accounts');
    return all.find((one) => one['id'] === id)?.['code'] ?? '';
  };
  const onlyPayment = async (context: TenantContext, account: string): Promise<{ readonly day: string }> => {
    const [payment, ...others] = await list(context, 'service_list_payments', 'payments');
    assert.deepEqual([await codeOf(context, payment?.['accountId'] ?? ''), others.length], [account, 0]);
    return { day: payment?.['date'] ?? '' };
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

  test('by transfer is in the one bank of the books where nobody chose, and its line finds it there', async () => {
    const context = await world.tenant();
    await byDoor(updatePostingProfile)(context, { mode: 'post' });
    const order = await world.paid(context, placing(), 'bank_transfer');
    await noted(context, 2);
    await world.work();
    const { day } = await onlyPayment(context, '1000');
    const line = async (account: string): Promise<string> => {
      const content = `Date,Amount,Text\n${day},${order.total.amount},Order ${order.number}\n`;
      await world.books(context, 'service_import_bank_statement', { account, format: 'csv', content });
      const { lines } = await world.books(context, 'service_list_bank_lines', { account });
      return (lines as unknown as { id: string }[])[0]?.id ?? '';
    };
    const { suggestions } = await world.books(context, 'service_suggest_bank_matches', { lineId: await line('1000') });
    const [best] = suggestions as unknown as { kind: string; score: number }[];
    assert.equal(best?.kind, 'entry');
    assert.ok(best.score >= 80);
  });

  test('is not deposited yet where it was cash, or where two banks may have it, and is where statements come from', async () => {
    const context = await world.tenant();
    await byDoor(updatePostingProfile)(context, { mode: 'post' });
    const own = await world.books(context, 'service_import_chart_of_accounts', {
      content: 'code,name,type,currency\n1010,Giro,bank,EUR\n1260,Marketplace,bank,EUR\n',
    });
    assert.ok(own);
    const offered = ['invoice', 'bank_transfer', 'cash_on_delivery'].map((method) => ({ method }));
    await world.shop(context, 'service_update_payment_settings', { manualMethods: offered });
    const came = async (account: string): Promise<void> => {
      const content = `Date,Amount,Text\n2026-03-02,5.00,${account}\n`;
      await world.books(context, 'service_import_bank_statement', { account, format: 'csv', content });
    };
    const codes = new Map<string, string>();
    const goesTo = async (method: string): Promise<string | undefined> => {
      await world.paid(context, placing(), method);
      await noted(context, 2 * codes.size + 2);
      await world.work();
      const all = await list(context, 'service_list_payments', 'payments');
      const added = all.filter((one) => !codes.has(one['id'] ?? ''));
      assert.equal(added.length, 1);
      const code = await codeOf(context, added[0]?.['accountId'] ?? '');
      codes.set(added[0]?.['id'] ?? '', code);
      return code;
    };
    assert.equal(await goesTo('cash_on_delivery'), '1190');
    await came('1010');
    assert.equal(await goesTo('invoice'), '1010');
    await came('1260');
    assert.equal(await goesTo('invoice'), '1190');
    await byDoor(updatePostingProfile)(context, { clearingAccounts: [{ handler: 'marketplace', account: '1260' }] });
    assert.equal(await goesTo('bank_transfer'), '1010');
    await came('1000');
    assert.equal(await goesTo('bank_transfer'), '1190');
    await byDoor(updatePostingProfile)(context, { clearingAccounts: [{ handler: 'manual', account: '1250' }] });
    assert.equal(await goesTo('bank_transfer'), '1250');
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
