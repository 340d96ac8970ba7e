import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Problem } from '@steward/kernel';
import { sql, type TenantContext } from '@steward/sql';
import { createWorld, refusal, type World } from '../fixtures/world.ts';
import { listAccounts } from '../accounts/list.ts';
import { trialBalance } from '../reports/trial-balance.ts';
import { reverseEntry } from '../journal/reverse.ts';
import { cashFlow } from '../reports/cash-flow.ts';
import { setRate } from '../rates/set.ts';
import { revalue } from '../subledger/revalue.ts';
import { importBalances } from './import-balances.ts';
import { importChart } from './import-chart.ts';

describe('opening the books', () => {
  let world: World;
  before(async () => {
    world = await createWorld();
  });
  after(async () => world[Symbol.asyncDispose]());

  test('adds accounts from a file once, and brings names up to date', async () => {
    const books = await world.tenant();
    const chart = 'Code;Name;Type;Currency\n1010;US account;Bank;USD\n4500;Licences;Revenue;\n1000;House bank;asset;\n';
    const { accounts: imported, ...counts } = await importChart(books, { content: chart });
    assert.deepEqual(counts, { added: 2, renamed: 1 });
    assert.deepEqual(
      imported.map(({ code, money, formerly }) => [code, money, formerly]),
      [
        ['1000', true, 'Bank account'],
        ['1010', true, null],
        ['4500', false, null],
      ],
    );
    assert.deepEqual(await importChart(books, { content: chart }), { added: 0, renamed: 0, accounts: [] });
    const accounts = (await listAccounts(books, { limit: 200 })).items;
    const found = (code: string) => accounts.find((account) => account.code === code);
    assert.deepEqual(
      [found('1010')?.type, found('1010')?.currency, found('4500')?.type, found('1000')?.name],
      ['asset', 'USD', 'income', 'House bank'],
    );
    assert.equal(found('1000')?.control, 'bank');
  });

  test('takes all of a chart or nothing, and says the line', async () => {
    const books = await world.tenant();
    for (const [chart, about] of [
      ['code,name,type\n9000,New,asset\n1000,Bank,income\n', /line 3: the account 1000 exists with the type asset/],
      [
        'code,name,type,currency\n9000,New,asset,\n1000,Bank account,asset,USD\n',
        /line 3: the account 1000 exists with the currency EUR/,
      ],
      ['code,name,type\n9000,New,asset\n9000,Again,asset\n', /line 3: .*repeated/],
      ['code,name,type\n9000,New,money\n', /line 2: give a type of .*equity.*, or bank/],
      ['code,name,type\nno good,New,asset\n', /line 2: give a code/],
      ['code,name,type,currency\n9000,New,asset,XAU\n', /line 2: XAU/],
      ['code,name,type\n9000,N\0w,asset\n', /NUL/],
      ['code,name\n9000,New\n', /columns type are missing/],
    ] as const) {
      await assert.rejects(importChart(books, { content: chart }), about);
    }
    assert.ok((await listAccounts(books, { limit: 200 })).items.every(({ code }) => code !== '9000'));
  });

  test('posts opening balances, the rest to an account that is named', async () => {
    const books = await world.tenant();
    const content = 'account,debit,credit\n1000,1500.00,\n1300,300.00,0.00\n2300,,450.50\n4000,,\n';
    assert.equal(await refusal(importBalances(books, { date: '2025-12-31', content })), 'unbalanced_entry');
    await importBalances(books, { date: '2025-12-31', content, balanceTo: '3000' });
    const { rows } = await trialBalance(books, { asOf: '2025-12-31' });
    assert.deepEqual(
      rows.map(({ code, debit, credit }) => [code, debit?.amount ?? credit?.amount]),
      [
        ['1000', '1500.00'],
        ['1300', '300.00'],
        ['2300', '450.50'],
        ['3000', '1349.50'],
      ],
    );
    assert.equal(
      await refusal(
        importBalances(books, { date: '2025-12-31', content: 'account,debit,credit\n1000,1.5,\n', balanceTo: '3000' }),
      ),
      'invalid_amount',
    );
  });

  test('opens books once, however many ask at once, until that entry is reversed', async () => {
    const books = await world.tenant();
    const content = 'account,debit,credit\n1000,100.00,\n';
    const open = async (date: string) => importBalances(books, { date, content, balanceTo: '3000' });
    const tried = await Promise.allSettled([open('2025-12-31'), open('2026-01-01'), open('2025-12-31')]);
    const [done, ...others] = tried.filter((one) => one.status === 'fulfilled');
    assert.ok(done !== undefined && others.length === 0);
    const again = await open('2026-01-01').catch((error: unknown) => error as Problem);
    assert.ok('code' in again && again.code === 'already_opened');
    assert.ok(
      again.detail.startsWith(
        `Entry ${done.value.entries[0]?.number} already opened these books on ${done.value.entries[0]?.date}.`,
      ),
    );
    await reverseEntry(books, { id: `${done.value.entries[0]?.id}`, date: '2026-01-01', narration: 'The wrong file' });
    assert.equal((await open('2026-01-01')).entries[0]?.kind, 'opening');
    assert.equal(
      (await trialBalance(books, { asOf: '2026-01-01' })).rows.find(({ code }) => code === '1000')?.debit?.amount,
      '100.00',
    );
  });

  describe('of accounts in other currencies', () => {
    const chart =
      'code,name,type,currency\n1010,US account,bank,USD\n1020,Tokyo account,bank,JPY\n2800,US loan,liability,USD\n';
    const foreign = async (): Promise<TenantContext> => {
      const books = await world.tenant();
      await importChart(books, { content: chart });
      return books;
    };
    const open = (books: TenantContext, rows: string, balanceTo?: string) =>
      importBalances(books, { date: '2025-12-31', content: `account,debit,credit,rate,base\n${rows}`, balanceTo });
    const own = async (books: TenantContext): Promise<unknown[]> =>
      world.admin.query(sql`
        select a.code, b.currency, (b.debit - b.credit)::int as held, (b.base_debit - b.base_credit)::int as worth
        from accounting.balance b join accounting.account a using (tenant_id, account_id)
        where b.tenant_id = ${books.tenant} and a.code <> '3000' order by 1`);

    test('are in their own currency, worth what the file says by rate or by amount: revaluing at that rate finds nothing', async () => {
      const books = await foreign();
      const { entries } = await open(
        books,
        '1000,100.00,,,\n1010,1000.00,,0.9,\n1020,100001,,,611.47\n2800,,333.33,0.9,\n1010,0.33,,0.9,\n',
        '3000',
      );
      assert.deepEqual(
        entries.map(({ kind, currency, rate }) => [kind, currency, rate]),
        [
          ['opening', 'EUR', '1'],
          ['opening', 'USD', '0.9'],
          ['opening', 'JPY', '0.006114638854'],
          ['opening', 'USD', '0.9'],
        ],
      );
      assert.deepEqual(await own(books), [
        { code: '1000', currency: 'EUR', held: 10_000, worth: 10_000 },
        { code: '1010', currency: 'USD', held: 100_033, worth: 90_030 },
        { code: '1020', currency: 'JPY', held: 100_001, worth: 61_147 },
        { code: '2800', currency: 'USD', held: -33_333, worth: -30_000 },
      ]);
      const { rows } = await trialBalance(books, { asOf: '2025-12-31' });
      assert.equal(rows.find(({ code }) => code === '3000')?.credit?.amount, '1311.77');
      await setRate(books, { currency: 'USD', day: '2025-12-31', rate: '0.9' });
      await setRate(books, { currency: 'JPY', day: '2025-12-31', rate: '0.006114638854' });
      assert.equal((await revalue(books, { day: '2025-12-31' })).items, 0);
      await setRate(books, { currency: 'USD', day: '2025-12-31', rate: '1' });
      const { currencies } = await revalue(books, { day: '2025-12-31' });
      assert.deepEqual(
        currencies.map(({ currency, difference }) => [currency, difference.amount]),
        [['USD', '66.70']],
      );
    });

    test('open once with all else, and move no money in the cash flow', async () => {
      const books = await foreign();
      const { entries } = await open(books, '1000,100.00,,,\n1010,1000.00,,0.9,\n', '3000');
      const again = await open(books, '1000,100.00,,,\n', '3000').catch((error: unknown) => error as Problem);
      assert.ok('code' in again && again.code === 'already_opened');
      assert.match(again.detail, /^Entries 1, 2 already opened these books on 2025-12-31\. Reverse each of them/);
      for (const { id } of entries) await reverseEntry(books, { id, date: '2026-01-01', narration: 'The wrong file' });
      await open(books, '1010,1000.00,,,900.00\n', '3000');
      const flow = await cashFlow(books, { from: '2025-12-01', to: '2026-01-31' });
      assert.deepEqual([flow.opening.amount, flow.closing.amount], ['900.00', '900.00']);
    });

    test('may be the whole file, whose balancing account is one of its lines', async () => {
      const books = await foreign();
      const { entries } = await open(books, '1010,1000.00,,,900.00\n3000,,900.00,,\n', '3000');
      assert.equal(entries.length, 1);
      const { rows } = await trialBalance(books, { asOf: '2025-12-31' });
      assert.deepEqual(
        rows.map(({ code, debit, credit }) => [code, debit?.amount ?? credit?.amount]),
        [
          ['1010', '900.00'],
          ['3000', '900.00'],
        ],
      );
    });

    test('say what is wrong, by line: no amount is taken for one in another currency', async () => {
      const books = await foreign();
      const listed = (await listAccounts(books, { limit: 200 })).items.find(({ code }) => code === '1010');
      for (const [rows, balanceTo, code, pointer, detail] of [
        ['1010,1000.00,,,\n', '3000', 'invalid_rate', '/content', /^line 2, rate: This account is in USD, and so are/],
        [`${listed?.id},1000.00,,,\n`, '3000', 'invalid_rate', '/content', /^line 2, rate: This account is in USD/],
        ['1010,1000.00,,0.9,900.00\n', '3000', 'invalid_rate', '/content', /one of the two/],
        ['1010,1000.00,,0,\n', '3000', 'invalid_rate', '/content', /^line 2, rate: Give a decimal above zero/],
        ['1010,1000.00,,,900\n', '3000', 'invalid_amount', '/content', /^line 2, base: .*EUR/],
        ['1010,1000.00,,,-900.00\n', '3000', 'invalid_amount', '/content', /^line 2, base: -900.00 is not above zero/],
        [
          '1010,10000000000000.00,,,9000000000000.01\n',
          '3000',
          'invalid_rate',
          '/content',
          /^line 2, base: No rate of 12/,
        ],
        [
          '1000,1.00,,1,\n1010,1000,,,900.00\n',
          '3000',
          'invalid_rate',
          '/content',
          /^line 2, rate: .*leave rate and base/,
        ],
        [
          '1000,1.00,,,\n1010,1000,,,900.00\n',
          '3000',
          'invalid_amount',
          '/content',
          /^line 3, debit: An amount in USD/,
        ],
        ['1010,1000.00,,0.9,\n', undefined, 'unbalanced_entry', '/balance_to', /^The file opens an account in USD/],
        ['1000,1000.00,,,\n', '1010', 'account_unusable', '/balance_to', /^This account is in USD/],
      ] as const) {
        const refused = await open(books, rows, balanceTo).catch((error: unknown) => error as Problem);
        assert.ok('code' in refused, rows);
        assert.deepEqual([refused.code, refused.errors?.[0]?.pointer], [code, pointer], rows);
        assert.match(refused.errors?.[0]?.detail ?? '', detail);
        assert.ok(refused.detail.includes(refused.errors?.[0]?.detail ?? 'nothing'), rows);
      }
      const many = Array.from({ length: 201 }, (_, index) => `1010,1.00,,${index + 1},`).join('\n');
      assert.equal(await refusal(open(books, many, '3000')), 'invalid_chart');
      assert.deepEqual(await own(books), []);
    });
  });

  test('says which line of the file is at fault, and why', async () => {
    const books = await world.tenant();
    const faults = async (content: string, balanceTo = '3000'): Promise<unknown> => {
      try {
        await importBalances(books, { date: '2025-12-31', content, balanceTo });
      } catch (error) {
        const { code, detail, errors } = error as Problem;
        assert.ok(detail.includes(errors?.[0]?.detail ?? 'nothing'), detail);
        return [code, ...(errors ?? []).map((fault) => [fault.pointer, fault.detail])];
      }
      return [];
    };
    assert.deepEqual(await faults('account,debit,credit\n1000,1500.00,\n4000,,\n1300,2000,\n'), [
      'invalid_amount',
      ['/content', 'line 4, debit: An amount in EUR has exactly 2 digits after the point: write 2000.00.'],
    ]);
    assert.deepEqual(await faults('account,debit,credit\n1000,1.00,1.00\n'), [
      'invalid_amount',
      ['/content', 'line 2, debit and credit: Give each line either a debit or a credit.'],
    ]);
    assert.deepEqual(await faults('account,debit,credit\n1000,1.00,\n7777,,0.50\n', '8888'), [
      'account_unusable',
      ['/content', 'line 3, account: No account in use has this code or id: list the accounts.'],
      ['/balance_to', 'No account in use has this code or id: list the accounts.'],
    ]);
  });
});
