import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { createKey, generateKey, keySource, readKey } from './key-file.ts';

describe('the signing key', () => {
  test('is one however many processes start at once, readable by its owner only', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'steward-key-'));
    const source = keySource(undefined, folder);
    assert.equal(await readKey(source), undefined);
    const path = join(folder, 'audit', 'signing-key.pem');
    const keys = await Promise.all(Array.from({ length: 8 }, async () => createKey(path)));
    assert.equal(new Set(keys.map(({ keyId }) => keyId)).size, 1);
    assert.equal((await readKey(source))?.publicKey, keys[0]?.publicKey);
    assert.equal((await stat(path)).mode & 0o777, 0o600);
    assert.match(await readFile(path, 'utf8'), /BEGIN PRIVATE KEY/);
    await writeFile(path, 'nonsense');
    await assert.rejects(readKey(source), /restore it from your backup/);
    await rm(folder, { recursive: true });
  });

  test('may come from the configuration, as a path or as text on one line', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'steward-key-'));
    const { pem, key } = generateKey();
    const path = join(folder, 'key.pem');
    await writeFile(path, pem);
    for (const given of [path, pem, pem.replaceAll('\n', '\\n')])
      assert.equal((await readKey(keySource(given, folder)))?.keyId, key.keyId);
    await assert.rejects(readKey(keySource('-----BEGIN nothing', folder)), /AUDIT_SIGNING_KEY/);
    await rm(folder, { recursive: true });
  });
});
