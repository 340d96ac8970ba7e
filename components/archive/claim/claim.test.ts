import { openProcess } from '../fixtures/process.ts';
import assert from 'node:assert/strict';
import { cp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { sql } from '@steward/sql';
import { pastChain } from '@steward/audit/testing';
import { claimPath, dayPaths, hourPath } from '../format/paths.ts';
import { takeBackup } from '../fixtures/backup.ts';
import { createSealingWorld, objectsOf, openFolder, sealed } from '../fixtures/sealing.ts';
import { readClaim } from './note.ts';

const silent = { graceMinutes: 1439 };
const refused = /belongs to another database .*AUDIT_ARCHIVE, DATA_DIR.*steward audit claim --reason/;

describe('an archive', () => {
  test('belongs to one database: a copy is refused at start and in all it does, and nothing is written', async () => {
    await using site = await createSealingWorld();
    const { database, dataDir, admin } = site.world;
    // Any number of processes of one database claim it at once.
    const many = [1, 2, 3, 4].map(() => site.process());
    const tenant = await pastChain(admin, { days: { '2026-03-01': 2 } });
    await many[0]?.start();
    await Promise.all(many.map(async (one) => sealed(one.archive, '2026-03-02')));
    const before = await objectsOf(site.folder);
    assert.deepEqual(
      [...before.keys()].filter((path) => path.startsWith('platform/claims/')),
      [claimPath(1)],
    );
    const backup = await takeBackup(database);
    const copy = openProcess(backup.appUrl, { dataDir, openArchive: site.open });
    await assert.rejects(copy.start(), refused);
    await assert.rejects(copy.archive.seal({ through: '2026-03-03' }), refused);
    await assert.rejects(copy.archive.checkpoint(), refused);
    const wish = { retentionDays: 1, dryRun: false };
    await assert.rejects(copy.archive.expire(copy.system(tenant), wish), refused);
    assert.deepEqual(await objectsOf(site.folder), before);

    // Taken over by command, once; then the first one is the copy.
    const { claim, changed } = await copy.archive.takeOver('the machine was replaced');
    assert.deepEqual([claim.number, claim.incarnation, changed, claim.lost], [2, 1, true, []]);
    for (const _ of [1, 2]) await copy.archive.noteTakenOver(copy.system(tenant), claim);
    assert.equal((await copy.archive.takeOver('again')).changed, false);
    await copy.start();
    await sealed(copy.archive, '2026-03-03');
    const events = await copy.pool.withClient(async (client) => {
      await client.query('begin');
      await client.query(`select set_config('app.tenant_id', '${tenant}', true)`);
      const { rows } = await client.query<{ type: string }>(
        'select type from audit.event order by sequence desc limit 2',
      );
      await client.query('rollback');
      return rows.map(({ type }) => type);
    });
    assert.deepEqual(events, ['audit.archive.claimed', 'commerce.order.imported']);
    const held = await objectsOf(site.folder);
    await assert.rejects(sealed(site.process().archive, '2026-03-03'), refused);
    await assert.rejects(site.process().start(), refused);
    assert.deepEqual(await objectsOf(site.folder), held);
    await copy.stop();
    await backup.drop();
  });

  test('from before there were claims is claimed by the database that knows its days, and by no other', async () => {
    await using site = await createSealingWorld();
    const { database, dataDir, admin } = site.world;
    await pastChain(admin, { days: { '2026-03-01': 1 } });
    const backup = await takeBackup(database);
    await sealed(site.process().archive, '2026-03-04');
    await rm(join(site.folder, 'platform/claims'), { recursive: true });
    const copy = openProcess(backup.appUrl, { dataDir, openArchive: site.open, seal: silent });
    await assert.rejects(copy.start(), /holds days that this database does not know/);
    await copy.stop();
    await backup.drop();
    await site.process({ seal: silent }).start();
    await sealed(site.process().archive, '2026-03-05');
    assert.ok((await objectsOf(site.folder)).has(claimPath(1)));
  });

  test('that is claimed in words of nobody, or by the key of another installation, is left alone', async () => {
    await using site = await createSealingWorld();
    await using strange = await createSealingWorld();
    await pastChain(strange.world.admin, { days: { '2026-03-01': 1 } });
    await sealed(strange.process().archive, '2026-03-02');
    const before = await objectsOf(strange.folder);
    const open = async () => openFolder(strange.folder);
    await assert.rejects(site.process({ openArchive: open, seal: silent }).start(), /another installation's/);
    assert.deepEqual(await objectsOf(strange.folder), before);
    await writeFile(join(strange.folder, claimPath(2)), 'mine now\n');
    const owner = strange.process({ seal: silent });
    await assert.rejects(owner.start(), /no key of this database signed/);
    const { claim } = await owner.archive.takeOver('somebody put an object there');
    assert.equal(claim.number, 3);
    await owner.start();
  });

  test('that lacks what the database has sealed is left alone, unless somebody says that it is a new one', async () => {
    await using site = await createSealingWorld();
    await using elsewhere = await createSealingWorld();
    const { admin, database, dataDir } = site.world;
    const one = site.process();
    await pastChain(admin, { days: { '2026-03-01': 2 } });
    await sealed(one.archive, '2026-03-02');
    const other = async () => openFolder(elsewhere.folder);
    const wrong = site.process({ openArchive: other, seal: silent });
    const lacks = (what: RegExp): RegExp =>
      new RegExp(`lacks what this database has sealed, ${what.source}: .*AUDIT_ARCHIVE.*claim --new-archive --reason`);
    await assert.rejects(wrong.start(), lacks(/the day 2026-03-02/));
    await assert.rejects(wrong.archive.takeOver('by mistake'), lacks(/the day 2026-03-02/));
    await assert.rejects(wrong.archive.seal({ through: '2026-03-03' }), lacks(/the day 2026-03-02/));
    await assert.rejects(wrong.archive.checkpoint(), lacks(/the day 2026-03-02/));
    // A process that seals nothing needs no archive.
    await site.process({ openArchive: other }).start();
    await one.archive.checkpoint();
    await cp(site.folder, join(elsewhere.folder, 'half'), { recursive: true });
    await rm(join(elsewhere.folder, 'half', hourPath(1)));
    const half = site.process({ openArchive: async () => openFolder(join(elsewhere.folder, 'half')), seal: silent });
    await assert.rejects(half.start(), lacks(/the hourly checkpoint 1 of \S+/));
    await rm(join(elsewhere.folder, 'half'), { recursive: true });
    // A dump of it over another archive, too.
    const backup = await takeBackup(database);
    const copy = openProcess(backup.appUrl, { dataDir, openArchive: other });
    await assert.rejects(copy.archive.takeOver('a copy'), lacks(/the day 2026-03-02/));
    assert.deepEqual(await objectsOf(elsewhere.folder), new Map());

    const { claim, changed } = await copy.archive.takeOver('a copy for tests', { newArchive: true });
    assert.deepEqual([claim.number, claim.taken?.hours, changed], [1, 1, true]);
    assert.equal((await copy.archive.takeOver('again', { newArchive: true })).changed, false);
    await copy.start();
    await sealed(copy.archive, '2026-03-04');
    assert.ok((await objectsOf(elsewhere.folder)).has(dayPaths('platform', '2026-03-04').checkpoint));
    // What is sealed from then on must be there.
    await rm(join(elsewhere.folder, dayPaths('platform', '2026-03-04').checkpoint));
    await assert.rejects(copy.archive.seal({ through: '2026-03-05' }), lacks(/the day 2026-03-04/));
    await copy.stop();
    await backup.drop();
    await sealed(site.process().archive, '2026-03-03');
  });

  test('that cannot be asked at start keeps nobody from serving, and is asked before it is written to', async () => {
    await using site = await createSealingWorld();
    let away = true;
    const openArchive = async () => {
      if (away) throw new Error('no such host');
      return site.open();
    };
    const one = site.process({ openArchive });
    await pastChain(site.world.admin, { days: { '2026-03-01': 1 } });
    await one.start();
    away = false;
    await sealed(one.archive, '2026-03-01');
    const first = (await objectsOf(site.folder)).get(claimPath(1)) ?? '';
    const claim = readClaim(Buffer.from(first, 'base64').toString().split('\n\n')[0] + '\n');
    const [identity] = await one.pool.query<Record<string, string>>(
      sql`select installation, database from audit.identity()`,
    );
    assert.deepEqual([claim.installation, claim.database], [identity?.['installation'], identity?.['database']]);
  });
});
