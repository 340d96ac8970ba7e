import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { exponentOf, isCurrency, newId } from '@steward/kernel';
import { sql } from '@steward/sql';
import { attack, rawEntry, type RawEntry } from '../fixtures/attack.ts';
import { createWorld, refusal, type World } from '../fixtures/world.ts';
import { closeMonth } from '../periods/close.ts';
import { closeYear } from '../periods/close-year.ts';
import { reopenMonth } from '../periods/reopen.ts';
import { setRate } from '../rates/set.ts';
import { recordEntry } from './record.ts';

describe('the ledger against the application’s own login', () => {
  let world: World;
  let tenant: string;
  let entry: string;
  let foreign: string;
  const code: Record<string, string> = {};
  before(async () => {
    world = await createWorld();
    const other = await world.tenant();
    const books = await world.tenant();
    tenant = books.tenant;
    const posted = await recordEntry(books, {
      date: '2026-03-15',
      currency: 'EUR',
      narration: 'Cash sale',
      lines: [
        { account: '1000', debit: '119.00' },
        { account: '4000', credit: '100.00' },
        { account: '2200', credit: '19.00' },
      ],
    });
    entry = posted.id;
    const accounts = await world.admin.query<{ tenant_id: string; code: string; account_id: string }>(sql`
      select tenant_id, code, account_id from accounting.account`);
    for (const one of accounts) if (one.tenant_id === tenant) code[one.code] = one.account_id;
    foreign = accounts.find(({ tenant_id }) => tenant_id === other.tenant)?.account_id ?? '';
  });
  after(async () => world[Symbol.asyncDispose]());

  const attempt = async (...statements: readonly string[]) => attack(world, tenant, statements);
  const posting = (changes: Partial<RawEntry> = {}): string =>
    rawEntry({ kind: 'journal', postings: [[code['1000'] ?? '', code['4000'] ?? '', '5']], ...changes });
  const of = (...amounts: readonly [amount: string, base?: string][]): Partial<RawEntry> => ({
    postings: amounts.map(([amount, base]) => [code['1000'] ?? '', code['4000'] ?? '', amount, base ?? amount]),
  });

  test('refuses to change, delete or add to what is posted', async () => {
    for (const table of ['entry', 'posting', 'balance', 'period', 'series'])
      for (const change of [
        `update accounting.${table} set tenant_id = tenant_id`,
        `delete from accounting.${table}`,
        `truncate accounting.${table}`,
        `insert into accounting.${table} select * from accounting.${table}`,
      ])
        assert.equal(await attempt(change), '42501', change);
    const late = `insert into accounting.posting (tenant_id, entry_id, line, debit_account_id, credit_account_id, amount, base_amount, posting_date, number)
      values ('${tenant}', '${entry}', 9, '${code['1000']}', '${code['4000']}', 1, 1, '2026-03-15', 1)`;
    assert.equal(await attempt(late), '42501');
    assert.equal(await attempt('set constraints all immediate', late), '42501');
    assert.equal(await attempt(posting(), 'set constraints all immediate', late), '42501');
    assert.equal(await attempt(posting({ id: entry })), '23505');
  });

  test('refuses amounts of nothing, below nothing and beyond, and an account against itself', async () => {
    const { 1000: bank = '', 4000: sales = '' } = code;
    assert.equal(await attempt(posting({ postings: [[bank, bank, '5']] })), '23514');
    assert.equal(await attempt(posting({ postings: [[bank, foreign, '5']] })), 'AC002');
    assert.equal(await attempt(posting({ postings: [[bank, newId(), '5']] })), 'AC002');
    assert.equal(await attempt(posting({ postings: [] })), '22023');
    for (const [amount, state] of [
      ['0', '23514'],
      ['-5', '23514'],
      ['100000000000000001', '22003'],
      ['9223372036854775807', '22003'],
      ['9223372036854775808', '22003'],
      ['100000000000000000', undefined],
    ] as const)
      assert.equal(await attempt(posting(of([amount]))), state, amount);
    const much = Array.from({ length: 93 }, () => [bank, sales, '100000000000000000'] as const);
    assert.equal(await attempt(posting({ postings: much })), '22003', 'a balance beyond bigint');
  });

  test('refuses kinds that are no kind, or another’s; by hand no year is closed and no control account moved', async () => {
    for (const kind of ['closing', 'anything', 'reversal', ''])
      assert.equal(await attempt(posting({ kind })), '22023', kind);
    assert.equal(await attempt(posting({ reverses: entry })), '22023');
    for (const control of ['1100', '2000'])
      for (const kind of ['journal', 'opening', 'bank_line'])
        for (const postings of [
          [[code[control] ?? '', code['4000'] ?? '', '5']],
          [[code['1000'] ?? '', code[control] ?? '', '5']],
        ] as const)
          assert.equal(await attempt(posting({ kind, postings })), 'AC004', `${kind} ${control}`);
    const args = Array.from({ length: 15 }, () => 'null').join(', ');
    assert.equal(await attempt(`select accounting.write_entry(${args})`), '42501');
  });

  test('refuses currencies that are none, and base amounts that are not what the rate gives', async () => {
    for (const currency of ['ZZZ', 'XAU', 'eur', '', 'EURO'])
      assert.equal(await attempt(posting({ currency })), '23514', currency);
    assert.equal(await attempt(posting({ rate: '2' })), '22023');
    assert.equal(await attempt(posting(of(['5', '4']))), '22023');
    const yen = (rate: string, ...amounts: readonly [string, string][]): string =>
      posting({ currency: 'JPY', rate, ...of(...amounts) });
    // 3 JPY at 0.005 is 1.5 cents, two of them after rounding.
    assert.equal(await attempt(yen('0.005', ['3', '2'])), undefined);
    assert.equal(await attempt(yen('0.005', ['3', '1'])), '22023');
    assert.equal(await attempt(yen('0.5', ['1', '50'], ['3', '150'])), undefined);
    assert.equal(await attempt(yen('0.5', ['1', '52'], ['3', '148'])), '22023', 'spread as nobody would round');
    assert.equal(await attempt(yen('0', ['1', '0'])), '23514');
    assert.equal(await attempt(yen('-1', ['1', '-100'])), '23514');
    for (const [table, row] of [
      ['rate', `'${tenant}', 'ZZZ', '2026-05-01', 1`],
      ['account', `'${tenant}', '${newId()}', '9999', 'x', 'asset', null, 'ZZZ'`],
      ['party', `'${tenant}', '${newId()}', 'x', null, true, true, 'ZZZ', 0`],
    ] as const)
      assert.equal(await attempt(`insert into accounting.${table} values (${row})`), '23514', table);
  });

  test('knows the currencies of the kernel, with the same digits', async () => {
    const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
    const codes = letters.flatMap((a) => letters.flatMap((b) => letters.map((c) => a + b + c)));
    const known = await world.pool.query<{ code: string; digits: number }>(sql`
      select code, accounting.minor_digits(code) as digits from unnest(${codes}::text[]) as c (code)
      where accounting.minor_digits(code) is not null`);
    assert.deepEqual(
      known.map(({ code: one, digits }) => [one, digits]),
      codes.filter(isCurrency).map((one) => [one, exponentOf(one)]),
    );
  });

  test('refuses a reversal that is not the mirror, before its entry, or of what is not undone like that', async () => {
    const { 1000: bank = '', 4000: sales = '', 2200: tax = '' } = code;
    const mirror: RawEntry = {
      kind: 'reversal',
      reverses: entry,
      postings: [
        [sales, bank, '10000'],
        [tax, bank, '1900'],
      ],
    };
    for (const changes of [
      { postings: mirror.postings.slice(0, 1) },
      { postings: [...mirror.postings, mirror.postings[0] ?? mirror.postings[1]] as RawEntry['postings'] },
      { postings: mirror.postings.toReversed() },
      { postings: mirror.postings.map(([debit, credit, amount]) => [credit, debit, amount] as const) },
      { date: '2026-03-14' },
      { currency: 'USD' },
      { reverses: newId() },
    ] satisfies Partial<RawEntry>[])
      assert.equal(await attempt(rawEntry({ ...mirror, ...changes })), '22023', JSON.stringify(changes));
    const back = newId();
    assert.equal(await attempt(rawEntry({ ...mirror, id: back })), undefined);
    assert.equal(await attempt(rawEntry(mirror)), '23505');
    const again = mirror.postings.map(([debit, credit, amount]) => [credit, debit, amount] as const);
    assert.equal(await attempt(rawEntry({ kind: 'reversal', reverses: back, postings: again })), '22023');
  });

  test('closes a year whole or not at all, for good, and with it what lies before', async () => {
    const books = await world.tenant();
    const own = Object.fromEntries(
      (
        await world.admin.query<{ code: string; account_id: string }>(sql`
          select code, account_id from accounting.account where tenant_id = ${books.tenant}::uuid`)
      ).map(({ code: one, account_id }) => [one, account_id]),
    );
    const raw = async (...statements: readonly string[]) => attack(world, books.tenant, statements);
    const sale = (date: string): string =>
      rawEntry({ kind: 'journal', date, postings: [[own['1000'] ?? '', own['4000'] ?? '', '5']] });
    const close = (first: string): string =>
      `select accounting.close_year('${first}', '${newId()}', '${newId()}', 'x')`;
    assert.equal(await raw(sale('2024-05-01'), sale('2025-05-01')), undefined);
    assert.equal(await raw(close('2025-01-01')), 'AC006');
    await assert.rejects(closeYear(books, { day: '2025-07-01' }), {
      code: 'earlier_year_open',
      detail: 'The fiscal year from 2024-01 to 2024-12 is not closed: close it first.',
    });
    assert.equal(await raw(close('2024-02-01')), '22023');
    assert.equal(await raw(close('2026-01-01')), 'AC005');
    assert.equal(await raw(close('9999-01-01')), '22023');
    const two = await closeYear(books, { day: '2024-07-01' });
    assert.deepEqual(
      two.entry?.lines.map(({ code: one, debit, credit }) => [one, debit?.amount, credit?.amount]),
      [
        ['4000', '0.05', undefined],
        ['3900', undefined, '0.05'],
      ],
    );
    assert.equal(await raw(close('2024-01-01')), 'AC003');
    for (const month of ['2024-01-01', '2024-12-01', '2023-12-01'])
      assert.equal(await raw(`select accounting.set_period('${month}', 'open')`), 'AC003', month);
    for (const day of ['2024-12-31', '2023-12-31', '1999-01-01']) {
      assert.equal(await raw(sale(day)), 'AC001', day);
      assert.equal(await raw(`select accounting.hold_month('${day}')`), 'AC001', day);
    }
    const closing = two.entry?.id ?? '';
    const mirror = rawEntry({
      kind: 'reversal',
      reverses: closing,
      postings: [[own['3900'] ?? '', own['4000'] ?? '', '5']],
    });
    assert.equal(await raw(mirror), '22023', 'a year’s closing is not taken back');
    assert.equal(await raw(`select accounting.set_period('2025-05-01', 'done')`), '23514');
    assert.equal(await raw(`select accounting.set_period('2025-05-02', 'closed')`), '23514');
    for (const day of ['1899-12-31', '2200-01-01', 'infinity']) assert.equal(await raw(sale(day)), '22008', day);
    assert.equal(await raw(`select accounting.set_period('2200-01-01', 'closed')`), '22008');
    await closeMonth(books, { month: '2025-05-01' });
    await reopenMonth(books, { month: '2025-05-01', reason: 'A late bill' });
  });

  test('carries a year with gains and losses on many accounts, archived ones too, and leaves them at nothing', async () => {
    const books = await world.tenant();
    const line = (account: string, amount: string) =>
      amount.startsWith('-') ? { account, credit: amount.slice(1) } : { account, debit: amount };
    const lines = [
      ['1000', '20.03'],
      ['4000', '-100.00'],
      ['4010', '-0.07'],
      ['4090', '12.00'],
      ['6100', '50.00'],
      ['6200', '18.04'],
    ].map(([account = '', amount = '']) => line(account, amount));
    await recordEntry(books, { date: '2025-02-03', currency: 'EUR', narration: 'A year', lines });
    await world.admin.query(sql`
      update accounting.account set archived_at = now() where tenant_id = ${books.tenant}::uuid and code = '4010'`);
    const { entry: closing } = await closeYear(books, { day: '2025-12-31' });
    const moved = Object.fromEntries(
      (closing?.lines ?? []).map(({ code: one, debit, credit }) => [one, debit?.amount ?? `-${credit?.amount}`]),
    );
    assert.deepEqual(moved, {
      '4000': '100.00',
      '4010': '0.07',
      '4090': '-12.00',
      '6100': '-50.00',
      '6200': '-18.04',
      '3900': '-20.03',
    });
    const nothing = await closeYear(await world.tenant(), { day: '2025-12-31' });
    assert.equal(nothing.entry, null);
  });

  test('keeps the rates of days in closed months', async () => {
    const books = await world.tenant();
    const rate = (day: string, value: string, currency = 'USD') => setRate(books, { currency, day, rate: value });
    await rate('2026-02-10', '0.9');
    await closeMonth(books, { month: '2026-02-01' });
    assert.equal(await refusal(rate('2026-02-10', '0.8')), 'period_closed');
    assert.equal(await refusal(rate('2026-02-28', '0.8')), 'period_closed');
    assert.equal(await refusal(rate('2026-02-10', '0.90')), 'nothing was refused', 'the same again changes nothing');
    await rate('2026-03-01', '0.8');
    const raw = async (text: string) => attack(world, books.tenant, [text]);
    assert.equal(await raw(`update accounting.rate set rate = 2 where day = '2026-02-10'`), 'AC001');
    assert.equal(await raw(`insert into accounting.rate values ('${books.tenant}', 'GBP', '2026-02-01', 2)`), 'AC001');
    assert.equal(await raw(`update accounting.rate set day = '2026-02-11'`), '42501');
    assert.equal(await raw('delete from accounting.rate'), '42501');
    await reopenMonth(books, { month: '2026-02-01', reason: 'A wrong rate' });
    await rate('2026-02-10', '0.8');
    for (const value of ['0', '-1', '1e3', '0.0000000000001', '1234567890123', ''])
      assert.equal(await refusal(rate('2026-03-02', value)), 'invalid_rate', value);
    assert.equal(
      await refusal(
        recordEntry(books, {
          date: '2026-03-02',
          currency: 'USD',
          rate: 'nought',
          narration: 'x',
          lines: [
            { account: '1000', debit: '1.00' },
            { account: '4000', credit: '1.00' },
          ],
        }),
      ),
      'invalid_rate',
    );
  });

  test('refuses a transaction that would judge by an old snapshot', async () => {
    for (const level of ['repeatable read', 'serializable'])
      for (const text of [
        posting(),
        `select accounting.hold_month('2026-05-01')`,
        `select accounting.set_period('2026-05-01', 'closed')`,
      ])
        assert.equal(await attempt(`set transaction isolation level ${level}`, text), '25001', text);
  });

  test('refuses the owner of the tables too, whatever the replication role', async () => {
    for (const table of ['entry', 'posting'])
      await assert.rejects(
        world.admin.withClient(async (client) => {
          await client.query('begin; set local session_replication_role = replica');
          try {
            await client.query(`delete from accounting.${table}`);
          } finally {
            await client.query('rollback');
          }
        }),
        /immutable/,
      );
  });
});
