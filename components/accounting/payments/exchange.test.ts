import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { undoAllocation } from '../allocations/undo.ts';
import { balances, even, issued, newParty, paid } from '../fixtures/documents.ts';
import { createWorld, refusal, type World } from '../fixtures/world.ts';
import { recordEntry } from '../journal/record.ts';
import { posting } from '../journal/traits.ts';
import { importChart } from '../opening/import-chart.ts';
import { setRate } from '../rates/set.ts';
import { agedReport } from '../reports/aged.ts';
import { trialBalance } from '../reports/trial-balance.ts';
import { revalue } from '../subledger/revalue.ts';
import { getPayment } from './get.ts';

describe('payments in other currencies', () => {
  let world: World;
  before(async () => {
    world = await createWorld();
  });
  after(async () => world[Symbol.asyncDispose]());

  test('realise the gain or loss on exchange, so that the control account holds what is open', async () => {
    const books = await world.tenant();
    const ada = await newParty(books);
    await setRate(books, { currency: 'USD', day: '2026-03-01', rate: '0.90' });
    await setRate(books, { currency: 'USD', day: '2026-03-10', rate: '0.95' });
    const usd = { currency: 'USD' };
    const invoice = await issued(books, ada, '100.01', usd);
    assert.equal(invoice.baseTotal?.amount, '90.01');
    const bill = await issued(books, ada, '', {
      ...usd,
      kind: 'bill',
      lines: [{ description: 'x', quantity: '1', unitPrice: '200', account: '6100' }],
    });
    // A third of it: 33.34 at 0.95 is 31.67; 90.01 × 33.34 / 100.01 is 30.0067…: 30.01. A gain of 1.66.
    const part = await paid(books, ada, '33.34', { [invoice.id]: '33.34' }, usd);
    assert.equal((await balances(books, '2026-03-31'))['4950'], '-1.66');
    await even(books, '2026-03-31');
    // The rest: 66.67 at 0.95 is 63.34 against 60.00: a gain of 3.34, and nothing is left.
    await paid(books, ada, '66.67', { [invoice.id]: '66.67' }, usd);
    // The bill at 0.90 is 180.00, paid with 190.00: a loss of 10.00.
    await paid(books, ada, '200.00', { [bill.id]: '200.00' }, { ...usd, direction: 'made' });
    const { open } = await even(books, '2026-03-31');
    assert.deepEqual([open.receivable, open.payable], [0n, 0n]);
    assert.equal((await balances(books, '2026-03-31'))['4950'], '5.00');
    // Taken back, the difference is undone with it.
    const [allocation] = (await getPayment(books, { id: part.id })).allocations;
    const undone = await undoAllocation(books, { id: allocation?.id ?? '', date: '2026-04-02' });
    assert.equal(undone.entries.length, 1);
    assert.deepEqual((await even(books, '2026-04-02')).open.receivable, 3_001n - 3_167n);
    assert.equal((await even(books, '2026-04-01')).open.receivable, 0n);
    assert.equal((await balances(books, '2026-04-30'))['4950'], '6.66');
    assert.equal(await refusal(undoAllocation(books, { id: allocation?.id ?? '' })), 'not_allocated');
  });

  test('take a rate of their own, and settle documents of different rates at once', async () => {
    const books = await world.tenant({ currency: 'JPY' });
    const ada = await newParty(books);
    await setRate(books, { currency: 'KWD', day: '2026-03-01', rate: '480.5' });
    const one = await issued(books, ada, '1.234', { currency: 'KWD' });
    await setRate(books, { currency: 'KWD', day: '2026-03-03', rate: '510' });
    const two = await issued(books, ada, '2.001', { currency: 'KWD', issueDate: '2026-03-03' });
    assert.deepEqual([one.baseTotal?.amount, two.baseTotal?.amount], ['593', '1021']);
    const changes = { currency: 'KWD', rate: '500.25' };
    await paid(books, ada, '3.300', { [one.id]: '1.234', [two.id]: '2.001' }, changes);
    const { open } = await even(books, '2026-03-31');
    // 3.300 × 500.25 is 1651 (rounded up); 1.234 takes 617 of it and 2.001 takes 1001; 33 are left of 0.065.
    assert.equal(open.receivable, -33n);
    assert.equal((await balances(books, '2026-03-31'))['4950'], '-4');
  });

  test('and documents that are open are valued at a closing rate for that day', async () => {
    const books = await world.tenant();
    const ada = await newParty(books);
    await setRate(books, { currency: 'USD', day: '2026-03-01', rate: '0.90' });
    await setRate(books, { currency: 'USD', day: '2026-03-31', rate: '0.80' });
    const invoice = await issued(books, ada, '100', { currency: 'USD' });
    await issued(books, ada, '', {
      kind: 'bill',
      currency: 'USD',
      lines: [{ description: 'x', quantity: '1', unitPrice: '30', account: '6100' }],
    });
    await paid(books, ada, '20.00', {}, { currency: 'USD' });
    const done = await revalue(books, { day: '2026-03-31' });
    assert.deepEqual([done.items, done.entries.map(({ date }) => date)], [3, ['2026-03-31', '2026-04-01']]);
    const closing = await even(books, '2026-03-31');
    assert.deepEqual([closing.open.receivable, closing.open.payable], [6_400n, 2_400n]);
    // 100 − 20 lost 8.00, 30 owed gained 3.00.
    assert.equal((await balances(books, '2026-03-31'))['4950'], '5.00');
    assert.equal((await agedReport(books, { side: 'receivable', asOf: '2026-03-31' })).total.amount, '64.00');
    const next = await even(books, '2026-04-01');
    assert.deepEqual([next.open.receivable, next.open.payable], [7_200n, 2_700n]);
    assert.equal((await revalue(books, { day: '2026-03-31' })).id, null, 'nothing changed since');
    // A payment that comes to light afterwards; again, and only what changed is posted.
    await paid(books, ada, '100.00', { [invoice.id]: '100.00' }, { currency: 'USD', date: '2026-03-30' });
    await even(books, '2026-03-31');
    const several = await Promise.all([1, 2, 3].map(async () => revalue(books, { day: '2026-03-31' })));
    assert.equal(several.filter(({ id }) => id !== null).length, 1);
    assert.equal((await even(books, '2026-03-31')).open.receivable, -1_600n);
    await even(books, '2026-04-01');
  });

  test('and what a person approves of that is the same each time it is shown', async () => {
    const shown: unknown[] = [];
    for (let time = 0; time < 2; time += 1) {
      const books = await world.tenant();
      const ada = await newParty(books);
      await setRate(books, { currency: 'USD', day: '2026-03-01', rate: '0.90' });
      await setRate(books, { currency: 'USD', day: '2026-03-31', rate: '0.80' });
      await issued(books, ada, '100', { currency: 'USD' });
      const { entries } = posting.preview(await revalue(books, { day: '2026-03-31' }));
      const lines = entries.flatMap((entry) =>
        entry.lines.map(({ code, debit, credit, base }) => ({ code, debit, credit, base })),
      );
      shown.push([entries.map(({ date, kind, currency, rate }) => ({ date, kind, currency, rate })), lines]);
    }
    assert.deepEqual(shown[0], shown[1]);
  });

  test('what a bank account holds in another currency is valued too, and taken back the next day', async () => {
    const books = await world.tenant();
    await importChart(books, { content: 'code,name,type,currency\n1010,Dollars,bank,USD\n' });
    await setRate(books, { currency: 'USD', day: '2026-03-01', rate: '0.90' });
    await setRate(books, { currency: 'USD', day: '2026-03-20', rate: '0.95' });
    await recordEntry(books, {
      date: '2026-03-02',
      currency: 'USD',
      narration: 'Sold for dollars',
      lines: [
        { account: '1010', debit: '600.00' },
        { account: '4000', credit: '600.00' },
      ],
    });
    const held = async (day: string): Promise<string | undefined> =>
      (await trialBalance(books, { asOf: day })).rows.find(({ code }) => code === '1010')?.debit?.amount;
    assert.equal((await revalue(books, { day: '2026-03-31' })).items, 1);
    assert.deepEqual([await held('2026-03-31'), await held('2026-04-01')], ['570.00', '540.00']);
    assert.equal((await revalue(books, { day: '2026-03-31' })).id, null);
    assert.equal((await revalue(books, { day: '2026-04-15' })).items, 1);
    assert.deepEqual([await held('2026-04-15'), await held('2026-04-16')], ['570.00', '540.00']);
  });

  test('go to an account of their currency or of the base currency, so that no balance is written off as exchange', async () => {
    const books = await world.tenant();
    await importChart(books, { content: 'code,name,type,currency\n1010,Dollars,bank,USD\n' });
    await setRate(books, { currency: 'USD', day: '2026-03-01', rate: '0.90' });
    const ada = await newParty(books);
    const eur = { account: '1010', currency: 'EUR' };
    assert.equal(await refusal(paid(books, ada, '90.00', {}, eur)), 'account_unusable');
    await paid(books, ada, '100.00', {}, { account: '1010', currency: 'USD' });
    await paid(books, ada, '100.00', {}, { account: '1000', currency: 'USD' });
    assert.equal((await balances(books, '2026-03-31'))['1010'], '90.00');
  });
});
