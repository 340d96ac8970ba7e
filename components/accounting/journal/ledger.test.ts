import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { isAsItWas } from '@steward/access';
import { sql } from '@steward/sql';
import { createWorld, refusal, type World } from '../fixtures/world.ts';
import { closeMonth } from '../periods/close.ts';
import { closeYear } from '../periods/close-year.ts';
import { reopenMonth } from '../periods/reopen.ts';
import { setRate } from '../rates/set.ts';
import { trialBalance } from '../reports/trial-balance.ts';
import { getEntry } from './get.ts';
import { listEntries } from './list.ts';
import { recordEntry, type EntryInput } from './record.ts';
import { reverseEntry } from './reverse.ts';

const sale = (changes: Partial<EntryInput> = {}): EntryInput => ({
  date: '2026-03-15',
  currency: 'EUR',
  narration: 'Cash sale',
  lines: [
    { account: '1000', debit: '119.00' },
    { account: '4000', credit: '100.00', memo: 'Goods' },
    { account: '2200', credit: '19.00' },
  ],
  ...changes,
});
const both = (amount: string, currency = 'EUR'): Partial<EntryInput> => ({
  currency,
  lines: [
    { account: '1000', debit: amount },
    { account: '4000', credit: amount },
  ],
});

describe('the ledger', () => {
  let world: World;
  before(async () => {
    world = await createWorld();
  });
  after(async () => world[Symbol.asyncDispose]());

  test('posts an entry, numbers it without holes, and shows the lines that were written', async () => {
    const books = await world.tenant();
    const first = await recordEntry(books, sale());
    assert.deepEqual([first.number, first.currency, first.rate, first.kind], ['1', 'EUR', '1', 'journal']);
    assert.deepEqual(
      first.lines.map(({ code, debit, credit }) => [code, debit?.amount ?? null, credit?.amount ?? null]),
      [
        ['1000', '119.00', null],
        ['4000', null, '100.00'],
        ['2200', null, '19.00'],
      ],
    );
    assert.equal(
      await refusal(recordEntry(books, sale({ lines: [{ account: '1000', debit: '1.00' }] }))),
      'unbalanced_entry',
    );
    const second = await recordEntry(books, sale({ date: '2026-01-02' }));
    assert.equal(second.number, '2');
    assert.deepEqual(await getEntry(books, { id: first.id }), first);
    assert.deepEqual(
      (await listEntries(books, { from: '2026-03-01', lines: true, limit: 10 })).items.map(({ number }) => number),
      ['1'],
    );
  });

  test('carries every minor unit of every currency through, and refuses what is no amount of it', async () => {
    const books = await world.tenant({ currency: 'JPY' });
    assert.equal(
      (await recordEntry(books, sale(both('9007199254740993', 'JPY')))).lines[0]?.debit?.amount,
      '9007199254740993',
    );
    for (const [currency, amount] of [
      ['KWD', '1.234'],
      ['CLF', '0.0001'],
      ['HUF', '12.50'],
      ['IQD', '0.001'],
    ] as const) {
      await setRate(books, { currency, day: '2026-01-01', rate: '500' });
      assert.equal((await recordEntry(books, sale(both(amount, currency)))).lines[0]?.debit?.amount, amount);
    }
    for (const amount of ['1.0', '-5', '0', '1e3', ''])
      assert.equal(await refusal(recordEntry(books, sale(both(amount, 'JPY')))), 'invalid_amount', amount);
    assert.equal(await refusal(recordEntry(books, sale(both('999999999999999999', 'JPY')))), 'amount_too_large');
    assert.equal(await refusal(recordEntry(books, sale(both('1.00', 'XAU')))), 'invalid_request');
    const { debit, credit } = await trialBalance(books, { asOf: '2026-12-31' });
    assert.deepEqual(debit, credit);
  });

  test('values a foreign entry at the rate of its day and keeps it', async () => {
    const books = await world.tenant();
    assert.equal(await refusal(recordEntry(books, sale(both('100.00', 'USD')))), 'rate_missing');
    await setRate(books, { currency: 'USD', day: '2026-03-01', rate: '0.92' });
    await setRate(books, { currency: 'USD', day: '2026-04-01', rate: '0.95' });
    const entry = await recordEntry(books, sale(both('100.01', 'USD')));
    assert.deepEqual([entry.rate, entry.lines.map(({ base }) => base.amount)], ['0.92', ['92.01', '92.01']]);
    await setRate(books, { currency: 'USD', day: '2026-03-01', rate: '2' });
    assert.equal((await getEntry(books, { id: entry.id })).lines[0]?.base.amount, '92.01');
  });

  test('spreads the rounding of a rate by the largest remainder, so that base amounts add up', async () => {
    const books = await world.tenant();
    await setRate(books, { currency: 'USD', day: '2026-01-01', rate: '0.333' });
    const lines = [
      { account: '1000', debit: '1.00' },
      ...['4000', '4010', '4090'].map((account, at) => ({ account, credit: ['0.33', '0.33', '0.34'][at] })),
    ];
    const entry = await recordEntry(books, sale({ currency: 'USD', lines }));
    assert.deepEqual(
      entry.lines.map(({ base }) => base.amount),
      ['0.33', '0.11', '0.11', '0.11'],
    );
  });

  test('answers a repeated key with the entry it stands for, however many ask at once', async () => {
    const books = await world.tenant();
    const keyed = sale({ idempotencyKey: 'till-2026-03-15' });
    const ids = await Promise.all(Array.from({ length: 8 }, async () => (await recordEntry(books, keyed)).id));
    assert.equal(new Set(ids).size, 1);
    assert.equal((await listEntries(books, { lines: true, limit: 10 })).items.length, 1);
    assert.equal(await refusal(recordEntry(books, { ...keyed, narration: 'Another' })), 'idempotency_conflict');
  });

  test('undoes an entry once, on a day of its own, whose month alone must be open', async () => {
    const books = await world.tenant();
    const entry = await recordEntry(books, sale());
    await closeMonth(books, { month: '2026-03-01' });
    const reversal = { id: entry.id, narration: 'Entered twice' };
    assert.equal(await refusal(reverseEntry(books, { ...reversal, date: '2026-03-20' })), 'period_closed');
    assert.equal(await refusal(reverseEntry(books, { ...reversal, date: '2026-02-20' })), 'not_reversible');
    const outcomes = await Promise.all(
      Array.from({ length: 6 }, async () => refusal(reverseEntry(books, { ...reversal, date: '2026-04-01' }))),
    );
    assert.deepEqual(outcomes.toSorted(), [
      ...Array.from({ length: 5 }, () => 'already_reversed'),
      'nothing was refused',
    ]);
    const undone = await getEntry(books, { id: entry.id });
    const mirror = await getEntry(books, { id: undone.reversedBy ?? '' });
    assert.deepEqual([mirror.reverses, mirror.date, mirror.kind], [entry.id, '2026-04-01', 'reversal']);
    assert.equal(
      await refusal(reverseEntry(books, { id: mirror.id, date: '2026-04-02', narration: 'x' })),
      'not_reversible',
    );
    assert.deepEqual((await trialBalance(books, { asOf: '2026-04-30' })).rows, []);
    assert.equal((await trialBalance(books, { asOf: '2026-03-31' })).rows.length, 3);
  });

  test('posts nothing into a month that closes at the same time', async () => {
    const books = await world.tenant();
    for (let round = 0; round < 5; round += 1) {
      const month = `2025-0${round + 1}-01`;
      const posts = Array.from({ length: 12 }, async () =>
        refusal(recordEntry(books, sale({ date: `${month.slice(0, 8)}10` }))),
      );
      const closed = closeMonth(books, { month });
      const outcomes = await Promise.all(posts);
      await closed;
      const { debit } = await trialBalance(books, { asOf: `${month.slice(0, 8)}28` });
      const posted = outcomes.filter((one) => one === 'nothing was refused').length;
      assert.ok(
        outcomes.every((one) => one === 'nothing was refused' || one === 'period_closed'),
        outcomes.join(),
      );
      const before: number = round === 0 ? 0 : total;
      assert.equal(debit.amount, ((before + posted) * 119).toFixed(2));
      total = before + posted;
    }
    assert.equal(await refusal(recordEntry(books, sale({ date: '2025-01-31' }))), 'period_closed');
    await reopenMonth(books, { month: '2025-01-31', reason: 'A late invoice' });
    assert.equal(await refusal(recordEntry(books, sale({ date: '2025-01-31' }))), 'nothing was refused');
  });
  let total = 0;

  test('carries a year’s profit to retained earnings once, and keeps it to be seen', async () => {
    const books = await world.tenant({ startMonth: 4 });
    await recordEntry(books, sale({ date: '2024-04-01' }));
    await recordEntry(
      books,
      sale({
        date: '2025-03-31',
        lines: [
          { account: '6100', debit: '30.00' },
          { account: '1000', credit: '30.00' },
        ],
      }),
    );
    assert.equal(await refusal(closeYear(books, { day: '2026-10-01' })), 'year_not_over');
    const closed = await closeYear(books, { day: '2024-12-24' });
    assert.deepEqual([closed.firstMonth, closed.lastMonth], ['2024-04-01', '2025-03-01']);
    const rows = (await trialBalance(books, { asOf: '2025-03-31' })).rows.map(({ code, debit, credit }) => [
      code,
      debit?.amount,
      credit?.amount,
    ]);
    assert.deepEqual(rows, [
      ['1000', '89.00', undefined],
      ['2200', undefined, '19.00'],
      ['3900', undefined, '70.00'],
    ]);
    const again = await closeYear(books, { day: '2025-01-01' });
    assert.deepEqual([isAsItWas(again), again], [true, { ...closed, effects: [] }]);
    assert.equal(await refusal(closeYear(books, { day: '2024-01-01' })), 'year_closed', 'a later year is closed');
    assert.equal(await refusal(reopenMonth(books, { month: '2024-06-01', reason: 'x' })), 'year_closed');
    assert.equal(await refusal(recordEntry(books, sale({ date: '2024-06-01' }))), 'period_closed');
  });

  test('is another tenant’s as if it were not there, and read by roles that do not keep it', async () => {
    const books = await world.tenant({ members: { alice: 'owner', vera: 'viewer' } });
    const entry = await recordEntry(books, sale());
    const other = await world.tenant();
    assert.equal(await refusal(getEntry(other, { id: entry.id })), 'not_found');
    assert.equal(await refusal(reverseEntry(other, { id: entry.id, date: '2026-04-01', narration: 'x' })), 'not_found');
    const account = (await getEntry(books, { id: entry.id })).lines[0]?.accountId ?? '';
    assert.equal(
      await refusal(
        recordEntry(
          other,
          sale({
            lines: [
              { account, debit: '1.00' },
              { account: '4000', credit: '1.00' },
            ],
          }),
        ),
      ),
      'account_unusable',
    );
    const viewer = world.as(books.tenant, 'vera');
    assert.equal((await getEntry(viewer, { id: entry.id })).id, entry.id);
    assert.equal(await refusal(recordEntry(viewer, sale())), 'insufficient_role');
    assert.equal(await refusal(closeMonth(viewer, { month: '2026-01-01' })), 'insufficient_role');
  });

  test('is in balance by every currency, and its kept sums are those of its postings', async () => {
    const [off] = await world.admin.query<{ n: bigint }>(sql`
      select count(*) as n from (
        select tenant_id, account_id, currency, sum(d) as debit, sum(c) as credit, sum(bd) as base_debit, sum(bc) as base_credit from (
          select p.tenant_id, debit_account_id as account_id, e.currency, amount as d, 0 as c, base_amount as bd, 0 as bc
          from accounting.posting p join accounting.entry e using (tenant_id, entry_id)
          union all
          select p.tenant_id, credit_account_id, e.currency, 0, amount, 0, base_amount
          from accounting.posting p join accounting.entry e using (tenant_id, entry_id)) sides group by 1, 2, 3) scan
      full join (
        select tenant_id, account_id, currency, sum(debit) as debit, sum(credit) as credit, sum(base_debit) as base_debit, sum(base_credit) as base_credit
        from accounting.balance group by 1, 2, 3) kept using (tenant_id, account_id, currency)
      where (scan.debit, scan.credit, scan.base_debit, scan.base_credit) is distinct from (kept.debit, kept.credit, kept.base_debit, kept.base_credit)`);
    assert.equal(off?.n, 0n);
  });
});
