import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sql, type SqlPool } from '@steward/sql';
import { pastChain, sample } from '@steward/audit/testing';
import { logOptions, told } from '@steward/verification/testing';
import { verifyLog } from '@steward/verification';
import type { SealingProcess } from '../fixtures/process.ts';
import { openNote } from '../format/note.ts';
import { hourPath } from '../format/paths.ts';
import type { ArchiveTarget } from '../targets/target.ts';
import { takeBackup } from '../fixtures/backup.ts';
import { anHourLater, createSealingWorld, objectsOf, sealed, tamper } from '../fixtures/sealing.ts';
import { readHour } from './note.ts';

const append = async (one: SealingProcess, tenant: string, count = 1): Promise<void> => {
  for (let n = 0; n < count; n += 1) await one.audit.ingest(one.as(tenant, 'alice'), sample(), 'snake');
};

/** One row told otherwise, and all behind it hashed anew up to the head, as if it had always been so. */
const rewrite = async (admin: SqlPool, tenant: string, from: number): Promise<void> =>
  tamper(
    admin,
    `do $$
      declare r record; h bytea; e bytea;
      begin
        update audit.event set event = replace(event, '"1001"', '"1009"') where tenant_id = '${tenant}' and sequence = ${from};
        select row_hash into h from audit.event where tenant_id = '${tenant}' and sequence = ${from} - 1;
        for r in select * from audit.event where tenant_id = '${tenant}' and sequence >= ${from} order by sequence loop
          e := sha256(convert_to(e'audit-event/v1\\n' || r.event, 'UTF8'));
          h := sha256(convert_to(e'audit-row/v1\\n', 'UTF8') || h || int8send(r.sequence)
            || int8send((extract(epoch from r.received_at) * 1000)::bigint) || e);
          update audit.event set event_hash = e, row_hash = h where tenant_id = '${tenant}' and sequence = r.sequence;
          update audit.head set row_hash = h where tenant_id = '${tenant}';
        end loop;
      end $$`,
  );

describe('the checkpoint of an hour', () => {
  test('tells where every chain stands that has changed, once, whoever writes it', async () => {
    await using site = await createSealingWorld();
    const { admin } = site.world;
    const many = [1, 2, 3, 4].map(() => site.process());
    const [one] = many;
    if (one === undefined) throw new Error('no process');
    const busy = await pastChain(admin, { days: { '2026-03-01': 2 } });
    const quiet = await pastChain(admin, { days: { '2026-03-01': 1 } });
    const hours = async () =>
      [...(await objectsOf(site.folder))].filter(([path]) => path.startsWith('platform/hours/'));
    const texts = async () => {
      const keys = (await one.archive.keys.registered()).map(({ verifierKey }) => verifierKey);
      return (await hours()).map(([, bytes]) => readHour(openNote(Buffer.from(bytes, 'base64').toString(), keys).text));
    };
    await Promise.all(many.map(async ({ archive }) => archive.checkpoint()));
    assert.equal(await one.archive.checkpoint(), false, 'the hour is told');
    await anHourLater(admin);
    assert.equal(await one.archive.checkpoint(), false, 'nothing has changed');
    await append(one, busy, 3);
    // Killed before it could record what it had stored, and before it stored anything.
    const killed = (when: 'before' | 'after') =>
      site.process({
        openArchive: async (): Promise<ArchiveTarget> => {
          const target = await site.open();
          const put: ArchiveTarget['put'] = async (path, source) => {
            if (!path.startsWith('platform/hours/')) return target.put(path, source);
            if (when === 'after') await target.put(path, source);
            throw new Error('killed');
          };
          return { ...target, put };
        },
      });
    await assert.rejects(killed('before').archive.checkpoint(), /killed/);
    await append(one, quiet);
    await assert.rejects(killed('after').archive.checkpoint(), /killed/);
    await Promise.all(many.map(async ({ archive }) => archive.checkpoint()));
    const [first, second, ...more] = await texts();
    assert.deepEqual(
      first?.heads.map(({ tenant, sequence }) => [tenant, sequence]),
      [[busy, 2] as const, [quiet, 1] as const].toSorted(([a], [b]) => (a < b ? -1 : 1)),
    );
    assert.deepEqual([first?.number, first?.previous, first?.incarnation], [1, undefined, 1]);
    assert.deepEqual(
      second?.heads.map(({ tenant, sequence }) => [tenant, sequence]),
      [[busy, 5]],
    );
    assert.match(second?.previous ?? '', /^[0-9a-f]{64}$/);
    assert.deepEqual(more, []);
    await anHourLater(admin);
    await one.archive.rotateKey({ lost: false });
    await Promise.all([site.process(), site.process()].map(async ({ archive }) => archive.checkpoint()));
    assert.deepEqual(
      (await texts())[2]?.heads.map(({ tenant, sequence }) => [tenant, sequence]),
      [[quiet, 2]],
    );
    assert.deepEqual((await verifyLog(logOptions(site))).findings, []);
  });

  test('convicts who rewrites rows of today and recomputes the chain, cuts it, or removes what was told', async () => {
    await using site = await createSealingWorld();
    const { admin } = site.world;
    const one = site.process();
    const [rewritten, cut, after] = [
      await pastChain(admin, { days: { '2026-03-01': 1 } }),
      await pastChain(admin, { days: { '2026-03-01': 1 } }),
      await pastChain(admin, { days: { '2026-03-01': 1 } }),
    ];
    for (const tenant of [rewritten, cut, after]) await append(one, tenant, 4);
    await one.archive.checkpoint();
    for (const tenant of [rewritten, cut, after]) await append(one, tenant, 1);
    assert.deepEqual((await verifyLog(logOptions(site))).findings, []);
    await rewrite(admin, rewritten, 3);
    // What no checkpoint has seen yet is vouched for by receipts alone.
    await rewrite(admin, after, 6);
    await tamper(
      admin,
      `delete from audit.event where tenant_id = '${cut}' and sequence > 3`,
      `update audit.head h set sequence = 3, row_hash = e.row_hash, received_at = e.received_at from audit.event e
         where h.tenant_id = '${cut}' and e.tenant_id = h.tenant_id and e.sequence = 3`,
    );
    const { findings, ok, integrity, completeness } = await verifyLog(logOptions(site));
    assert.deepEqual(
      [told(findings, rewritten), told(findings, cut), told(findings, after)],
      [['rows 1-5'], ['tail 1-5'], []],
    );
    assert.deepEqual([ok, integrity, completeness], [false, 'broken', 'broken']);
    assert.deepEqual(told((await verifyLog({ ...logOptions(site), tenant: after })).findings, after), []);
    // A day that contradicts what was told is never signed.
    const { refused } = await one.archive.seal({ through: '2026-03-02' });
    assert.deepEqual(refused.map(({ owner }) => owner).toSorted(), [rewritten, cut].toSorted());
    const target = await site.open();
    await target.expire(hourPath(1));
    const gone = await verifyLog(logOptions(site));
    assert.deepEqual(told(gone.findings, 'platform'), ['missing']);
  });

  test('stops a database that lost acknowledged rows, until somebody says that it goes on without them', async () => {
    await using site = await createSealingWorld();
    const { admin, database } = site.world;
    const one = site.process();
    const busy = await pastChain(admin, { days: { '2026-03-01': 1 } });
    const idle = await pastChain(admin, { days: { '2026-03-01': 1 } });
    await sealed(one.archive, '2026-03-01');
    const backup = await takeBackup(database);
    await append(one, busy, 3);
    await one.archive.checkpoint();
    await backup.restore();
    const before = await verifyLog(logOptions(site));
    assert.deepEqual([told(before.findings, busy), told(before.findings, idle)], [['tail 1-4'], []]);
    // It goes on before anybody notices.
    await append(one, busy, 1);
    const claimed = await one.archive.takeOver('the standby was behind');
    assert.deepEqual(
      [claimed.claim.incarnation, claimed.claim.lost.map(({ tenant, sequence }) => [tenant, sequence])],
      [2, [[busy, 2]]],
    );
    await one.start();
    const after = await verifyLog(logOptions(site));
    assert.deepEqual(told(after.findings, busy), ['restored 3-4']);
    await append(one, busy, 1);
    await anHourLater(admin);
    assert.equal(await one.archive.checkpoint(), true);
    const known = await verifyLog({ ...logOptions(site), acceptIncarnation: 2 });
    assert.deepEqual(known.findings, []);
    assert.ok(known.notes.some((note) => note.includes(busy)));
    // What a claim gave up excuses nothing that hours saw later.
    await tamper(
      admin,
      `delete from audit.event where tenant_id = '${busy}' and sequence > 2`,
      `update audit.head h set sequence = 2, row_hash = e.row_hash, received_at = e.received_at from audit.event e
         where h.tenant_id = '${busy}' and e.tenant_id = h.tenant_id and e.sequence = 2`,
    );
    const cut = await verifyLog({ ...logOptions(site), acceptIncarnation: 2 });
    assert.deepEqual(told(cut.findings, busy), ['tail 1-3']);
  });

  test('that saw a row which is another one by now is given up by the claim, however far the chain went on', async () => {
    await using site = await createSealingWorld();
    const { admin, database } = site.world;
    const one = site.process();
    const busy = await pastChain(admin, { days: { '2026-03-01': 2 } });
    await sealed(one.archive, '2026-03-01');
    const backup = await takeBackup(database);
    await append(one, busy, 1);
    await one.archive.checkpoint();
    await backup.restore();
    // More than was lost, before anybody noticed.
    await append(one, busy, 3);
    const { claim } = await one.archive.takeOver('the standby was behind');
    assert.deepEqual(
      claim.lost.map(({ tenant, sequence }) => [tenant, sequence]),
      [[busy, 2]],
    );
    const [kept] = await admin.query(
      sql`select encode(row_hash, 'hex') as hash from audit.event where tenant_id = ${busy} and sequence = 2`,
    );
    assert.equal(claim.lost[0]?.rowHash, kept?.['hash']);
    await append(one, busy, 1);
    await anHourLater(admin);
    assert.equal(await one.archive.checkpoint(), true);
    assert.deepEqual(told((await verifyLog(logOptions(site))).findings, busy), ['restored 3-3']);
    assert.deepEqual((await verifyLog({ ...logOptions(site), acceptIncarnation: 2 })).findings, []);
  });

  test('of a database that has all rows and forgot the checkpoint is taken over, and a stranger in its place is an alarm', async () => {
    await using site = await createSealingWorld();
    const { admin } = site.world;
    const one = site.process();
    const tenant = await pastChain(admin, { days: { '2026-03-01': 1 } });
    await sealed(one.archive, '2026-03-01');
    await one.archive.checkpoint();
    await admin.withClient(async (client) => {
      await client.query(
        'alter table audit.hour disable trigger all; delete from audit.hour; delete from audit.hour_head',
      );
      await client.query('alter table audit.hour enable always trigger append_only');
    });
    await site.process().start();
    const rows = await admin.query(sql`select number from audit.hour`);
    assert.deepEqual(rows, [{ number: 1 }]);
    await append(one, tenant);
    await anHourLater(admin);
    await (await site.open()).put(hourPath(2), Buffer.from('junk\n'));
    await assert.rejects(one.archive.checkpoint(), /hour 2 is not sealed: the archive holds another/);
    await sealed(one.archive, '2026-03-02');
  });
});
