import assert from 'node:assert/strict';
import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { backdate, createWorld, daysAgo, type Ran, type World } from '@steward/conformance/world';
import { openPool, sql, statement, type SqlPool } from '@steward/sql';

interface Verdict {
  readonly ok: boolean;
  readonly integrity: string;
  readonly completeness: string;
  readonly comparedDays: number;
  readonly lastVerifiedAt: string | undefined;
  readonly trust: { readonly by: string };
  readonly findings: readonly {
    readonly where: string;
    readonly kind: string;
    readonly tenant: string;
    readonly day?: string;
  }[];
}

describe('verification by the command line', () => {
  let world: World;
  let admin: SqlPool;
  let tenant: string;
  let key: string;
  let archive: string;
  let oldest: string;
  const steward = async (...args: readonly string[]): Promise<Ran> => world.command(['audit', ...args]);
  const verdict = async (...args: readonly string[]): Promise<Verdict & { readonly code: number }> => {
    const { code, out, err } = await steward('verify', '--json', ...args);
    assert.equal(err, '');
    return { ...(JSON.parse(out) as Verdict), code };
  };
  before(async () => {
    world = await createWorld({ AUDIT_SEAL: 'off' });
    admin = openPool({ url: world.db.adminUrl, size: 1 });
    ({ tenant } = await world.signUp('alice@example.com'));
    await backdate(admin, 3);
    oldest = await daysAgo(admin, 3);
    archive = join(world.dataDir, 'archive');
    assert.equal((await steward('verify')).code, 0);
    assert.equal((await steward('seal', '--day', await daysAgo(admin, 1))).code, 0);
    key =
      (await steward('keys')).out
        .trim()
        .split(/\s+/)
        .find((word) => word.startsWith('steward/audit+')) ?? '';
  });
  after(async () => {
    await admin.close();
    await world[Symbol.asyncDispose]();
  });

  test('says where sealing stands, and what will be in its way', async () => {
    const sound = await steward('status');
    assert.deepEqual([sound.code, sound.err], [0, '']);
    assert.match(sound.out, /^Sealed through \d{4}-\d\d-\d\d; \d{4}-\d\d-\d\d is over, 0 days are not sealed\.\n$/);
    const place = join(archive, tenant, `${(await daysAgo(admin, 0)).replaceAll('-', '/')}.manifest.json`);
    await mkdir(place, { recursive: true });
    const blocked = await steward('status');
    assert.equal(blocked.code, 1);
    assert.ok(blocked.out.includes(`in the way: ${tenant}/`), blocked.out);
    const { ok, findings } = await verdict('--key', key);
    assert.deepEqual([ok, new Set(findings.map((one) => one.tenant))], [false, new Set([tenant])]);
    await rm(place, { recursive: true });
    assert.equal((await steward('status')).code, 0);
  });

  test('compares the source with the archive, says whose word was trusted, and remembers that it did', async () => {
    const first = await verdict();
    assert.deepEqual([first.code, first.ok, first.comparedDays, first.trust.by], [0, true, 3, 'database']);
    const second = await verdict('--key', key, '--canonical', '--workers', '2');
    assert.deepEqual([second.code, second.trust.by], [0, 'option']);
    assert.match(second.lastVerifiedAt ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    const rows = await admin.query(sql`select kind, ok from audit.verification order by at`);
    assert.deepEqual(rows.at(-1), { kind: 'log', ok: true });
    const metrics = await (await fetch(`${world.server.internalUrl}/metrics`)).text();
    assert.match(
      metrics,
      /steward_audit_last_verification_timestamp_seconds\{outcome="verified"\} 1\.\d+e\+?9|verified"\} \d{10}/,
    );
  });

  test('lets whoever verifies alone say that it was verified, and nobody that it will have been', async () => {
    const says = `insert into audit.verification (kind, ok, detail`;
    const refused = async (pool: SqlPool, ...texts: readonly string[]): Promise<void> =>
      pool.withClient(async (client) => {
        await assert.rejects(client.query(['begin', ...texts].join('; ')), { code: '42501' });
        await client.query('rollback');
      });
    await using app = openPool({ url: world.db.appUrl, size: 1 });
    await refused(app, `${says}) values ('log', true, 'forged')`);
    const verifier = `set local role ${world.db.name}_job_audit_verifier`;
    await refused(admin, verifier, `${says}, at) values ('log', true, 'forged', now())`);
    await admin.query(statement(`${says}, at) values ('log', true, 'forged', now() + interval '30 days')`));
    const metrics = await (await fetch(`${world.server.internalUrl}/metrics`)).text();
    const [, seconds] = /_last_verification_timestamp_seconds\{outcome="verified"\} (.*)/.exec(metrics) ?? [];
    assert.ok(Number(seconds) > 0 && Number(seconds) <= Date.now() / 1000, seconds ?? 'not told');
    const { lastVerifiedAt } = await verdict();
    assert.ok(Date.parse(lastVerifiedAt ?? '') <= Date.now(), String(lastVerifiedAt));
  });

  test('verifies the archive by itself, and one event, with nothing but a key', async () => {
    const alone = await verdict('--offline', '--archive', `file:${archive}`, '--key', key);
    assert.deepEqual([alone.code, alone.ok], [0, true]);
    const [event] = await admin.query<{ id: string }>(
      sql`select id from audit.event where tenant_id = ${tenant} order by sequence limit 1`,
    );
    const proof = join(world.dataDir, 'proof.json');
    await steward('proof', '--event', event?.id ?? '', '--out', proof);
    const shown = await steward('verify', '--proof', proof, '--key', key);
    assert.equal(shown.code, 0, shown.err);
    assert.match(shown.out, new RegExp(`tenant ${tenant}[^]*Verified: the event stands where it was signed`));
    await writeFile(proof, (await readFile(proof, 'utf8')).replace('"sequence":1', '"sequence":2'));
    assert.equal((await steward('verify', '--proof', proof, '--key', key)).code, 1);
    // What a document says speaks to no terminal, and begins no line.
    const whole = JSON.parse(await readFile(proof, 'utf8')) as object;
    await writeFile(proof, JSON.stringify({ ...whole, tenant: '\u001b[2J\u009b1m\nVerified: all' }));
    const { code, out } = await steward('verify', '--proof', proof, '--key', key);
    assert.equal(code, 1);
    assert.doesNotMatch(out, /(?!\n)\p{Cc}|^Verified/mu);
  });

  test('takes a tenant of today for whole, and one that the archive does not know for missing from it', async () => {
    const { tenant: born } = await world.signUp('bob@example.com');
    assert.deepEqual((await verdict('--tenant', born)).findings, []);
    const alone = await verdict('--offline', '--archive', `file:${archive}`, '--key', key, '--tenant', born);
    assert.deepEqual([alone.code, alone.completeness, alone.findings.length], [1, 'broken', 1]);
    assert.partialDeepStrictEqual(alone.findings[0], { where: 'archive', kind: 'missing', tenant: born });
  });

  test('is called rightly or says how', async () => {
    const wrong: readonly (readonly [args: readonly string[], says: RegExp])[] = [
      [['--offline', '--archive', 'file:x'], /--key/],
      [['--offline', '--key', key], /--archive/],
      [['--key', 'nonsense'], /neither/],
      [['--workers', '0'], /whole number/],
      [['--archive', '/srv'], /file:folder/],
    ];
    await Promise.all(
      wrong.map(async ([args, says]) => {
        const { code, err } = await steward('verify', ...args);
        assert.deepEqual([code, says.test(err)], [2, true], err);
      }),
    );
  });

  test('names what was done to the archive, and raises no alarm about the source', async () => {
    const file = join(archive, tenant, `${oldest.replaceAll('-', '/')}.jsonl`);
    const bytes = await readFile(file);
    await chmod(file, 0o644);
    await writeFile(file, bytes.subarray(0, -1));
    try {
      const { code, integrity, completeness, findings } = await verdict();
      assert.deepEqual([code, integrity, completeness, findings.length], [1, 'broken', 'ok', 1]);
      assert.partialDeepStrictEqual(findings[0], { where: 'archive', kind: 'form', tenant, day: oldest });
      const { code: told, out } = await steward('verify');
      assert.equal(told, 1);
      assert.match(
        out,
        new RegExp(`^archive: tenant ${tenant}, day ${oldest}, sequence \\d+: form \\(integrity\\): `, 'm'),
      );
      assert.match(out, /^NOT VERIFIED: 1 finding in /m);
    } finally {
      await writeFile(file, bytes);
    }
  });

  test('says that it could not verify where the archive or the database is out of reach', async () => {
    await rename(archive, `${archive}-away`);
    try {
      const { code, integrity, findings } = await verdict();
      assert.deepEqual([code, integrity, findings.map(({ kind }) => kind)], [3, 'unknown', ['unreachable']]);
      const alone = await steward('verify', '--offline', '--archive', `file:${archive}`, '--key', key);
      assert.equal(alone.code, 3);
      assert.match(alone.err, /^Could not be verified: .*there is no such folder/);
    } finally {
      await rename(`${archive}-away`, archive);
    }
    assert.equal((await verdict()).code, 0);
  });
});
