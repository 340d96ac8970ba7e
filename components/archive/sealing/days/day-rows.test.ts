import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { sql } from '@steward/sql';
import { genesis } from '@steward/audit/chain';
import { pastChain, createWorld } from '@steward/audit/testing';
import { readDay } from './day-rows.ts';
import { Spool, sweepSpool } from './spool.ts';

class ObservedSpool extends Spool {
  readonly chunks: Buffer[] = [];

  override async write(chunk: Buffer): Promise<void> {
    this.chunks.push(chunk);
    await super.write(chunk);
  }
}

describe('the rows of a day', () => {
  test('pass by in pages, however many they are, and wait on disk for the archive', async () => {
    await using world = await createWorld();
    const { pool } = world.process();
    const tenant = await pastChain(world.admin, { days: { '2026-03-01': 9_500, '2026-03-02': 3 } });
    const [head] = await world.admin.query<{ sequence: bigint; row_hash: Buffer }>(
      sql`select sequence, row_hash from audit.head where tenant_id = ${tenant}`,
    );
    assert.ok(head);
    const folder = await mkdtemp(join(tmpdir(), 'steward-spool-'));
    let turns = 0;
    {
      await using spool = new ObservedSpool(folder);
      const begin = { tenant, day: '2026-03-01', sequence: 0, rowHash: genesis(tenant) };
      const end = { sequence: Number(head.sequence), rowHash: head.row_hash };
      const rows = await readDay(pool, begin, end, spool, async () => void (turns += 1));
      assert.equal(rows.lastSequence, 9_500);
      assert.deepEqual(
        spool.chunks.map((chunk) => chunk.toString('latin1').split('\n').length - 1),
        [4_000, 4_000, 1_500],
      );
      assert.equal(turns, 3);
      const { source, bytes } = await spool.finish();
      assert.ok(!Buffer.isBuffer(source));
      const file = await readFile(source.file);
      assert.equal(file.length, bytes);
      assert.ok(file.equals(Buffer.concat(spool.chunks)));
    }
    assert.deepEqual(await readdir(folder), [], 'nothing stays behind');
    await sweepSpool(folder);
    await rm(folder, { recursive: true });
    await sweepSpool(folder);
  });

  test('are few and stay in memory', async () => {
    await using spool = new Spool('/nowhere');
    await spool.write(Buffer.from('one\n'));
    const { source, bytes } = await spool.finish();
    assert.deepEqual([source, bytes], [Buffer.from('one\n'), 4]);
  });
});
