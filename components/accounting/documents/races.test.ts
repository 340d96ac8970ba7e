import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { allocateCredit } from '../allocations/make.ts';
import { documentOf, even, issued, issuing, newParty, paid, paymentOf } from '../fixtures/documents.ts';
import { createWorld, refusal, type World } from '../fixtures/world.ts';
import { getPayment } from '../payments/get.ts';
import { recordPayment } from '../payments/record.ts';
import { createDocument } from './create.ts';
import { getDocument } from './get.ts';
import { issueDocument } from './issue.ts';
import { updateDocument } from './update.ts';
import { voidDocument } from './void.ts';

const nothing = 'nothing was refused';

describe('a document that many want at once', () => {
  let world: World;
  before(async () => {
    world = await createWorld();
  });
  after(async () => world[Symbol.asyncDispose]());

  test('is numbered without holes when many are issued at once, and what fails takes no number', async () => {
    const books = await world.tenant();
    const ada = await newParty(books);
    const drafts = await Promise.all(
      Array.from({ length: 24 }, async (_each, index) =>
        createDocument(books, documentOf(ada, '1', index < 20 ? {} : { currency: 'USD' })),
      ),
    );
    const numbers = await Promise.all(
      drafts.map(async ({ id }) =>
        issueDocument(books, { id }, issuing).then(
          ({ document }) => document.number,
          () => undefined,
        ),
      ),
    );
    const taken = numbers.filter((number) => number !== undefined).toSorted();
    assert.deepEqual(
      taken,
      Array.from({ length: 20 }, (_each, index) => `INV-${String(index + 1).padStart(5, '0')}`),
    );
    assert.equal((await even(books, '2026-03-31')).open.receivable, 2_000n);
  });

  test('is issued once, and as one or the other of two that change and issue it', async () => {
    const books = await world.tenant();
    const ada = await newParty(books);
    for (let round = 0; round < 4; round += 1) {
      const { id } = await createDocument(books, documentOf(ada, '1'));
      const { kind: _kind, ...content } = documentOf(ada, '2');
      const outcomes = await Promise.all([
        refusal(updateDocument(books, { ...content, id, version: 1 })),
        refusal(issueDocument(books, { id, version: 1 }, issuing)),
        refusal(issueDocument(books, { id, version: 1 }, issuing)),
      ]);
      const done = await getDocument(books, { id });
      assert.equal(outcomes.filter((one) => one === nothing).length, 1, outcomes.join());
      assert.equal(done.total.amount, done.status === 'draft' ? '2.00' : '1.00');
    }
    await even(books, '2026-03-31');
  });

  test('is never paid more than it asks, whoever pays at the same time, nor paid and voided', async () => {
    const books = await world.tenant();
    const ada = await newParty(books);
    const invoice = await issued(books, ada, '100');
    const outcomes = await Promise.all(
      Array.from({ length: 6 }, async () =>
        refusal(recordPayment(books, paymentOf(ada, '40.00', { [invoice.id]: '40.00' }))),
      ),
    );
    assert.deepEqual(outcomes.toSorted(), [nothing, nothing, ...Array.from({ length: 4 }, () => 'over_allocated')]);
    assert.equal((await getDocument(books, { id: invoice.id })).open?.amount, '20.00');
    for (let round = 0; round < 4; round += 1) {
      const other = await issued(books, ada, '10');
      const credit = await paid(books, ada, '10.00');
      const allocations = [{ itemId: other.id, amount: '10.00' }];
      const pair = await Promise.all([
        refusal(voidDocument(books, { id: other.id, date: '2026-03-10' })),
        refusal(allocateCredit(books, { creditId: credit.id, date: '2026-03-10', allocations })),
      ]);
      assert.ok(
        ['nothing was refused,over_allocated', 'allocated,nothing was refused'].includes(pair.join()),
        pair.join(),
      );
      assert.equal((await getPayment(books, { id: credit.id })).open.amount, pair[1] === nothing ? '0.00' : '10.00');
    }
    await even(books, '2026-03-31');
  });
});
