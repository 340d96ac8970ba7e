import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import pg from 'pg';
import { newId } from '@steward/kernel';
import { sql } from '@steward/sql';
import { createWorld, type World } from '../fixtures/world.ts';
import { recordEntry } from './record.ts';

describe('the ledger against the application’s own login', () => {
  let world: World;
  let tenant: string;
  let ids: Record<string, string>;
  before(async () => {
    world = await createWorld();
    await world.tenant();
    const books = await world.tenant();
    tenant = books.tenant;
    const entry = await recordEntry(books, {
      date: '2026-03-15',
      currency: 'EUR',
      narration: 'Cash sale',
      lines: [
        { account: '1000', debit: '119.00' },
        { account: '4000', credit: '119.00' },
      ],
    });
    const [account] = await world.admin.query<{ account_id: string }>(sql`
      select account_id from accounting.account where tenant_id <> ${tenant}::uuid limit 1`);
    ids = {
      entry: entry.id,
      own: entry.lines[0]?.accountId ?? '',
      own2: entry.lines[1]?.accountId ?? '',
      foreign: account?.account_id ?? '',
    };
  });

  after(async () => world[Symbol.asyncDispose]());

  async function attempt(...statements: readonly string[]): Promise<string | undefined> {
    const client = new pg.Client({ connectionString: world.db.appUrl });
    await client.connect();
    try {
      await client.query(`begin; set local app.tenant_id = '${tenant}'`);
      for (const text of statements) await client.query(text);
      await client.query('commit');
      return undefined;
    } catch (error) {
      return (error as pg.DatabaseError).code;
    } finally {
      await client.end();
    }
  }
  const posting = (debit: string, credit: string, amount: string): string =>
    `select accounting.post_entry('${newId()}', '2026-05-01', 'EUR', 1, 'x', 'journal', null, null, '${newId()}',
      array['${debit}']::uuid[], array['${credit}']::uuid[], array[${amount}]::bigint[], array[1]::bigint[], array[null]::text[], array[null]::text[])`;

  test('refuses to change, delete or add to what is posted', async () => {
    for (const table of ['entry', 'posting', 'balance', 'period'])
      for (const change of [
        `update accounting.${table} set tenant_id = tenant_id`,
        `delete from accounting.${table}`,
        `truncate accounting.${table}`,
      ])
        assert.equal(await attempt(change), '42501', change);
    const late = `insert into accounting.posting (tenant_id, entry_id, line, debit_account_id, credit_account_id, amount, base_amount, posting_date, number)
      values ('${tenant}', '${ids['entry']}', 9, '${ids['own']}', '${ids['own2']}', 1, 1, '2026-03-15', 1)`;
    assert.equal(await attempt(late), '42501');
    assert.equal(await attempt('set constraints all immediate', late), '42501');
    assert.equal(await attempt(`insert into accounting.entry select * from accounting.entry`), '42501');
  });

  test('refuses amounts of nothing, below nothing and beyond, and an account against itself', async () => {
    const { own = '', own2 = '', foreign = '' } = ids;
    assert.equal(await attempt(posting(own, own, '5')), '23514');
    assert.equal(await attempt(posting(own, foreign, '5')), 'AC002');
    assert.equal(await attempt(posting(own, newId(), '5')), 'AC002');
    for (const [amount, code] of [
      ['0', '23514'],
      ['-5', '23514'],
      ['9223372036854775807, 1', '22023'],
      ['9223372036854775808', '22003'],
      ['9223372036854775807', undefined],
      ['1', '22003'],
    ] as const)
      assert.equal(await attempt(posting(own, own2, amount)), code, amount);
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
