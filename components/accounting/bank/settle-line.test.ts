import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { TenantContext } from '@steward/sql';
import { even, issued, newParty } from '../fixtures/documents.ts';
import { createWorld, refusal, type World } from '../fixtures/world.ts';
import { getDocument } from '../documents/get.ts';
import { importStatement } from './import.ts';
import type { BankLine } from './line.ts';
import { listLines } from './list-lines.ts';
import { settleLine } from './settle-line.ts';
import { suggest } from './suggest.ts';

describe('a bank line that pays a document', () => {
  let world: World;
  let books: TenantContext;
  before(async () => {
    world = await createWorld();
  });
  after(async () => world[Symbol.asyncDispose]());

  /** Lines of a fresh tenant, by their amounts. */
  const loaded = async (...rows: readonly string[]): Promise<(amount: string) => BankLine> => {
    books = await world.tenant();
    const content = ['Date,Amount,Description', ...rows].join('\n');
    await importStatement(books, { account: '1000', format: 'csv', content });
    const { items } = await listLines(books, { account: '1000', unmatched: false, limit: 200 });
    return (sum) => {
      const found = items.find(({ amount }) => amount.amount === sum);
      assert.ok(found);
      return found;
    };
  };
  const openOf = async (id: string): Promise<string | undefined> => (await getDocument(books, { id })).open?.amount;
  const suggestedFor = async ({ id }: BankLine) =>
    (await suggest(books, { lineId: id })).map(({ kind, number, amount, score }) => [
      kind,
      number,
      amount.amount,
      score,
    ]);

  test('is suggested by the number that it names and by its amount, the likeliest first', async () => {
    const line = await loaded(
      '2026-03-10,100.00,Lovelace thanks',
      '2026-03-11,40.00,inv 2 part',
      '2026-03-12,-70.00,Paper',
      '2026-03-13,100.01,Nothing',
      '2026-03-14,500.00,INV-3',
    );
    const ada = await newParty(books);
    const grace = await newParty(books, { name: 'Grace Hopper' });
    await issued(books, grace, '100.00');
    const second = await issued(books, ada, '100.00');
    await issued(books, ada, '90.00');
    await issued(books, ada, '70.00', { kind: 'bill' });
    await issued(books, ada, '70.00');
    assert.deepEqual(await suggestedFor(line('100.00')), [
      ['document', second.number, '100.00', 58],
      ['document', 'INV-00001', '100.00', 50],
    ]);
    assert.deepEqual(await suggestedFor(line('40.00')), [['document', 'INV-00002', '40.00', 55]]);
    assert.deepEqual(await suggestedFor(line('-70.00')), [['document', 'BILL-00001', '-70.00', 50]]);
    assert.deepEqual(await suggestedFor(line('100.01')), []);
    assert.deepEqual(await suggestedFor(line('500.00')), [['document', 'INV-00003', '90.00', 55]]);
  });

  test('is suggested by its reference or the number of its supplier, where they are words of the line', async () => {
    const line = await loaded(
      '2026-03-10,88.80,Bestellung 1002 Byron',
      '2026-03-11,20.00,Anzahlung 1002',
      '2026-03-12,-30.00,Rechnung RE-2026/118',
      '2026-03-13,88.80,INV-3 and 1002',
      '2026-03-14,5.00,EUR 1002',
      '2026-03-15,45.00,Order 1030',
    );
    const ada = await newParty(books);
    for (const reference of ['1000', '1001', '1002', '1003']) await issued(books, ada, '88.80', { reference });
    await issued(books, ada, '70.00', { kind: 'bill', supplierNumber: 'RE-2026/118' });
    for (let at = 1010; at <= 1030; at += 1) await issued(books, ada, '45.00', { reference: String(at) });
    assert.deepEqual((await suggestedFor(line('88.80')))[0], ['document', 'INV-00003', '88.80', 65]);
    assert.deepEqual(await suggestedFor(line('20.00')), [['document', 'INV-00003', '20.00', 45]]);
    assert.deepEqual(await suggestedFor(line('-30.00')), [['document', 'BILL-00001', '-30.00', 55]]);
    assert.deepEqual(await suggestedFor(line('5.00')), []);
    assert.deepEqual((await suggestedFor(line('45.00')))[0], ['document', 'INV-00025', '45.00', 65]);
    const { items } = await listLines(books, { account: '1000', unmatched: true, limit: 200 });
    const both = items.find(({ description }) => description === 'INV-3 and 1002');
    assert.ok(both);
    assert.deepEqual((await suggestedFor(both))[0], ['document', 'INV-00003', '88.80', 75]);
  });

  test('becomes a payment on its day that is allocated and explains it, whole, in part, or with a rest', async () => {
    const line = await loaded(
      '2026-03-10,100.00,INV-1',
      '2026-03-11,40.00,Part',
      '2026-03-12,-70.00,Paper',
      '2026-03-14,75.00,Too much',
    );
    const partyId = await newParty(books);
    const first = await issued(books, partyId, '100.00');
    const other = await issued(books, partyId, '100.00');
    const bill = await issued(books, partyId, '70.00', { kind: 'bill' });
    const pay = async (of: BankLine, itemId: string, amount: string) =>
      settleLine(books, { lineId: of.id, allocations: [{ itemId, amount }] });

    const whole = await pay(line('100.00'), first.id, '100.00');
    assert.deepEqual(
      [whole.line.unmatched.amount, whole.line.matches.map(({ entryId }) => entryId), whole.payment.date],
      ['0.00', [whole.payment.entryId], '2026-03-10'],
    );
    assert.deepEqual(
      [whole.payment.direction, whole.payment.reference, whole.payment.open.amount],
      ['received', 'INV-1', '0.00'],
    );
    assert.equal(await openOf(first.id), '0.00');
    await pay(line('40.00'), other.id, '40.00');
    assert.equal(await openOf(other.id), '60.00');
    const out = await pay(line('-70.00'), bill.id, '70.00');
    assert.deepEqual([out.payment.direction, out.payment.amount.amount], ['made', '70.00']);
    const rest = await pay(line('75.00'), other.id, '60.00');
    assert.deepEqual([await openOf(other.id), rest.payment.open.amount], ['0.00', '15.00']);
    await even(books, '2026-03-31');
  });

  test('is refused whole where anything of it does not fit', async () => {
    const line = await loaded('2026-03-10,100.00,One', '2026-03-11,50.00,Two');
    const partyId = await newParty(books);
    const stranger = await newParty(books, { name: 'Grace Hopper' });
    const { id: itemId } = await issued(books, partyId, '60.00');
    const one = { lineId: line('100.00').id, partyId };
    for (const [code, input] of [
      ['over_allocated', { ...one, allocations: [{ itemId, amount: '60.01' }] }],
      ['over_allocated', { ...one, allocations: [{ itemId, amount: '100.01' }] }],
      ['not_matching', { ...one, partyId: stranger, allocations: [{ itemId, amount: '60.00' }] }],
      ['not_found', { ...one, partyId: '0190a0a0-0000-7000-8000-00000000000a' }],
      ['not_found', { ...one, lineId: '0190a0a0-0000-7000-8000-00000000000a' }],
      ['not_found', { lineId: one.lineId, allocations: [{ itemId: stranger, amount: '1.00' }] }],
      ['invalid_request', { lineId: one.lineId }],
      ['invalid_amount', { ...one, allocations: [{ itemId, amount: '-1.00' }] }],
    ] as const)
      assert.equal(await refusal(settleLine(books, input)), code, JSON.stringify(input));
    assert.equal(await openOf(itemId), '60.00');
    const answers = await Promise.allSettled(
      Array.from({ length: 4 }, async () => settleLine(books, { ...one, allocations: [{ itemId, amount: '60.00' }] })),
    );
    assert.equal(answers.filter(({ status }) => status === 'fulfilled').length, 1, 'once, however often at once');
    assert.equal(await refusal(settleLine(books, one)), 'match_exceeds');
    await even(books, '2026-03-31');
  });
});
