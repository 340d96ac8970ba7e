import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { TenantContext } from '@steward/sql';
import { issued, newParty, paid } from '../fixtures/documents.ts';
import { createWorld, type World } from '../fixtures/world.ts';
import { recordEntry } from '../journal/record.ts';
import { reverseEntry } from '../journal/reverse.ts';
import { closeYear } from '../periods/close-year.ts';
import { createTax } from '../taxes/create.ts';
import { cashFlow } from './cash-flow.ts';
import { balanceSheet, profitAndLoss } from './statements.ts';
import { taxLiability } from './tax-liability.ts';
import { trialBalance } from './trial-balance.ts';

/** 120.00 with tax in December, paid by 33.33, 33.33 and 53.34; a bill of 60.00 paid in January; 25.00 that are for nothing yet. */
describe('books on the cash basis, to the cent', () => {
  let world: World;
  let books: TenantContext;
  before(async () => {
    world = await createWorld();
    books = await world.tenant();
    const vat = (await createTax(books, { name: 'VAT 20', percentage: '20' })).id;
    const party = await newParty(books, { name: 'Both' });
    await recordEntry(books, {
      date: '2025-12-01',
      currency: 'EUR',
      narration: 'Capital',
      lines: [
        { account: '1000', debit: '1000.00' },
        { account: '3000', credit: '1000.00' },
      ],
    });
    const line = (unitPrice: string, account: string) => [
      { description: 'x', quantity: '1', unitPrice, account, taxId: vat },
    ];
    const invoice = await issued(books, party, '', { issueDate: '2025-12-10', lines: line('100', '4000') });
    const bill = await issued(books, party, '', {
      kind: 'bill',
      supplierNumber: 'B-1',
      issueDate: '2025-12-15',
      lines: line('50', '6100'),
    });
    await paid(books, party, '33.33', { [invoice.id]: '33.33' }, { date: '2025-12-20' });
    await paid(books, party, '33.33', { [invoice.id]: '33.33' }, { date: '2026-01-10' });
    await paid(books, party, '60.00', { [bill.id]: '60.00' }, { direction: 'made', date: '2026-01-20' });
    await paid(books, party, '25.00', {}, { date: '2026-01-25' });
    await paid(books, party, '53.34', { [invoice.id]: '53.34' }, { date: '2026-02-10' });
    // On the accrual basis 50.00 are carried to retained earnings.
    await closeYear(books, { day: '2025-12-31' });
  });
  after(async () => world[Symbol.asyncDispose]());

  const sheet = async (asOf: string, basis: 'accrual' | 'cash'): Promise<string[]> => {
    const { sections, result } = await balanceSheet(books, { asOf, basis });
    assert.equal(result.amount, '0.00');
    return sections.flatMap(({ lines, total }) => [
      ...lines.map(({ code, name, amount }) => `${code === '' ? name : code} ${amount.amount}`),
      `= ${total.amount}`,
    ]);
  };

  test('the balance sheet holds what was paid, and a closed year carries what it made on this basis', async () => {
    assert.deepEqual(await sheet('2025-12-31', 'accrual'), [
      '1000 1033.33',
      '1100 86.67',
      '1350 10.00',
      '= 1130.00',
      '2000 60.00',
      '2200 20.00',
      '= 80.00',
      '3000 1000.00',
      '3900 50.00',
      '= 1050.00',
    ]);
    assert.deepEqual(await sheet('2025-12-31', 'cash'), [
      '1000 1033.33',
      '= 1033.33',
      '2200 5.56',
      '= 5.56',
      '3000 1000.00',
      '3900 27.77',
      '= 1027.77',
    ]);
    assert.deepEqual(await sheet('2026-01-31', 'cash'), [
      '1000 1031.66',
      '1100 -25.00',
      '1350 10.00',
      '= 1016.66',
      '2200 11.11',
      '= 11.11',
      '3000 1000.00',
      '3900 27.77',
      'Current earnings -22.22',
      '= 1005.55',
    ]);
  });

  test('the trial balance is even, and stands beside another day', async () => {
    const { rows, debit, credit, compared } = await trialBalance(books, {
      asOf: '2026-01-31',
      basis: 'cash',
      compareAsOf: '2025-12-31',
    });
    assert.deepEqual(
      rows.map((row) => [
        row.code,
        row.debit?.amount ?? '',
        row.credit?.amount ?? '',
        row.comparedDebit?.amount ?? '',
        row.comparedCredit?.amount ?? '',
      ]),
      [
        ['1000', '1031.66', '', '1033.33', ''],
        ['1100', '', '25.00', '', ''],
        ['1350', '10.00', '', '', ''],
        ['2200', '', '11.11', '', '5.56'],
        ['3000', '', '1000.00', '', '1000.00'],
        ['3900', '', '27.77', '', '27.77'],
        ['4000', '', '27.78', '', ''],
        ['6100', '50.00', '', '', ''],
      ],
    );
    assert.deepEqual([debit.amount, credit.amount], ['1091.66', '1091.66']);
    assert.deepEqual([compared?.debit.amount, compared?.credit.amount], ['1033.33', '1033.33']);
  });

  test('what is settled in parts is income to the last cent once it is settled, and both bases agree then', async () => {
    const income = async (from: string, to: string): Promise<string | undefined> =>
      (await profitAndLoss(books, { from, to, basis: 'cash' })).sections[0]?.total.amount;
    assert.deepEqual(
      await Promise.all([
        income('2025-12-01', '2025-12-31'),
        income('2026-01-01', '2026-01-31'),
        income('2026-02-01', '2026-02-28'),
        income('2025-01-01', '2026-12-31'),
      ]),
      ['27.77', '27.78', '44.45', '100.00'],
    );
    const both = await Promise.all(
      (['cash', 'accrual'] as const).map(
        async (basis) => (await trialBalance(books, { asOf: '2026-02-28', basis })).debit,
      ),
    );
    // The year carried 27.77 on one basis and 50.00 on the other; what is owed is the same.
    assert.deepEqual(
      both.map(({ amount }) => amount),
      ['1145.00', '1095.00'],
    );
  });

  test('tax is due when it is paid, beside another period', async () => {
    const { rows, due, comparedDue } = await taxLiability(books, {
      from: '2026-01-01',
      to: '2026-01-31',
      compareFrom: '2025-12-01',
      compareTo: '2025-12-31',
      basis: 'cash',
    });
    assert.deepEqual(
      rows.map((row) => [
        row.salesNet.amount,
        row.salesTax.amount,
        row.purchasesNet.amount,
        row.purchasesTax.amount,
        row.compared?.salesNet.amount,
        row.compared?.salesTax.amount,
        row.compared?.purchasesTax.amount,
      ]),
      [['27.77', '5.55', '50.00', '10.00', '27.78', '5.56', '0.00']],
    );
    assert.deepEqual([due.amount, comparedDue?.amount], ['-4.45', '5.56']);
    const accrual = await taxLiability(books, { from: '2025-12-01', to: '2025-12-31' });
    assert.equal(accrual.due.amount, '10.00');
  });

  test('a cash flow stands beside that of another period, with accounts that only one of them moved', async () => {
    const flow = await cashFlow(books, {
      from: '2026-01-01',
      to: '2026-01-31',
      compareFrom: '2025-12-01',
      compareTo: '2025-12-31',
    });
    assert.deepEqual(
      flow.sections.flatMap(({ lines }) =>
        lines.map(({ code, amount, compared }) => `${code} ${amount.amount} ${compared?.amount}`),
      ),
      ['1100 58.33 33.33', '2000 -60.00 0.00', '3000 0.00 1000.00'],
    );
    assert.deepEqual(
      [flow.opening, flow.closing, flow.comparedOpening, flow.comparedClosing].map((one) => one?.amount),
      ['1033.33', '1031.66', '0.00', '1033.33'],
    );
  });

  test('a cash flow takes opening balances for what they are, whenever they were entered or taken back', async () => {
    const own = await world.tenant();
    const enter = async (date: string, amount: string) =>
      recordEntry(
        own,
        {
          date,
          currency: 'EUR',
          narration: 'Opening balances',
          lines: [
            { account: '1000', debit: amount },
            { account: '3000', credit: amount },
          ],
        },
        'opening',
      );
    await enter('2026-01-01', '500.00');
    const wrong = await enter('2026-01-05', '70.00');
    await reverseEntry(own, { id: wrong.id, date: '2026-01-06', narration: 'Wrong' });
    await recordEntry(own, {
      date: '2026-01-10',
      currency: 'EUR',
      narration: 'Sale',
      lines: [
        { account: '1000', debit: '20.00' },
        { account: '4000', credit: '20.00' },
      ],
    });
    const flow = await cashFlow(own, {
      from: '2026-01-01',
      to: '2026-01-31',
      compareFrom: '2025-12-01',
      compareTo: '2026-01-05',
    });
    assert.deepEqual(
      [flow.opening, flow.closing, flow.comparedOpening, flow.comparedClosing].map((one) => one?.amount),
      ['500.00', '520.00', '570.00', '570.00'],
    );
    assert.deepEqual(
      flow.sections.flatMap(({ lines }) => lines.map(({ code, amount }) => [code, amount.amount])),
      [['4000', '20.00']],
    );
  });
});
