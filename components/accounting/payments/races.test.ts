import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { allocateCredit } from '../allocations/make.ts';
import { undoAllocation } from '../allocations/undo.ts';
import { createDocument } from '../documents/create.ts';
import { issueDocument } from '../documents/issue.ts';
import { documentOf, even, issued, issuing, newParty, paid, paymentOf } from '../fixtures/documents.ts';
import { createWorld, refusal, type World } from '../fixtures/world.ts';
import { recordEntry } from '../journal/record.ts';
import { closeMonth } from '../periods/close.ts';
import { setRate } from '../rates/set.ts';
import { revalue } from '../subledger/revalue.ts';
import { getPayment } from './get.ts';
import { recordPayment } from './record.ts';
import { voidPayment } from './void.ts';

const nothing = 'nothing was refused';

describe('payments that come at once', () => {
  let world: World;
  before(async () => {
    world = await createWorld();
  });
  after(async () => world[Symbol.asyncDispose]());

  test('with exchange differences, journal entries, issues and a revaluation, wait for one another and all succeed', async () => {
    const books = await world.tenant();
    const ada = await newParty(books);
    await setRate(books, { currency: 'USD', day: '2026-03-01', rate: '0.9' });
    await setRate(books, { currency: 'USD', day: '2026-03-05', rate: '0.95' });
    const invoices = await Promise.all(
      Array.from({ length: 8 }, async () => issued(books, ada, '10', { currency: 'USD' })),
    );
    const drafts = await Promise.all(
      Array.from({ length: 4 }, async () => createDocument(books, documentOf(ada, '5'))),
    );
    const entry = {
      date: '2026-03-11',
      currency: 'EUR',
      narration: 'Bank rounding',
      lines: [
        { account: '4950', debit: '0.01' },
        { account: '1000', credit: '0.01' },
      ],
    };
    const outcomes = await Promise.all([
      ...invoices.map(async ({ id }) =>
        refusal(recordPayment(books, paymentOf(ada, '10.00', { [id]: '10.00' }, { currency: 'USD' }))),
      ),
      ...Array.from({ length: 8 }, async () => refusal(recordEntry(books, entry))),
      ...drafts.map(async ({ id }) => refusal(issueDocument(books, { id }, issuing))),
      refusal(revalue(books, { day: '2026-03-31' })),
    ]);
    assert.deepEqual(new Set(outcomes), new Set([nothing]));
    for (const day of ['2026-03-10', '2026-03-31', '2026-04-01']) await even(books, day);
  });

  test('to be taken back, voided or used again are one of these', async () => {
    const books = await world.tenant();
    const ada = await newParty(books);
    for (let round = 0; round < 4; round += 1) {
      const invoice = await issued(books, ada, '10');
      const { id, allocations } = await paid(books, ada, '10.00', { [invoice.id]: '10.00' });
      const allocation = allocations[0]?.id ?? '';
      const undone = await Promise.all(
        Array.from({ length: 4 }, async () => refusal(undoAllocation(books, { id: allocation }))),
      );
      assert.deepEqual(undone.toSorted(), ['not_allocated', 'not_allocated', 'not_allocated', nothing]);
      const again = { creditId: id, date: '2026-03-10', allocations: [{ itemId: invoice.id, amount: '10.00' }] };
      const outcomes = await Promise.all([
        refusal(voidPayment(books, { id })),
        refusal(allocateCredit(books, again)),
        refusal(allocateCredit(books, again)),
      ]);
      assert.equal(outcomes.filter((one) => one === nothing).length, 1, outcomes.join());
      const { voidOn, open } = await getPayment(books, { id });
      assert.deepEqual([voidOn !== null, open.amount], [outcomes[0] === nothing, '0.00']);
    }
    await even(books, '2026-03-31');
  });

  test('do not get into a month that closes, allocations without an entry neither', async () => {
    const books = await world.tenant();
    const ada = await newParty(books);
    const invoices = await Promise.all(Array.from({ length: 8 }, async () => issued(books, ada, '10')));
    const credit = await paid(books, ada, '80.00');
    const tries = invoices.map(async ({ id }) =>
      refusal(
        allocateCredit(books, {
          creditId: credit.id,
          date: '2026-03-15',
          allocations: [{ itemId: id, amount: '10.00' }],
        }),
      ),
    );
    const closed = closeMonth(books, { month: '2026-03-01' });
    const outcomes = await Promise.all(tries);
    await closed;
    assert.ok(
      outcomes.every((one) => one === nothing || one === 'period_closed'),
      outcomes.join(),
    );
    const used = outcomes.filter((one) => one === nothing).length;
    assert.equal((await getPayment(books, { id: credit.id })).open.amount, `${(8 - used) * 10}.00`);
    assert.equal(await refusal(recordPayment(books, paymentOf(ada, '1.00'))), 'period_closed');
  });
});
