import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { voidDocument } from '../documents/void.ts';
import { issued, newParty } from '../fixtures/documents.ts';
import { createWorld, type World } from '../fixtures/world.ts';
import { setRate } from '../rates/set.ts';
import { createTax } from '../taxes/create.ts';
import { taxLiability } from './tax-liability.ts';

describe('tax liability', () => {
  let world: World;
  before(async () => {
    world = await createWorld();
  });
  after(async () => world[Symbol.asyncDispose]());

  test('counts sales and purchases by rate in the base currency, less credits, without what was voided', async () => {
    const books = await world.tenant();
    await setRate(books, { currency: 'USD', day: '2026-01-01', rate: '0.5' });
    const vat = (await createTax(books, { name: 'VAT 20', percentage: '20' })).id;
    const party = await newParty(books, { name: 'Both' });
    const document = async (
      kind: 'invoice' | 'credit_note' | 'bill',
      unitPrice: string,
      issueDate: string,
      currency = 'EUR',
    ) =>
      issued(books, party, '', {
        kind,
        issueDate,
        currency,
        ...(kind === 'bill' ? { supplierNumber: `${issueDate}-${unitPrice}` } : {}),
        lines: [{ description: 'x', quantity: '1', unitPrice, account: kind === 'bill' ? '6100' : '4000', taxId: vat }],
      });
    await document('invoice', '1000', '2026-03-05');
    await document('invoice', '100', '2026-03-06', 'USD');
    await document('credit_note', '50', '2026-03-07');
    await document('bill', '300', '2026-03-08');
    await document('invoice', '999', '2026-04-01');
    const gone = await document('invoice', '77', '2026-03-09');
    await voidDocument(books, { id: gone.id, version: gone.version, date: '2026-03-10' });
    const { rows, due } = await taxLiability(books, { from: '2026-03-01', to: '2026-03-31' });
    assert.deepEqual(
      rows.map((row) => [
        row.name,
        row.percentage,
        row.salesNet.amount,
        row.salesTax.amount,
        row.purchasesNet.amount,
        row.purchasesTax.amount,
      ]),
      [['VAT 20', '20', '1000.00', '200.00', '300.00', '60.00']],
    );
    assert.equal(due.amount, '140.00');
    assert.deepEqual((await taxLiability(books, { from: '2020-01-01', to: '2020-12-31' })).rows, []);
  });
});
