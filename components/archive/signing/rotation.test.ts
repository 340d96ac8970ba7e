import assert from 'node:assert/strict';
import { mkdtemp, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { pastChain, serve, sample } from '@steward/audit/testing';
import { readKeyNote } from '../format/key-note.ts';
import { keyPath } from '../format/paths.ts';
import { archiveVerdict, createSealingWorld, objectsOf, sealed } from '../fixtures/sealing.ts';
import { takeBackup } from '../fixtures/backup.ts';
import { keySource, nextPath } from './key-file.ts';
import { createKeyring, KeyUnavailable } from './keyring.ts';

const path = (dataDir: string): string => join(dataDir, 'audit', 'signing-key.pem');

describe('a rotated key', () => {
  test('is vouched for by the one before, taken up by a running process, and breaks no old signature', async () => {
    await using site = await createSealingWorld();
    const running = site.process();
    await running.start();
    await pastChain(site.world.admin, { days: { '2026-03-01': 2 } });
    await sealed(running.archive, '2026-03-01');
    const [first] = await running.archive.keys.registered();
    assert.ok(first);
    const rotation = await site.process().archive.rotateKey({ lost: false });
    assert.deepEqual([rotation.previous, rotation.configured], [first.keyId, false]);
    await sealed(running.archive, '2026-03-02');

    const keys = await running.archive.keys.registered();
    assert.deepEqual(
      keys.map(({ keyId }) => keyId),
      [first.keyId, rotation.key.keyId],
    );
    const note = await readFile(join(site.folder, keyPath(rotation.key.keyId)), 'utf8');
    assert.equal(readKeyNote(note).previous, first.verifierKey);
    // Whoever trusts either of them can follow to the other.
    for (const trusted of keys) {
      const verdict = await archiveVerdict(site.folder, [trusted]);
      assert.deepEqual([verdict.findings, verdict.days], [[], 2]);
    }
    assert.deepEqual(
      await readdir(join(site.world.dataDir, 'audit')).then((names) => names.filter((name) => name.endsWith('.next'))),
      [],
    );
  });

  test('is finished by whoever comes next when its rotation was cut off, before or after it was registered', async () => {
    await using site = await createSealingWorld();
    const { dataDir } = site.world;
    const { archive, pool } = site.process();
    const source = keySource(undefined, dataDir);
    const old = await createKeyring(pool, source).signer();
    const { key } = await archive.rotateKey({ lost: false });
    // As it was a moment before the file was moved.
    const pem = await readFile(path(dataDir), 'utf8');
    await rename(path(dataDir), nextPath(path(dataDir), key.keyId));
    await writeFile(path(dataDir), old.privateKey.export({ format: 'pem', type: 'pkcs8' }));
    assert.equal((await createKeyring(pool, source).signer()).keyId, key.keyId);
    assert.equal(await readFile(path(dataDir), 'utf8'), pem);
    // A key that nobody registered stays out of the way.
    await writeFile(nextPath(path(dataDir), 'ab'.repeat(8)), pem);
    assert.equal((await createKeyring(pool, source).signer()).keyId, key.keyId);
  });

  test('is one, when two rotate at once', async () => {
    await using site = await createSealingWorld();
    const { pool } = site.process();
    await createKeyring(pool, keySource(undefined, site.world.dataDir)).signer();
    const both = await Promise.allSettled([1, 2].map(async () => site.process().archive.rotateKey({ lost: false })));
    const done = both.flatMap((one) => (one.status === 'fulfilled' ? [one.value.key.keyId] : []));
    assert.ok(done.length >= 1);
    for (const one of both) {
      if (one.status === 'rejected')
        assert.match(String(one.reason), /rotated the key at the same time|signed with key/);
    }
    const keyring = createKeyring(pool, keySource(undefined, site.world.dataDir));
    assert.equal((await keyring.signer()).keyId, (await keyring.registered()).at(-1)?.keyId);
    assert.ok(done.includes((await keyring.signer()).keyId));
  });

  test('that the database has forgotten, restored from a backup, is learned from the archive', async () => {
    await using site = await createSealingWorld();
    const one = site.process();
    await pastChain(site.world.admin, { days: { '2026-03-01': 1 } });
    await sealed(one.archive, '2026-03-01');
    const backup = await takeBackup(site.world.database);
    await one.archive.rotateKey({ lost: false });
    await sealed(one.archive, '2026-03-02');
    const { key } = await one.archive.rotateKey({ lost: false });
    await sealed(one.archive, '2026-03-03');
    await backup.restore();
    const two = site.process();
    await two.archive.takeOver('a backup was restored');
    await sealed(two.archive, '2026-03-04');
    const keys = await two.archive.keys.registered();
    assert.deepEqual([keys.length, keys.at(-1)?.keyId], [3, key.keyId]);
    assert.deepEqual((await archiveVerdict(site.folder, keys.slice(0, 1))).findings, []);
  });
});

describe('a key of a backup from before a rotation', () => {
  test('signs nothing: claim and start refuse and say what to bring, and with the newest key it goes on', async () => {
    await using site = await createSealingWorld();
    const { admin, database, dataDir } = site.world;
    const one = site.process();
    const tenant = await pastChain(admin, { days: { '2026-03-01': 1 } });
    await sealed(one.archive, '2026-03-01');
    const [first] = await one.archive.keys.registered();
    const backup = await takeBackup(database);
    const old = await readFile(path(dataDir), 'utf8');
    await one.archive.rotateKey({ lost: false });
    const newest = await readFile(path(dataDir), 'utf8');
    await one.audit.ingest(one.as(tenant, 'alice'), sample(), 'snake');
    await sealed(one.archive, '2026-03-02');
    await one.archive.checkpoint();
    const before = await objectsOf(site.folder);
    await one.stop();
    await backup.restore();
    await writeFile(path(dataDir), old);
    const refused = /which followed [0-9a-f]{16}, .*rotate-key.*Bring the newest key: .*signing-key.pem/;
    const two = site.process();
    await assert.rejects(two.archive.takeOver('a backup was restored'), refused);
    await assert.rejects(two.start(), refused);
    await assert.rejects(two.archive.seal({ through: '2026-03-03' }), refused);
    // The archive was away when it started.
    let away = true;
    const late = site.process({
      openArchive: async () => {
        if (away) throw new Error('no such host');
        return site.open();
      },
    });
    await late.start();
    away = false;
    await assert.rejects(late.archive.checkpoint(), refused);
    await using door = await serve(late);
    const event = { tenant, body: sample(), headers: { prefer: 'receipt' } };
    const { status, body } = await door.call('/api/audit/events', event);
    assert.deepEqual([status, body['receipt']], [201, undefined]);
    assert.deepEqual(await objectsOf(site.folder), before);

    await writeFile(path(dataDir), newest);
    const three = site.process();
    const { claim } = await three.archive.takeOver('a backup was restored');
    assert.deepEqual(
      claim.lost.map((head) => head.tenant),
      [tenant],
    );
    await three.start();
    await sealed(three.archive, '2026-03-04');
    const known = await archiveVerdict(site.folder, first === undefined ? [] : [first], claim.incarnation);
    assert.deepEqual(known.findings, []);
  });
});

describe('a process with another key', () => {
  test('serves and says what to do, seals nothing, and signs no receipt that nobody could check', async () => {
    await using site = await createSealingWorld();
    const right = site.process();
    await right.start();
    const folder = await mkdtemp(join(tmpdir(), 'steward-other-'));
    await createKeyring(right.pool, keySource(undefined, folder))
      .signer()
      .then(
        () => assert.fail('there is no key in that folder, and none is made beside the one that is registered'),
        (error: unknown) => assert.ok(error instanceof KeyUnavailable),
      );
    await using strange = await createSealingWorld();
    await strange.process().start();
    await rename(path(strange.world.dataDir), join(folder, 'key.pem'));
    const wrong = site.process({ signingKey: join(folder, 'key.pem') });
    await wrong.start();
    await pastChain(site.world.admin, { days: { '2026-03-01': 1 } });
    await assert.rejects(sealed(wrong.archive, '2026-03-01'), /the same key .*AUDIT_SIGNING_KEY.*restore it.*--lost/);
    await using door = await serve(wrong);
    const tenant = await wrong.tenant();
    const { status, headers, body } = await door.call('/api/audit/events', {
      tenant,
      body: sample(),
      headers: { prefer: 'receipt' },
    });
    assert.deepEqual([status, headers.get('preference-applied'), body['receipt']], [201, null, undefined]);
    await rm(folder, { recursive: true });
  });

  test('signs nothing new with a key of the past, no receipt either; the notes say when its time ended', async () => {
    await using site = await createSealingWorld();
    const old = site.process();
    await old.start();
    const pem = await readFile(path(site.world.dataDir), 'utf8');
    await site.process().archive.rotateKey({ lost: false });
    const late = site.process({ signingKey: pem });
    await assert.rejects(sealed(late.archive, '2026-03-01'), KeyUnavailable);
    await using door = await serve(late);
    const tenant = await late.tenant();
    const { body } = await door.call('/api/audit/events', { tenant, body: sample(), headers: { prefer: 'receipt' } });
    assert.equal(body['receipt'], undefined);
    const keys = (await door.call('/api/audit/keys', {})).body['items'] as Record<string, string | null>[];
    assert.deepEqual(
      keys.map((key) => [key['current'], /^\d{4}-/.test(key['from'] ?? ''), /^\d{4}-/.test(key['retired'] ?? '')]),
      [
        [false, true, true],
        [true, true, false],
      ],
    );
  });

  test('may begin anew where the key is lost for good; auditors then need both', async () => {
    await using site = await createSealingWorld();
    const { archive } = site.process();
    await pastChain(site.world.admin, { days: { '2026-03-01': 1 } });
    await sealed(archive, '2026-03-01');
    await rm(path(site.world.dataDir));
    const { archive: next } = site.process();
    await assert.rejects(sealed(next, '2026-03-02'), /there is none at/);
    await next.rotateKey({ lost: true });
    await sealed(next, '2026-03-02');
    const keys = await next.keys.registered();
    assert.equal(readKeyNote(keys[1]?.note ?? '').previous, undefined);
    assert.deepEqual((await archiveVerdict(site.folder, keys)).findings, []);
    assert.notDeepEqual((await archiveVerdict(site.folder, keys.slice(0, 1))).findings, []);
  });
});
