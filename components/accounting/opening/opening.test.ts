import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Problem } from '@steward/kernel';
import { createWorld, refusal, type World } from '../fixtures/world.ts';
import { listAccounts } from '../accounts/list.ts';
import { trialBalance } from '../reports/trial-balance.ts';
import { reverseEntry } from '../journal/reverse.ts';
import { recordEntry } from '../journal/record.ts';
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
        `Entry ${done.value.entry.number} already opened these books on ${done.value.entry.date}.`,
      ),
    );
    await reverseEntry(books, { id: done.value.entry.id, date: '2026-01-01', narration: 'The wrong file' });
    assert.equal((await open('2026-01-01')).entry.kind, 'opening');
    assert.equal(
      (await trialBalance(books, { asOf: '2026-01-01' })).rows.find(({ code }) => code === '1000')?.debit?.amount,
      '100.00',
    );
  });

  test('leaves an account in another currency to an entry in that currency: it would hold what no revaluation finds', async () => {
    const books = await world.tenant();
    await importChart(books, { content: 'code,name,type,currency\n1010,US account,bank,USD\n' });
    const content = 'account,debit,credit\n1000,100.00,\n1010,1000.00,\n';
    const refused = await importBalances(books, { date: '2025-12-31', content, balanceTo: '3000' }).catch(
      (error: unknown) => error as Problem,
    );
    assert.ok('code' in refused && refused.code === 'account_unusable');
    assert.match(refused.detail, /^line 3, account: This account is in USD/);
    assert.deepEqual((await trialBalance(books, { asOf: '2025-12-31' })).rows, []);
    await setRate(books, { currency: 'USD', day: '2025-12-31', rate: '0.9' });
    const line = { account: '1010', debit: '1000.00' };
    const entry = {
      date: '2025-12-31',
      currency: 'USD',
      narration: 'Opening balance',
      lines: [line, { account: '3000', credit: '1000.00' }],
    };
    await recordEntry(books, entry);
    const { items } = await revalue(books, { day: '2025-12-31' });
    assert.equal(items, 0, 'at the same rate nothing changes');
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
