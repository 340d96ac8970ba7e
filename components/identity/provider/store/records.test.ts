import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileRecords, memoryRecords, type Records } from './records.ts';

describe('records', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'steward-records-'));
  });
  after(async () => rm(folder, { recursive: true }));
  const kinds: [string, (capacity: number) => Records<string>][] = [
    ['in files', (capacity) => fileRecords(join(folder, crypto.randomUUID()), capacity)],
    ['in memory', (capacity) => memoryRecords(capacity)],
  ];
  for (const [kind, create] of kinds) {
    it(`${kind} are found by any name, until they expire or are deleted`, async () => {
      const records = create(10);
      const names = ['a', '../../escape', 'https://client.example/?x=1', `${'x'.repeat(5000)}`, ''];
      for (const name of names) await records.set(name, name);
      for (const name of names) assert.equal(await records.get(name), name);
      await records.set('brief', 'x', Date.now() - 1);
      await records.delete('a');
      await records.delete('never there');
      await records.deleteWhere((value) => value.startsWith('https'));
      const left = await Promise.all(
        ['brief', 'a', 'https://client.example/?x=1', ''].map(async (name) => records.get(name)),
      );
      assert.deepEqual(left, [undefined, undefined, undefined, '']);
    });
  }

  it('are bounded in number, wherever they are', async () => {
    for (const records of [memoryRecords<number>(3), fileRecords<number>(join(folder, 'bounded'), 3)]) {
      for (let n = 0; n < 8; n += 1) await records.set(`${n}`, n);
      const found = await Promise.all(Array.from({ length: 8 }, async (_, n) => records.get(`${n}`)));
      assert.deepEqual([found.filter((n) => n !== undefined).length, found[7]], [3, 7]);
    }
    assert.equal((await readdir(join(folder, 'bounded'))).length, 3);
  });

  it('that were damaged on disk are gone, not fatal', async () => {
    const place = join(folder, 'damaged');
    const records = fileRecords<string>(place);
    await records.set('a', 'a');
    const [name = ''] = await readdir(place);
    await writeFile(join(place, name), '{"value":');
    assert.equal(await records.get('a'), undefined);
    await records.set('a', 'b');
    assert.equal(await records.get('a'), 'b');
  });
});
