import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { parseAmount } from '@steward/kernel';
import { sql, type TenantContext } from '@steward/sql';
import { createWorld, refusal, type World } from '../fixtures/world.ts';
import { recordEntry } from '../journal/record.ts';
import { closeYear } from '../periods/close-year.ts';
import { setRate } from '../rates/set.ts';
import { cashFlow } from './cash-flow.ts';
import {
  balanceSheetCsv,
  cashFlowCsv,
  generalLedgerCsv,
  journalCsv,
  profitAndLossCsv,
  trialBalanceCsv,
} from './csv.ts';
import { generalLedger, type LedgerLine } from './general-ledger.ts';
import { balanceSheet, profitAndLoss } from './statements.ts';
import { trialBalance } from './trial-balance.ts';

const codes = ['1000', '1300', '2300', '2200', '3000', '4000', '4010', '5000', '6100', '6200'];
/** Days around the edges of months and years, where sums and postings meet. */
const days = [
  '2024-12-31',
  '2025-01-01',
  '2025-01-15',
  '2025-01-31',
  '2025-02-01',
  '2025-02-28',
  '2025-03-10',
  '2025-12-31',
  '2026-01-01',
  '2026-03-31',
];

/** The same numbers every run. */
function* numbers(seed: number): Generator<number, never> {
  for (let state = seed; ;) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    yield state;
  }
}

describe('reports', () => {
  let world: World;
  let books: TenantContext;
  let scan: { code: string; type: string; day: string; net: bigint; kind: string }[];
  before(async () => {
    world = await createWorld();
    books = await world.tenant();
    await setRate(books, { currency: 'USD', day: '2024-01-01', rate: '0.9137' });
    const random = numbers(7);
    for (let n = 0; n < 120; n += 1) {
      const pick = <T>(of: readonly T[]): T => of[random.next().value % of.length] as T;
      const amounts = [random.next().value % 50_000, random.next().value % 50_000].map((minor) => (minor + 1) / 100);
      const [first = 1, second = 1] = amounts;
      await recordEntry(books, {
        date: pick(days),
        currency: pick(['EUR', 'EUR', 'USD']),
        narration: `Entry ${n}`,
        lines: [
          { account: pick(codes.slice(0, 4)), debit: (first + second).toFixed(2) },
          { account: pick(codes.slice(4, 7)), credit: first.toFixed(2), memo: 'first' },
          { account: pick(codes.slice(7)), credit: second.toFixed(2) },
        ],
      });
    }
    await closeYear(books, { day: '2024-06-01' });
    await closeYear(books, { day: '2025-06-01' });
    scan = await world.admin.query(sql`
      select a.code, a.type, e.posting_date::text as day, s.base::bigint as net, e.kind from (
        select tenant_id, entry_id, debit_account_id as account_id, base_amount as base from accounting.posting
        union all select tenant_id, entry_id, credit_account_id, -base_amount from accounting.posting) s
      join accounting.entry e using (tenant_id, entry_id) join accounting.account a using (tenant_id, account_id)
      where s.tenant_id = ${books.tenant}::uuid`);
  });
  after(async () => world[Symbol.asyncDispose]());

  const scanned = (where: (row: (typeof scan)[number]) => boolean): bigint =>
    scan.filter(where).reduce((total, { net }) => total + net, 0n);
  const minor = (amount: string | undefined): bigint => parseAmount(amount ?? '0.00', 'EUR') ?? 0n;

  test('a trial balance of any day is what a full scan of the postings gives', async () => {
    for (const day of [...days, '2025-01-16', '2020-01-01', '2030-12-31']) {
      const { rows, debit, credit } = await trialBalance(books, { asOf: day });
      assert.equal(debit.amount, credit.amount);
      const shown = new Map(rows.map((row) => [row.code, minor(row.debit?.amount) - minor(row.credit?.amount)]));
      for (const code of [...codes, '3900'])
        assert.equal(
          shown.get(code) ?? 0n,
          scanned((row) => row.code === code && row.day <= day),
          `${code} on ${day}`,
        );
    }
  });

  test('profit and loss of any period is that of a scan, and is still seen after the year was closed', async () => {
    for (const from of days) {
      for (const to of days.filter((day) => day >= from)) {
        const { sections, result } = await profitAndLoss(books, { from, to });
        const inside = (row: (typeof scan)[number]): boolean =>
          row.day >= from && row.day <= to && row.kind !== 'closing';
        assert.equal(
          minor(sections[0]?.total.amount),
          -scanned((row) => inside(row) && row.type === 'income'),
          `${from} ${to}`,
        );
        assert.equal(
          minor(sections[1]?.total.amount),
          scanned((row) => inside(row) && row.type === 'expense'),
          `${from} ${to}`,
        );
        assert.equal(minor(result.amount), -scanned((row) => inside(row) && ['income', 'expense'].includes(row.type)));
      }
    }
  });

  test('a balance sheet balances on any day, with what was earned and not yet carried', async () => {
    for (const day of days) {
      const sheet = await balanceSheet(books, { asOf: day, compareAsOf: '2025-01-31' });
      const [assets, liabilities, equity] = sheet.sections.map(({ total }) => minor(total.amount));
      assert.equal(sheet.result.amount, '0.00', day);
      assert.equal(assets, (liabilities ?? 0n) + (equity ?? 0n), day);
      assert.equal(
        assets,
        scanned((row) => row.type === 'asset' && row.day <= day),
        day,
      );
    }
    const { sections } = await balanceSheet(books, { asOf: '2025-12-31' });
    assert.ok(
      sections[2]?.lines.every(({ name }) => name !== 'Current earnings'),
      'carried at the year’s end',
    );
  });

  test('a comparison stands beside, with accounts that only the other period moved', async () => {
    const { sections, comparedResult } = await profitAndLoss(books, {
      from: '2026-01-02',
      to: '2026-03-30',
      compareFrom: '2025-01-01',
      compareTo: '2025-12-31',
    });
    assert.ok((sections[0]?.lines.length ?? 0) > 0);
    assert.ok(sections[0]?.lines.every(({ amount }) => amount.amount === '0.00'));
    assert.equal(
      comparedResult?.amount,
      (await profitAndLoss(books, { from: '2025-01-01', to: '2025-12-31' })).result.amount,
    );
  });

  test('a general ledger goes from its opening to its closing balance, in pages of any size', async () => {
    const { rows } = await trialBalance(books, { asOf: '2026-03-31' });
    for (const { accountId, code } of rows) {
      for (const limit of [1, 7, 200]) {
        const wish = { accountId: limit === 7 ? code : accountId, from: '2025-01-01', to: '2026-03-31' };
        const all: LedgerLine[] = [];
        let cursor: string | undefined;
        let opening = '';
        do {
          const page = await generalLedger(books, { ...wish, limit, cursor });
          opening = page.opening.amount;
          all.push(...page.items);
          cursor = page.nextCursor ?? undefined;
        } while (cursor !== undefined);
        assert.equal(
          minor(opening),
          scanned((row) => row.code === code && row.day < '2025-01-01'),
        );
        assert.equal(
          minor(all.at(-1)?.balance.amount ?? opening),
          scanned((row) => row.code === code),
        );
        assert.equal(
          all.length,
          new Set(
            all.map((line) => `${line.number} ${line.debit?.amount} ${line.credit?.amount} ${line.balance.amount}`),
          ).size,
        );
        if (limit === 1) break;
      }
    }
  });

  test('a cash flow goes from what was held to what is held, and names where it came from', async () => {
    for (const span of [
      { from: '2025-01-01', to: '2025-03-10' },
      { from: '2024-12-31', to: '2026-03-31' },
      { from: '2030-01-01', to: '2030-12-31' },
    ]) {
      const flow = await cashFlow(books, span);
      const cash = (row: (typeof scan)[number]): boolean => row.code === '1000';
      assert.equal(
        minor(flow.opening.amount),
        scanned((row) => cash(row) && row.day < span.from),
      );
      assert.equal(
        minor(flow.closing.amount),
        scanned((row) => cash(row) && row.day <= span.to),
      );
      const moved = flow.sections.reduce((sum, { total }) => sum + minor(total.amount), 0n);
      assert.equal(minor(flow.opening.amount) + moved, minor(flow.closing.amount));
    }
    const { sections } = await cashFlow(books, { from: '2024-12-31', to: '2026-03-31' });
    assert.deepEqual(
      sections.map(({ activity, lines }) => [activity, lines.length > 0]),
      [
        ['operating', true],
        ['investing', false],
        ['financing', true],
      ],
    );
  });

  test('as CSV every report says the same, and the journal holds every line', async () => {
    const text = async (lines: AsyncIterable<string>): Promise<string[]> =>
      (await Array.fromAsync(lines)).map((line) => line.trimEnd());
    const balance = await text(trialBalanceCsv(books, { asOf: '2025-12-31' }));
    const { debit } = await trialBalance(books, { asOf: '2025-12-31' });
    assert.equal(balance.at(-1), `,Total,,${debit.amount},${debit.amount},EUR`);
    const beside = await text(trialBalanceCsv(books, { asOf: '2025-12-31', compareAsOf: '2025-12-31' }));
    assert.equal(beside.at(-1), `,Total,,${Array.from({ length: 4 }, () => debit.amount).join(',')},EUR`);
    const span = { from: '2024-01-01', to: '2026-12-31' };
    const journal = await text(journalCsv(books, span));
    const numbersIn = journal.slice(1).map((line) => Number(line.split(',')[0]));
    assert.deepEqual(
      numbersIn,
      numbersIn.toSorted((a, b) => a - b),
    );
    assert.equal(new Set(numbersIn).size, 122);
    const { rows } = await trialBalance(books, { asOf: '2026-12-31' });
    const ledger = await text(generalLedgerCsv(books, { ...span, accountId: rows[0]?.accountId ?? '' }));
    assert.match(ledger.at(-1) ?? '', new RegExp(`,${rows[0]?.debit?.amount},EUR,[0-9a-f-]{36}$`));
    assert.match((await text(profitAndLossCsv(books, span))).at(-1) ?? '', /^,,Result,-?[\d.]+,,EUR$/);
    assert.match((await text(cashFlowCsv(books, span))).at(-1) ?? '', /^,,Closing,/);
    assert.match((await text(balanceSheetCsv(books, { asOf: '2025-06-30' }))).at(-1) ?? '', /^,,Difference,0\.00,/);
  });

  test('what is asked wrongly is refused', async () => {
    const wish = { accountId: '01a00000-0000-7000-8000-000000000000', from: '2025-01-01', to: '2025-12-31' };
    assert.equal(await refusal(generalLedger(books, { ...wish, limit: 5 })), 'not_found');
    const never = Buffer.from('2026-02-30 1 1 0 0').toString('base64url');
    for (const cursor of ['x', never])
      assert.equal(await refusal(generalLedger(books, { ...wish, limit: 5, cursor })), 'invalid_cursor');
  });
});
