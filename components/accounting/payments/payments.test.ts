import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Problem } from '@steward/kernel';
import { allocateCredit } from '../allocations/make.ts';
import { undoAllocation } from '../allocations/undo.ts';
import { getDocument } from '../documents/get.ts';
import { voidDocument } from '../documents/void.ts';
import { balances, even, issued, newParty, paid, paymentOf } from '../fixtures/documents.ts';
import { createWorld, refusal, type World } from '../fixtures/world.ts';
import { recordEntry } from '../journal/record.ts';
import { closeMonth } from '../periods/close.ts';
import { setRate } from '../rates/set.ts';
import { getPayment } from './get.ts';
import { listPayments } from './list.ts';
import { recordPayment } from './record.ts';
import { voidPayment } from './void.ts';

describe('payments', () => {
  let world: World;
  before(async () => {
    world = await createWorld();
  });
  after(async () => world[Symbol.asyncDispose]());

  test('pay in part, in full, and more than there is, which stays a credit for later', async () => {
    const books = await world.tenant();
    const ada = await newParty(books);
    const one = await issued(books, ada, '100');
    const two = await issued(books, ada, '50');
    await paid(books, ada, '30.00', { [one.id]: '30.00' });
    assert.deepEqual(
      [(await getDocument(books, { id: one.id })).status, (await getDocument(books, { id: one.id })).open?.amount],
      ['issued', '70.00'],
    );
    const more = await paid(books, ada, '100.00', { [one.id]: '70.00', [two.id]: '10.00' });
    assert.deepEqual([more.number, more.open.amount, more.allocations.length], ['PAY-00002', '20.00', 2]);
    assert.equal((await getDocument(books, { id: one.id })).status, 'paid');
    assert.equal(await refusal(recordPayment(books, paymentOf(ada, '50.00', { [two.id]: '40.01' }))), 'over_allocated');
    assert.equal(await refusal(recordPayment(books, paymentOf(ada, '5.00', { [two.id]: '6.00' }))), 'over_allocated');
    assert.equal(await refusal(recordPayment(books, paymentOf(ada, '5.00', { [one.id]: '1.00' }))), 'over_allocated');
    await allocateCredit(books, {
      creditId: more.id,
      date: '2026-03-15',
      allocations: [{ itemId: two.id, amount: '20.00' }],
    });
    assert.equal((await getPayment(books, { id: more.id })).open.amount, '0.00');
    assert.deepEqual((await listPayments(books, { open: true, limit: 10 })).items, []);
    assert.equal((await even(books, '2026-03-31')).open.receivable, 2_000n);
    assert.equal((await even(books, '2026-03-10')).open.receivable, 2_000n);
    assert.equal((await getPayment(books, { id: more.id })).number, 'PAY-00002', 'what was refused took no number');
  });

  test('give back what was paid too much, on either side', async () => {
    const books = await world.tenant();
    const ada = await newParty(books);
    const credit = await paid(books, ada, '80.00');
    await paid(books, ada, '80.00', { [credit.id]: '80.00' }, { direction: 'made', refund: true, date: '2026-03-11' });
    const made = await paid(books, ada, '7.00', {}, { direction: 'made' });
    const back = await paid(books, ada, '5.00', { [made.id]: '5.00' }, { refund: true, date: '2026-03-12' });
    assert.deepEqual([back.refund, back.direction], [true, 'received']);
    const { open } = await even(books, '2026-03-31');
    assert.deepEqual([open.receivable, open.payable], [0n, -200n]);
  });

  test('are matched with what they can pay only', async () => {
    const books = await world.tenant();
    const [ada, bob] = [await newParty(books), await newParty(books)];
    await setRate(books, { currency: 'USD', day: '2026-01-01', rate: '0.9' });
    const [invoice, bill, dollars] = [
      await issued(books, ada, '10'),
      await issued(books, ada, '10', {
        kind: 'bill',
        lines: [{ description: 'x', quantity: '1', unitPrice: '10', account: '6100' }],
      }),
      await issued(books, ada, '10', { currency: 'USD' }),
    ];
    const one = (id: string, changes = {}, party = ada) =>
      refusal(recordPayment(books, paymentOf(party, '10.00', { [id]: '10.00' }, changes)));
    assert.equal(await one(invoice.id, {}, bob), 'not_matching');
    assert.equal(await one(bill.id), 'not_matching');
    assert.equal(await one(dollars.id), 'not_matching');
    assert.equal(await one(invoice.id, { direction: 'made' }), 'not_matching');
    assert.equal(await one(invoice.id, { refund: true, direction: 'made' }), 'not_matching');
    for (const account of ['1100', '2000', '4000', '2200', '6100', '9999'])
      assert.equal(await one(invoice.id, { account }), 'account_unusable', account);
    for (const amount of ['0.00', '-1.00', '1', '1.001', 'x'])
      assert.equal(await refusal(recordPayment(books, paymentOf(ada, amount))), 'invalid_amount', amount);
    const faultOf = async (input: Parameters<typeof recordPayment>[1]) =>
      recordPayment(books, input).then(
        () => undefined,
        (error: unknown) => (error instanceof Problem ? [error.code, error.errors?.[0]] : error),
      );
    const toWrite = 'An amount in EUR has exactly 2 digits after the point: write';
    assert.deepEqual(await faultOf(paymentOf(ada, '10')), [
      'invalid_amount',
      { pointer: '/amount', code: 'invalid_amount', detail: `${toWrite} 10.00.` },
    ]);
    assert.deepEqual(await faultOf(paymentOf(ada, '10.00', { [invoice.id]: '5' })), [
      'invalid_amount',
      { pointer: '/allocations/0/amount', code: 'invalid_amount', detail: `${toWrite} 5.00.` },
    ]);
    assert.deepEqual(await faultOf({ ...paymentOf(ada, '10.00'), currency: 'XXZ' }), [
      'invalid_request',
      {
        pointer: '/currency',
        code: 'invalid_value',
        detail: 'XXZ is no currency of ISO 4217 with a minor unit: give a code such as EUR.',
      },
    ]);
    const paidUp = await issued(books, ada, '4');
    await paid(books, ada, '4.00', { [paidUp.id]: '4.00' });
    for (const [id, amount, told] of [
      [paidUp.id, '1.00', `${paidUp.number} has no open amount: it is already paid or used up.`],
      [
        invoice.id,
        '999.00',
        `The open amount of ${invoice.number} is ${invoice.open?.amount} EUR: allocate no more than that.`,
      ],
    ] as const)
      await assert.rejects(
        recordPayment(books, paymentOf(ada, '1000.00', { [id]: amount })),
        (error: unknown) => error instanceof Problem && error.detail === told,
        told,
      );
    await assert.rejects(
      recordPayment(books, paymentOf(ada, '1.00', { [invoice.id]: '2.00' })),
      /The open amount of this payment is 1\.00 EUR/,
    );
    assert.equal(await one('0190d3f4-0000-7000-8000-000000000000'), 'not_found');
    assert.equal(await one(invoice.id), 'nothing was refused');
  });

  test('are voided once nothing is allocated, on a day that nothing came after', async () => {
    const books = await world.tenant();
    const ada = await newParty(books);
    const invoice = await issued(books, ada, '10');
    const payment = await paid(books, ada, '10.00', { [invoice.id]: '10.00' });
    assert.equal(await refusal(voidPayment(books, { id: payment.id, date: '2026-03-31' })), 'allocated');
    assert.equal(await refusal(voidDocument(books, { id: invoice.id, date: '2026-03-31' })), 'allocated');
    const id = payment.allocations[0]?.id ?? '';
    assert.equal(await refusal(undoAllocation(books, { id, date: '2026-03-09' })), 'date_too_early');
    await undoAllocation(books, { id, date: '2026-03-12' });
    assert.equal(await refusal(voidPayment(books, { id: payment.id, date: '2026-03-11' })), 'date_too_early');
    await closeMonth(books, { month: '2026-03-01' });
    assert.equal(await refusal(voidPayment(books, { id: payment.id, date: '2026-03-31' })), 'period_closed');
    assert.equal((await voidPayment(books, { id: payment.id, date: '2026-04-01' })).payment.voidOn, '2026-04-01');
    assert.equal(await refusal(voidPayment(books, { id: payment.id, date: '2026-04-01' })), 'already_void');
    assert.equal(await refusal(voidPayment(books, { id: invoice.id, date: '2026-04-01' })), 'not_found');
    const late = { creditId: payment.id, date: '2026-04-02', allocations: [{ itemId: invoice.id, amount: '1.00' }] };
    assert.equal(await refusal(allocateCredit(books, late)), 'over_allocated');
    const voided = await voidDocument(books, { id: invoice.id, date: '2026-04-03' });
    assert.deepEqual([voided.document.status, voided.document.number], ['void', 'INV-00001']);
    assert.equal(await refusal(voidDocument(books, { id: invoice.id, date: '2026-04-03' })), 'already_void');
    assert.deepEqual(await balances(books, '2026-04-30'), {});
    for (const [day, open] of [
      ['2026-03-09', 1_000n],
      ['2026-03-11', 0n],
      ['2026-03-31', 0n],
      ['2026-04-02', 1_000n],
    ] as const)
      assert.equal((await even(books, day)).open.receivable, open, day);
  });

  test('come once under one key', async () => {
    const books = await world.tenant();
    const ada = await newParty(books);
    const keyed = paymentOf(ada, '10.00', {}, { idempotencyKey: 'till' });
    const ids = await Promise.all(
      Array.from({ length: 6 }, async () => (await recordPayment(books, keyed)).payment.id),
    );
    assert.equal(new Set(ids).size, 1);
    assert.equal((await even(books, '2026-03-31')).open.receivable, -1_000n);
    assert.equal(await refusal(recordPayment(books, { ...keyed, amount: '11.00' })), 'idempotency_conflict');
  });

  test('alone, with documents, post to receivables and payables', async () => {
    const books = await world.tenant();
    for (const account of ['1100', '2000'])
      for (const kind of [undefined, 'opening'] as const)
        assert.equal(
          await refusal(
            recordEntry(
              books,
              {
                date: '2026-03-01',
                currency: 'EUR',
                narration: 'By hand',
                lines: [
                  { account, debit: '1.00' },
                  { account: '4000', credit: '1.00' },
                ],
              },
              kind,
            ),
          ),
          'control_account',
        );
  });
});
