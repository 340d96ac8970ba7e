import assert from 'node:assert/strict';
import { chmod, cp, mkdir, mkdtemp, readFile, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { newId } from '@steward/kernel';
import { sql, type SqlPool } from '@steward/sql';
import { dayPaths, dayBefore, dayOf } from '@steward/archive/format';
import {
  takeBackup,
  createSealingWorld,
  sealed,
  type SealingWorld,
  type SealingProcess,
} from '@steward/archive/testing';
import { pastChain } from '@steward/audit/testing';
import { recompute, remember } from '../fixtures/recompute.ts';
import { logOptions } from '../fixtures/verdict.ts';
import { folderReader, verifyArchive } from '../verifier/steward-audit-verify.mjs';
import type { Finding } from '../log/finding.ts';
import { verifyLog } from '../log/verify-log.ts';

const yesterday = dayBefore(dayOf(Date.now()));
const earlier = dayBefore(yesterday);
const first = dayBefore(earlier);

const forget = (table: string, tenant: string): string => `delete from audit.${table} where tenant_id = '${tenant}'`;
const run = async (admin: SqlPool, ...texts: readonly string[]): Promise<void> =>
  admin.withClient(async (client) => {
    for (const text of texts) await client.query(text);
  });

/** What somebody does who has the database for himself, a tenant each; the chain has rows 1 to 7, the last two of yesterday. */
const attacks: Readonly<Record<string, (admin: SqlPool, tenant: string) => Promise<unknown>>> = {
  'rows rewritten, the chain recomputed, the record of yesterday deleted and the mark moved back': async (
    admin,
    tenant,
  ) => {
    await recompute(admin, tenant);
    await run(
      admin,
      `${forget('sealed_day', tenant)} and day >= '${earlier}'`,
      `update audit.head set sealed_through = '${first}' where tenant_id = '${tenant}'`,
    );
  },
  'rows of yesterday rewritten, and everything that the database remembers of it': async (admin, tenant) => {
    await recompute(admin, tenant);
    await remember(admin, tenant, [first, earlier, yesterday]);
  },
  'rows rewritten, and a restored backup remembered that never was': async (admin, tenant) => {
    await recompute(admin, tenant);
    await run(
      admin,
      `insert into audit.restored_chain select tenant_id, 2, 4, row_hash, 7 from audit.event where tenant_id = '${tenant}' and sequence = 4`,
    );
  },
  'the same, with its incarnation, and the record of the days gone': async (admin, tenant) => {
    await recompute(admin, tenant);
    await run(
      admin,
      `insert into audit.incarnation (number, day) values (2, '${yesterday}') on conflict do nothing`,
      `insert into audit.restored_chain select tenant_id, 2, 4, row_hash, 7 from audit.event where tenant_id = '${tenant}' and sequence = 4`,
      `${forget('sealed_day', tenant)} and day >= '${earlier}'`,
      `update audit.head set sealed_through = '${first}' where tenant_id = '${tenant}'`,
    );
  },
  'the tenant deleted, and remembered as lost with a restored backup': async (admin, tenant) =>
    run(
      admin,
      ...['event', 'head', 'sealed_day', 'idempotency'].map((table) => forget(table, tenant)),
      `insert into audit.restored_chain values ('${tenant}', 2, 0, sha256('x'), 7)`,
    ),
  'the end cut off with its records': async (admin, tenant) =>
    run(
      admin,
      `${forget('event', tenant)} and sequence > 5`,
      `${forget('sealed_day', tenant)} and day = '${yesterday}'`,
      `update audit.head h set sequence = 5, row_hash = e.row_hash, received_at = e.received_at, sealed_through = '${earlier}'
       from audit.event e where h.tenant_id = '${tenant}' and e.tenant_id = h.tenant_id and e.sequence = 5`,
    ),
  'the mark moved far ahead, so that rows are received in days to come': async (admin, tenant) =>
    run(admin, `update audit.head set sealed_through = '2199-12-31' where tenant_id = '${tenant}'`),
};

/** What is done to a file; `twin` is another of its kind. */
const fileTampers: Readonly<Record<string, (path: string, twin: string) => Promise<unknown>>> = {
  altered: async (path) =>
    rewrite(path, (bytes) =>
      bytes.fill((bytes[bytes.length >> 1] ?? 0) ^ 1, bytes.length >> 1, (bytes.length >> 1) + 1),
    ),
  grown: async (path) => rewrite(path, (bytes) => Buffer.concat([bytes, Buffer.from('x\n')])),
  cut: async (path) => rewrite(path, (bytes) => bytes.subarray(0, bytes.length >> 1)),
  emptied: async (path) => rewrite(path, () => Buffer.alloc(0)),
  deleted: async (path) => rm(path),
  replaced: async (path, twin) => rewrite(path, () => readFile(twin)),
  swapped: async (path, twin) => {
    const [one, other] = [await readFile(path), await readFile(twin)];
    await rewrite(path, () => other);
    await rewrite(twin, () => one);
  },
  'made a terabyte': async (path) => {
    await chmod(path, 0o644);
    await truncate(path, 2 ** 40);
  },
  'made a folder': async (path) => {
    await rm(path);
    await mkdir(path);
  },
  'made a link': async (path) => {
    await cp(path, `${path}.kept`);
    await rm(path);
    await symlink(`${path}.kept`, path);
  },
};

async function rewrite(path: string, change: (bytes: Buffer) => Buffer | Promise<Buffer>): Promise<void> {
  const bytes = await readFile(path);
  await chmod(path, 0o644);
  await writeFile(path, await change(bytes));
}

/** What a path is of, whoever's and whenever's it is. */
const kindOf = (path: string): string =>
  path
    .replace(/^[0-9a-f]{8}-[0-9a-f-]{27}/, '{tenant}')
    .replace(/\d{4}\/\d\d\/\d\d/, '{day}')
    .replace(/[0-9a-f]{16}/, '{key}');

describe('a log is not verified', () => {
  let site: SealingWorld;
  let one: SealingProcess;
  let key: string;
  let sound: string;
  const tenants = new Map<string, string>();
  const days = { [first]: 3, [earlier]: 2, [yesterday]: 2 };

  before(async () => {
    site = await createSealingWorld();
    one = site.process();
    await one.start();
    const { admin } = site.world;
    sound = await pastChain(admin, { days });
    for (const what of Object.keys(attacks)) tenants.set(what, await pastChain(admin, { days }));
    await sealed(one.archive, earlier);
    key = (await one.archive.keys.registered())[0]?.verifierKey ?? '';
    await one.archive.rotateKey({ lost: false });
  });
  after(async () => site[Symbol.asyncDispose]());

  /** Whoever verifies has pinned the first key, and forgives every restored backup that there ever was. */
  const verify = async (folder = site.folder): Promise<readonly Finding[]> =>
    (await verifyLog({ ...logOptions(site, folder), keys: [key], acceptIncarnation: 99 })).findings;

  test('while the database is an earlier one, though nothing was lost but what it knew of yesterday', async () => {
    const backup = await takeBackup(site.world.database);
    await sealed(one.archive, yesterday);
    assert.deepEqual(await verify(), []);
    await backup.restore();
    const found = await verify();
    for (const owner of [sound, ...tenants.values(), 'platform'])
      assert.ok(
        found.some(({ tenant, day, kind }) => tenant === owner && day === yesterday && kind === 'unrecorded'),
        owner,
      );
    await one.archive.takeOver('a backup was restored');
    await sealed(one.archive, yesterday);
    assert.deepEqual(await verify(), []);
  });

  test('with a file of the archive tampered with, of whatever kind', async () => {
    const subject = { type: 'system', id: 'operator' } as const;
    const context = {
      tenant: sound,
      chain: [subject],
      subject,
      caller: subject,
      requestId: newId(),
      correlationId: newId(),
    };
    await site.world.admin.withClient(async (client) => {
      await client.query('alter table audit.sealed_day disable trigger all');
      await client.query(`update audit.sealed_day set sealed_at = (day + 1)::timestamp at time zone 'UTC'`);
    });
    await one.archive.expire(one.tenancy.systemContext(context), { retentionDays: 1, dryRun: false });
    assert.deepEqual(await verify(), []);
    const paths = await Array.fromAsync(folderReader(site.folder).list(''));
    const kinds = Map.groupBy(
      paths.filter((path) => !path.startsWith('.')),
      kindOf,
    );
    assert.ok(kinds.size >= 8, [...kinds.keys()].join(', '));
    const unseen: string[] = [];
    const folder = await mkdtemp(join(tmpdir(), 'steward-tampered-'));
    await cp(site.folder, folder, { recursive: true });
    for (const [kind, places] of kinds) {
      const [path = '', twin = path] = [places[places.length >> 1], places[0]];
      for (const [what, change] of Object.entries(fileTampers)) {
        if (twin === path && (what === 'replaced' || what === 'swapped')) continue;
        await change(join(folder, path), join(folder, twin));
        const { ok } = await verifyArchive(folderReader(folder), {
          keys: [key],
          acceptIncarnation: 99,
          freshWithinDays: 9,
        });
        if (ok && (await verify(folder)).length === 0) unseen.push(`${kind} ${what}: ${path}`);
        for (const touched of [path, twin, `${path}.kept`])
          await rm(join(folder, touched), { recursive: true, force: true });
        for (const touched of [path, twin]) await cp(join(site.folder, touched), join(folder, touched));
      }
    }
    await rm(folder, { recursive: true });
    assert.deepEqual(unseen, []);
  });

  test('with the last day of a tenant gone from archive and database alike', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'steward-tampered-'));
    await cp(site.folder, folder, { recursive: true });
    for (const path of Object.values(dayPaths(sound, yesterday))) await rm(join(folder, path));
    assert.ok((await verify(folder)).some(({ tenant, kind }) => tenant === sound && kind === 'missing'));
    await rm(folder, { recursive: true });
  });

  test('with something in the way of a day that is yet to come', async () => {
    const place = join(site.folder, dayPaths(sound, dayOf(Date.now())).manifest);
    await mkdir(dirname(place), { recursive: true });
    await mkdir(place);
    const found = await verify();
    assert.deepEqual([...new Set(found.map(({ tenant }) => tenant))], [sound]);
    await rm(place, { recursive: true });
  });

  test('after what somebody did who had the database for himself', async () => {
    await site.world.admin.withClient(async (client) => {
      for (const table of ['event', 'head', 'idempotency', 'sealed_day', 'restored_chain', 'incarnation'])
        await client.query(`alter table audit.${table} disable trigger all`);
    });
    for (const [what, attack] of Object.entries(attacks)) await attack(site.world.admin, tenants.get(what) ?? '');
    const found = await verify();
    for (const [what, tenant] of tenants)
      assert.ok(
        found.some((finding) => finding.tenant === tenant),
        what,
      );
    assert.ok(!found.some(({ tenant }) => tenant === sound));
    const [row] = await site.world.admin.query(sql`select from audit.incarnation`);
    assert.ok(row !== undefined && found.some(({ tenant }) => tenant === 'platform'));
  });
});
