import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { allocateCredit } from '../allocations/make.ts';
import { balances, even, issued, newParty, paid } from '../fixtures/documents.ts';
import { createWorld, type World } from '../fixtures/world.ts';
import { closeMonth } from '../periods/close.ts';
import { agedItems, agedItemsOf, agedReport } from '../reports/aged.ts';
import { createTax } from '../taxes/create.ts';
import { getDocument } from './get.ts';
import { listDocuments } from './list.ts';

describe('a month of documents', () => {
  let world: World;
  before(async () => {
    world = await createWorld();
  });
  after(async () => world[Symbol.asyncDispose]());

  test('comes to what was computed by hand', async () => {
    const books = await world.tenant();
    const vat = (await createTax(books, { name: 'VAT 19', percentage: '19' })).id;
    const low = (await createTax(books, { name: 'VAT 7', percentage: '7.0000' })).id;
    const ada = await newParty(books, { name: 'Ada', termsDays: 14 });
    const bob = await newParty(books, { name: 'Bob' });
    // 3 × 33.33 = 99.99, tax 19.00; 2 × 4.99 = 9.98, tax 0.70: 129.67.
    const first = await issued(books, ada, '', {
      lines: [
        { description: 'Chairs', quantity: '3', unitPrice: '33.33', account: '4000', taxId: vat },
        { description: 'Books', quantity: '2', unitPrice: '4.99', account: '4010', taxId: low },
      ],
    });
    assert.deepEqual([first.number, first.status, first.total.amount], ['INV-00001', 'issued', '129.67']);
    assert.deepEqual([first.dueDate, first.baseTotal?.amount, first.rate], ['2026-03-16', '129.67', '1']);
    assert.deepEqual(
      first.taxes.map(({ name, net, tax }) => [name, net.amount, tax.amount]),
      [
        ['VAT 19', '99.99', '19.00'],
        ['VAT 7', '9.98', '0.70'],
      ],
    );
    // With tax in it: 1190.00 is 1000.00 and 190.00; 10 off in all is 8.40 and 1.60.
    const second = await issued(books, bob, '', {
      issueDate: '2026-03-05',
      pricing: 'inclusive',
      lines: [
        { description: 'Consulting', quantity: '1', unitPrice: '1190', account: '4000', taxId: vat },
        { description: 'Discount', quantity: '1', unitPrice: '-10', account: '4090', taxId: vat },
      ],
    });
    assert.deepEqual([second.net.amount, second.tax.amount, second.total.amount], ['991.60', '188.40', '1180.00']);
    // A bill of 500 and 95 tax; a supplier's credit of 50 and 9.50.
    const bill = await issued(books, bob, '', {
      kind: 'bill',
      supplierNumber: 'R-77',
      lines: [{ description: 'Rent', quantity: '1', unitPrice: '500', account: '6100', taxId: vat }],
    });
    const back = await issued(books, bob, '', {
      kind: 'supplier_credit',
      issueDate: '2026-03-08',
      credits: bill.id,
      lines: [{ description: 'Rent', quantity: '1', unitPrice: '50', account: '6100', taxId: vat }],
    });
    // A credit note of 33.33 and 6.33 on the first invoice.
    const note = await issued(books, ada, '', {
      kind: 'credit_note',
      issueDate: '2026-03-09',
      credits: first.id,
      lines: [{ description: 'A chair', quantity: '1', unitPrice: '33.33', account: '4000', taxId: vat }],
    });
    assert.deepEqual([bill.number, back.number, note.number], ['BILL-00001', 'SC-00001', 'CN-00001']);
    await paid(books, ada, '50.00', { [first.id]: '50.00' });
    await paid(books, bob, '600.00', { [bill.id]: '535.50' }, { direction: 'made', date: '2026-03-20' });
    await allocateCredit(books, {
      creditId: note.id,
      date: '2026-03-12',
      allocations: [{ itemId: first.id, amount: '39.66' }],
    });
    await allocateCredit(books, {
      creditId: back.id,
      date: '2026-03-21',
      allocations: [{ itemId: bill.id, amount: '59.50' }],
    });
    assert.deepEqual(
      [(await getDocument(books, { id: bill.id })).status, (await getDocument(books, { id: first.id })).open?.amount],
      ['paid', '40.01'],
    );
    // Receivable: 129.67 − 39.66 − 50 + 1180 = 1220.01. Payable: 595 − 59.50 − 600 = −64.50, which is owed back.
    assert.deepEqual(await balances(books, '2026-03-31'), {
      '1000': '-550.00',
      '1100': '1220.01',
      '1350': '85.50',
      '2000': '64.50',
      '2200': '-201.77',
      '4000': '-1066.66',
      '4010': '-9.98',
      '4090': '8.40',
      '6100': '450.00',
    });
    for (const day of ['2026-03-02', '2026-03-09', '2026-03-10', '2026-03-12', '2026-03-20', '2026-03-31'])
      await even(books, day);
    await closeMonth(books, { month: '2026-03-01' });

    const aged = await agedReport(books, { side: 'receivable', asOf: '2026-04-20' });
    assert.deepEqual(aged.total.amount, '1220.01');
    assert.deepEqual(
      aged.buckets.map(({ amount }) => amount),
      ['0.00', '1180.00', '40.01', '0.00', '0.00'],
    );
    assert.deepEqual(
      (await Array.fromAsync(agedItems(books, aged))).map(({ party: { name }, items }) => [
        name,
        items.map(({ number, days }) => [number, days]),
      ]),
      [
        ['Ada', [['INV-00001', 35]]],
        ['Bob', [['INV-00002', 16]]],
      ],
    );
    const owed = await agedReport(books, { side: 'payable', asOf: '2026-03-31' });
    assert.deepEqual(
      [owed.total.amount, (await agedItemsOf(books, owed, 1)).get(owed.parties[0]?.partyId ?? '')?.[0]?.open.amount],
      ['-64.50', '-64.50'],
    );
    assert.equal((await agedReport(books, { side: 'payable', asOf: '2026-03-09' })).total.amount, '535.50');
    const wanted = { status: 'issued', kind: 'invoice', lines: false, limit: 1 } as const;
    const open = await listDocuments(books, wanted);
    assert.deepEqual([open.items[0]?.number, open.nextCursor === null], ['INV-00002', false]);
    const next = await listDocuments(books, { ...wanted, cursor: open.nextCursor ?? '' });
    assert.deepEqual([next.items[0]?.number, next.nextCursor], ['INV-00001', null]);
  });

  test('where tax on purchases is not recovered, it is part of what was bought', async () => {
    const books = await world.tenant({ currency: 'USD' });
    const tax = (await createTax(books, { name: 'NYC', percentage: '8.875' })).id;
    const shop = await newParty(books);
    await issued(books, shop, '', {
      kind: 'bill',
      lines: [{ description: 'Paper', quantity: '1', unitPrice: '100', account: '6300', taxId: tax }],
    });
    assert.deepEqual(await balances(books, '2026-03-31'), { '2000': '-108.88', '6300': '108.88' });
  });
});
