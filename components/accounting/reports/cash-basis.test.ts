import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { allocateCredit } from '../allocations/make.ts';
import { undoAllocation } from '../allocations/undo.ts';
import { issued, newParty, paid } from '../fixtures/documents.ts';
import { createWorld, type World } from '../fixtures/world.ts';
import { recordEntry } from '../journal/record.ts';
import { createTax } from '../taxes/create.ts';
import { profitAndLoss } from './statements.ts';

describe('profit and loss on the cash basis', () => {
  let world: World;
  before(async () => {
    world = await createWorld();
  });
  after(async () => world[Symbol.asyncDispose]());

  test('counts documents when and as far as they are settled, and all else on its day', async () => {
    const books = await world.tenant();
    const vat = (await createTax(books, { name: 'VAT 20', percentage: '20' })).id;
    const party = await newParty(books, { name: 'Both' });
    const line = (unitPrice: string, account: string) => ({
      description: 'x',
      quantity: '1',
      unitPrice,
      account,
      taxId: vat,
    });
    // 800 and 200 without tax, 1200 with it; half of it is paid in April.
    const invoice = await issued(books, party, '', {
      issueDate: '2026-03-05',
      lines: [line('800', '4000'), line('200', '4010')],
    });
    const bill = await issued(books, party, '', {
      kind: 'bill',
      supplierNumber: 'B-1',
      issueDate: '2026-03-06',
      lines: [line('100', '6100')],
    });
    await recordEntry(books, {
      date: '2026-03-07',
      currency: 'EUR',
      narration: 'Fee',
      lines: [
        { account: '6900', debit: '5.00' },
        { account: '1000', credit: '5.00' },
      ],
    });
    const result = async (from: string, to: string, basis: 'accrual' | 'cash'): Promise<string[]> => {
      const { sections, result: profit } = await profitAndLoss(books, { from, to, basis });
      return [
        ...sections.flatMap(({ lines }) => lines.map(({ code, amount }) => `${code} ${amount.amount}`)),
        profit.amount,
      ];
    };
    assert.deepEqual(await result('2026-03-01', '2026-03-31', 'accrual'), [
      '4000 800.00',
      '4010 200.00',
      '6100 100.00',
      '6900 5.00',
      '895.00',
    ]);
    assert.deepEqual(await result('2026-03-01', '2026-03-31', 'cash'), ['6900 5.00', '-5.00']);
    await paid(books, party, '600.00', { [invoice.id]: '600.00' }, { date: '2026-04-02' });
    await paid(books, party, '120.00', { [bill.id]: '120.00' }, { direction: 'made', date: '2026-05-02' });
    assert.deepEqual(await result('2026-04-01', '2026-04-30', 'cash'), ['4000 400.00', '4010 100.00', '500.00']);
    assert.deepEqual(await result('2026-05-01', '2026-05-31', 'cash'), ['6100 100.00', '-100.00']);
    // The rest is credited: what the credit note settles is no income.
    const note = await issued(books, party, '', {
      kind: 'credit_note',
      credits: invoice.id,
      issueDate: '2026-06-01',
      lines: [line('400', '4000'), line('100', '4010')],
    });
    const { allocations } = await allocateCredit(books, {
      creditId: note.id,
      date: '2026-06-02',
      allocations: [{ itemId: invoice.id, amount: '600.00' }],
    });
    assert.deepEqual(await result('2026-06-01', '2026-06-30', 'cash'), ['0.00']);
    assert.deepEqual(
      await result('2026-01-01', '2026-12-31', 'cash'),
      await result('2026-01-01', '2026-12-31', 'accrual'),
    );
    await undoAllocation(books, { id: allocations[0]?.id ?? '', date: '2026-07-01' });
    assert.deepEqual(await result('2026-07-01', '2026-07-31', 'cash'), ['0.00']);
  });
});
