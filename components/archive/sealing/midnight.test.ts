import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { newId } from '@steward/kernel';
import { jobRole, quote, sql } from '@steward/sql';
import { pastChain, sample } from '@steward/audit/testing';
import { verifyChains } from '@steward/verification';
import { createSealingWorld, sealed } from '../fixtures/sealing.ts';
import { beginOf, dayAfter, dayBefore, dayOf, daysBetween, isDay } from './calendar.ts';
import { dueDays, lastOver, markSealed } from './statements.ts';

describe('midnight', () => {
  test('is passed by every event on one side or the other, however the mark and appends meet', async () => {
    await using site = await createSealingWorld();
    const { admin, database } = site.world;
    const one = site.process();
    const two = site.process();
    const tenants = [await one.tenant(), await one.tenant()];
    const count = async (): Promise<bigint> => {
      const [row] = await admin.query<{ count: bigint }>(
        sql`select count(*) from audit.event where received_at < (clock_timestamp() at time zone 'UTC')::date + 1`,
      );
      return row?.count ?? -1n;
    };
    const over = new AbortController();
    const callers = Array.from({ length: 12 }, async (_, n) => {
      const { audit, as } = n % 2 === 0 ? one : two;
      for (let after = 0; after < 3; after += over.signal.aborted ? 1 : 0)
        await audit.ingest(as(tenants[n % tenants.length] ?? '', 'alice'), sample(), 'snake');
    });
    // The mark of a day that goes on is what the day's end looks like to a clock that was set back.
    await admin.withClient(async (client) => {
      await client.query(`set role ${quote(jobRole(database.name, 'audit_sealer'))}`);
      await new Promise((resolve) => setTimeout(resolve, 150));
      await client.query(`update audit.head set sealed_through = (clock_timestamp() at time zone 'UTC')::date`);
      await client.query('reset role');
    });
    const atTheMark = await count();
    over.abort();
    await Promise.all(callers);
    assert.ok(atTheMark > 2n);
    assert.equal(await count(), atTheMark, 'nothing landed in the sealed day any more');
    const [late] = await admin.query<{ count: bigint; times: bigint }>(
      sql`select count(*), count(distinct received_at) as times from audit.event
        where received_at >= (clock_timestamp() at time zone 'UTC')::date + 1`,
    );
    assert.ok((late?.count ?? 0n) >= 36n);
    assert.equal(late?.times, 1n, 'what came in the meantime is the first of the next day');
    assert.deepEqual((await verifyChains({ ownerUrl: database.ownerUrl })).findings, []);
  });

  test('moves no mark backwards, and none for the application itself', async () => {
    await using site = await createSealingWorld();
    const { pool } = site.process();
    const tenant = await pastChain(site.world.admin, { days: { '2026-03-01': 1 } });
    await markSealed(pool, '2026-03-05', [tenant]);
    await markSealed(pool, '2026-03-02', [tenant]);
    const [head] = await site.world.admin.query<{ day: string }>(
      sql`select sealed_through::text as day from audit.head where tenant_id = ${tenant}`,
    );
    assert.equal(head?.day, '2026-03-05');
    await assert.rejects(pool.query(sql`update audit.head set sealed_through = null`), { code: '42501' });
    await assert.rejects(pool.query(sql`insert into audit.signing_key values (1, 'a', 'b', 'c')`), { code: '42501' });
  });

  test('waits for a head that somebody holds, and for that one only', async () => {
    await using site = await createSealingWorld();
    const { pool, archive } = site.process();
    const { admin } = site.world;
    const [held, free] = [
      await pastChain(admin, { days: { '2026-03-01': 1 } }),
      await pastChain(admin, { days: { '2026-03-01': 1 } }),
    ];
    const marked = async (tenant: string): Promise<boolean> => {
      const [head] = await admin.query<{ marked: boolean }>(
        sql`select sealed_through is not null as marked from audit.head where tenant_id = ${tenant}`,
      );
      return head?.marked === true;
    };
    let sealing: Promise<unknown> | undefined;
    await admin.withClient(async (client) => {
      await client.query('begin');
      await client.query('select from audit.head where tenant_id = $1 for update', [held]);
      sealing = sealed(archive, '2026-03-01');
      while (!(await marked(free))) await pool.query(sql`select 1`);
      assert.equal(await marked(held), false);
      await client.query('commit');
    });
    await sealing;
    assert.ok(await marked(held));
  });

  test('finds no tenant half born: sealing waits for chains that are being opened', async () => {
    await using site = await createSealingWorld();
    const { archive, pool } = site.process();
    await pastChain(site.world.admin, { days: { '2026-03-01': 1 } });
    let sealing: Promise<unknown> | undefined;
    const born = newId();
    await pool.withClient(async (client) => {
      await client.query('begin');
      await client.query(`select set_config('app.tenant_id', $1, true)`, [born]);
      await client.query('select audit.open_chain($1)', [born]);
      sealing = sealed(archive, '2026-03-01');
      const waits = sql`select from pg_locks where locktype = 'advisory' and not granted
        and database = (select oid from pg_database where datname = current_database())`;
      while ((await site.world.admin.query(waits)).length === 0);
      assert.equal((await site.world.admin.query(sql`select from audit.sealed_day`)).length, 0);
      await client.query('commit');
    });
    await sealing;
    assert.equal((await site.world.admin.query(sql`select from audit.sealed_day`)).length, 1);
  });

  test('is over for the sealer after the grace that is given', async () => {
    await using site = await createSealingWorld();
    const { pool } = site.process();
    const [now] = await pool.query<{ at: Date }>(sql`select clock_timestamp() as at`);
    const today = dayOf(now?.at.getTime() ?? 0);
    const minutes = Math.floor(((now?.at.getTime() ?? 0) - beginOf(today)) / 60_000);
    const { day, untilNext } = await lastOver(pool, 0);
    assert.equal(day, dayBefore(today));
    assert.ok(untilNext > 0 && untilNext <= 86_400_000);
    const late = await lastOver(pool, minutes + 2);
    assert.equal(late.day, dayBefore(dayBefore(today)));
    assert.ok(late.untilNext <= 120_000);
  });

  test('ends a day of the calendar', () => {
    assert.equal(dayAfter('2028-02-28'), '2028-02-29');
    assert.equal(dayBefore('2026-01-01'), '2025-12-31');
    assert.equal(daysBetween('2026-03-28', '2026-03-30'), 2);
    assert.deepEqual(['2026-02-29', '2026-3-1', '2026-13-01', '', '2026-02-28'].map(isDay), [
      false,
      false,
      false,
      false,
      true,
    ]);
  });

  test('finds who is due, however many days ago', async () => {
    await using site = await createSealingWorld();
    const { pool } = site.process();
    const { admin } = site.world;
    await pastChain(admin, { days: { '2026-03-01': 1 } });
    await pastChain(admin, { days: { '2026-03-01': 1 } });
    await pastChain(admin, { days: { '2026-03-04': 1 } });
    assert.deepEqual(await dueDays(pool, '2026-03-03', undefined), [{ day: '2026-03-01', tenants: 2 }]);
    assert.deepEqual(await dueDays(pool, '2026-03-04', undefined), [
      { day: '2026-03-01', tenants: 2 },
      { day: '2026-03-04', tenants: 1 },
    ]);
  });
});
