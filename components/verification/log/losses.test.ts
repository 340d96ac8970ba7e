import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createDatabaseProxy, type DatabaseProxy } from '@steward/testing';
import { pastChain } from '@steward/audit/testing';
import { createSealingWorld, sealed, type SealingWorld } from '@steward/archive/testing';
import { logOptions, told } from '../fixtures/verdict.ts';
import { type LogOptions, verifyLog } from './verify-log.ts';

/** As many as two threads are worth. */
const rows = 20_000;
const again = /was lost once, and everything was read again/;

describe('a connection that is lost while the log is read', () => {
  let site: SealingWorld;
  let proxy: DatabaseProxy;
  let large: string;
  let wrong: string;
  let options: LogOptions;
  before(async () => {
    site = await createSealingWorld();
    const { admin, database } = site.world;
    [large = '', wrong = ''] = [crypto.randomUUID(), crypto.randomUUID()].toSorted();
    await pastChain(admin, { tenant: large, days: { '2026-03-01': rows } });
    await pastChain(admin, { tenant: wrong, days: { '2026-03-01': 8 } });
    await sealed(site.process().archive, '2026-03-01');
    await admin.withClient(async (client) => {
      await client.query('alter table audit.event disable trigger all');
      await client.query(`update audit.event set type = 'commerce.order.lost' where tenant_id = $1 and sequence = 5`, [
        wrong,
      ]);
    });
    proxy = await createDatabaseProxy(database.ownerUrl);
    options = { ...logOptions(site), ownerUrl: proxy.through(database.ownerUrl) };
  });
  after(async () => {
    await proxy[Symbol.asyncDispose]();
    await site[Symbol.asyncDispose]();
  });

  for (const workers of [1, 2])
    test(`is had again, and what is found is what is there, workers: ${workers}`, async () => {
      const whole = await verifyLog({ ...options, workers });
      assert.deepEqual(told(whole.findings, wrong), ['copy 5-5']);
      // Of the rows, the last message, by which they are known to be all.
      proxy.loseCommit(workers === 1 ? `COPY ${rows + 8}` : `COPY ${rows}`);
      const { notes, ...cut } = await verifyLog({ ...options, workers });
      assert.match(notes.at(-1) ?? '', again);
      assert.deepEqual({ ...cut, notes: notes.slice(0, -1) }, whole);
    });

  test('is another thing than a lock that somebody holds, which is not waited for without end', async () => {
    const { admin } = site.world;
    await admin.withClient(async (client) => {
      await client.query('begin');
      await client.query('lock table audit.event in access exclusive mode');
      await assert.rejects(verifyLog({ ...options, workers: 1 }), { code: '55P03' });
      await client.query('rollback');
    });
  });

  test('of every thread and of the one that holds the snapshot at once, as where another server takes over', async () => {
    let cuts = 0;
    const onProgress = (): void => {
      if (cuts === 0) proxy.cut();
      cuts += 1;
    };
    const { findings, events, notes } = await verifyLog({ ...options, workers: 2, onProgress });
    assert.deepEqual([told(findings, wrong), told(findings, large), events], [['copy 5-5'], [], rows + 8]);
    assert.match(notes.at(-1) ?? '', again);
  });

  test('again and again ends in a sentence', async () => {
    await assert.rejects(verifyLog({ ...options, onProgress: () => proxy.cut() }), {
      message: /was lost 4 times while the log was read, and nothing is said about it: run this again/,
    });
  });

  test('for good ends in a sentence, and a database that was never there is told of at once', async () => {
    const gone = await createDatabaseProxy(site.world.database.ownerUrl);
    const ownerUrl = gone.through(site.world.database.ownerUrl);
    let closed: PromiseLike<void> | undefined;
    const onProgress = (): void => void (closed ??= gone[Symbol.asyncDispose]());
    await assert.rejects(verifyLog({ ...options, ownerUrl, onProgress, reconnectSeconds: 2 }), {
      message: /was lost while the log was read, and none was found again in 2 s: run this again/,
    });
    await closed;
    await assert.rejects(verifyLog({ ...options, ownerUrl }), { message: /does not answer there/ });
  });
});
