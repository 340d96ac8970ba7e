import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { permit } from '@steward/access';
import { createTenancy, openPool, sql, inTransaction, type SqlPool, type TenantContext } from '@steward/sql';
import { code, approvalsApi, members, openSuite, text, type Suite } from '../fixtures/suite.ts';
import type { Answer } from '../fixtures/world.ts';
import { eraseMentions } from './erase-mentions.ts';

const platform = permit('anything', ['platform']);
const itself = { type: 'system', id: 'test' } as const;

describe('erasing what actions say of somebody', () => {
  let suite: Suite;
  let tenant: string;
  let pool: SqlPool;
  let context: TenantContext;
  before(async () => {
    suite = await openSuite();
    tenant = await suite.server.tenant(members);
    pool = openPool({ url: suite.databaseUrl, size: 4 });
    const none = async (): Promise<void> => undefined;
    context = createTenancy({ pool, openTenant: () => sql`select 1`, append: none, publish: none }).systemContext({
      tenant,
      chain: [itself],
      subject: itself,
      caller: itself,
      requestId: 'r',
      correlationId: 'c',
    });
  });
  after(async () => {
    await pool.close();
    await suite[Symbol.asyncDispose]();
  });
  const erase = async (texts: string[], except: string[] = []): Promise<number> =>
    context.require(platform).write(async (tx) => eraseMentions(tx, texts, except));

  test('empties them whatever the case, rejects what waits, and spares others and tools that hold ids alone', async () => {
    const at = approvalsApi(suite.server, tenant);
    const gone = await at.ask('service_move_funds', { payee: 'Ann@Example.com', amount: '1.00' });
    const stays = await at.ask('service_move_funds', { payee: 'bea', amount: '1.00' });
    assert.equal(await erase(['ann@example.com'], ['service_move_funds']), 0);
    assert.equal(await erase(['ann@example.com']), 1);
    assert.equal(await erase(['ann@example.com']), 0);
    const shown = await at.get(gone);
    assert.deepEqual(
      [shown['state'], shown['arguments'], shown['preview'], shown['summary'], shown['result']],
      ['rejected', {}, null, 'Erased.', null],
    );
    assert.ok(!JSON.stringify(shown).toLowerCase().includes('ann@'));
    assert.equal((await at.approve(gone, 'person:bob', text(shown['previewHash']))).status, 409);
    assert.equal(await at.state(stays), 'pending');
  });

  test('takes an address as a whole: whose address is longer keeps their action', async () => {
    const at = approvalsApi(suite.server, tenant);
    const stays = await at.ask('service_move_funds', { payee: 'tom@example.com', amount: '1.00' });
    const goes = await at.ask('service_move_funds', { payee: 'm@example.co', amount: '1.00' });
    assert.equal(await erase(['m@example.co']), 1);
    assert.deepEqual([await at.state(stays), await at.state(goes)], ['pending', 'rejected']);
  });

  test('comes before a preview that was rehearsed before it: that is not bound to any decision after it', async () => {
    const at = approvalsApi(suite.server, tenant);
    const id = await at.ask('service_move_funds', { payee: 'cid', amount: '1.00' });
    const deciding = Promise.withResolvers<Answer>();
    await inTransaction(pool, [sql`select set_config('app.tenant_id', ${tenant}, true)`], async (tx) => {
      await tx.query(sql`insert into pay.book (tenant_id) values (${tenant}::uuid) on conflict do nothing`);
      await tx.query(sql`select from pay.book where tenant_id = ${tenant}::uuid for update`);
      void at.approve(id, 'person:bob').then(deciding.resolve, deciding.reject);
      // Its rehearsal has begun, and waits.
      for (let waits = false; !waits;) {
        const [row] = await pool.query<{ waits: boolean }>(sql`
          select exists (select from pg_stat_activity where datname = current_database()
            and wait_event_type = 'Lock' and query like '%pay.book%') as waits`);
        waits = row?.waits === true;
      }
      assert.equal(await erase(['dan@example.com']), 0);
    });
    assert.deepEqual(code(await deciding.promise), [409, 'conflict']);
    assert.equal(await at.state(id), 'pending');
    assert.equal((await at.approve(id, 'person:bob')).status, 200);
  });
});
