import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chown, cp, mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createProcessWorld, surroundings, type ProcessWorld } from '@steward/conformance/world';
import { openPool, statement } from '@steward/sql';
import { clusterVariable, contentsOf, templatesVariable } from '@steward/testing';

const run = promisify(execFile);
const command = fileURLToPath(new URL('../../apps/cli/steward.ts', import.meta.url));
const folder = dirname(process.env['PG_DUMP_PATH'] ?? '');
const program = (name: string): string => join(folder, name);

/** PostgreSQL refuses to be root's. */
const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : undefined;

interface Cluster extends AsyncDisposable {
  readonly adminUrl: string;
}

/** A server of the machine's PostgreSQL with nothing in it. */
async function startCluster(): Promise<Cluster> {
  const data = await mkdtemp(join(tmpdir(), 'steward-restored-'));
  if (nobody !== undefined) await chown(data, nobody.uid, nobody.gid);
  const as = { ...nobody, cwd: data };
  await run(program('initdb'), ['-A', 'trust', '-U', 'postgres', '-E', 'UTF8', '--locale', 'C.UTF-8', '-N', data], as);
  const free = createServer().listen(0, '127.0.0.1');
  await once(free, 'listening');
  const { port } = free.address() as AddressInfo;
  free.close();
  const settings = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off`;
  const control = async (...args: string[]): Promise<unknown> =>
    run(program('pg_ctl'), ['-D', data, '-w', '-l', join(data, 'log'), ...args], as);
  await control('-o', settings, 'start');
  return {
    adminUrl: `postgres://postgres@127.0.0.1:${port}/postgres`,
    [Symbol.asyncDispose]: async () => {
      await control('-m', 'immediate', 'stop');
      await rm(data, { recursive: true, force: true });
    },
  };
}

describe('a backup by pg_dump, restored as the guide says', () => {
  const stack = new AsyncDisposableStack();
  let world: ProcessWorld;
  let second: Cluster;
  let tenant: string;
  let dump: string;
  /** The data folder of the backup, and a copy of it that is restored. */
  let saved: string;
  let dataDir: string;
  let original: string[];

  /** The address of the world's database in another server or under another name. */
  const at = (url: string, server: string, name: string): string => {
    const { username, password } = new URL(url);
    return Object.assign(new URL(server), { username, password, pathname: `/${name}` }).href;
  };
  const loginsAt = (server: string, name: string) => ({
    DATABASE_URL: at(world.db.appUrl, server, name),
    DATABASE_OWNER_URL: at(world.db.ownerUrl, server, name),
    DATA_DIR: dataDir,
  });
  const adminAt = (server: string, name: string): string =>
    Object.assign(new URL(server), { pathname: `/${name}` }).href;
  const query = async (url: string, ...statements: string[]): Promise<void> => {
    await using admin = openPool({ url, size: 1 });
    for (const one of statements) await admin.query(statement(one, []));
  };
  /** What is said of privileges is a set; dropped columns are not in a dump, nor are parentheses that say nothing. */
  const contents = async (url: string): Promise<string[]> => {
    await using admin = openPool({ url, size: 1 });
    const said = await contentsOf(admin);
    return said
      .filter((one) => !one.includes('pg.dropped'))
      .map((one) =>
        one
          .replaceAll(/\{[^{}]*\}/g, (list) => list.slice(1, -1).split(',').toSorted().join(','))
          .replace(/^(\S+(?: \S+)?) \d+ /, '$1 ')
          .replaceAll(/[()]/g, ''),
      )
      .toSorted();
  };
  const steward = async (env: Record<string, string>, ...args: string[]): Promise<string> => {
    return (await run(process.execPath, [command, ...args], { env: { ...surroundings, ...env } })).stdout;
  };
  const restore = async (url: string, ...options: string[]): Promise<string> =>
    run(program('pg_restore'), [...options, '-d', url, dump]).then(
      () => '',
      ({ stderr }: { stderr: string }) => stderr,
    );
  const oneSentence =
    (about: RegExp) =>
    ({ stderr, message }: { stderr?: string; message: string }): boolean => {
      const said = (stderr ?? message.replace(/^the server ended with 1: /, '')).trim();
      assert.match(said, about);
      assert.equal(said.split('\n').length, 1, said);
      return true;
    };
  const claimed = ({ stdout }: { stdout: string }): boolean => /claimed by another database/.test(stdout);
  const empty = async (server: string, name: string): Promise<void> =>
    query(server, `drop database if exists ${name}`, `create database ${name} owner ${world.db.name}_owner`);
  /** Serves what was restored, to the member who was there. */
  const serves = async (env: Record<string, string>): Promise<void> => {
    const server = await world.another(env);
    const token = await world.token({ user: 'alice@example.com' }, server);
    const { status, body } = await world.call(`${server.addresses.portal}/api/organization`, { token, tenant });
    assert.deepEqual([status, body['name']], [200, 'Restored']);
    assert.equal(await server.stop(), 0);
  };

  before(async () => {
    const first = stack.use(await startCluster());
    second = stack.use(await startCluster());
    process.env[clusterVariable] = first.adminUrl;
    process.env[templatesVariable] = '';
    world = stack.use(await createProcessWorld());
    ({ tenant } = await world.signUp('alice@example.com', 'Restored'));
    await world.server.stop();
    await world.command(['audit', 'seal', '--day', '2026-03-01']);
    saved = await mkdtemp(join(tmpdir(), 'steward-saved-'));
    stack.defer(async () => rm(saved, { recursive: true }));
    await cp(world.dataDir, join(saved, '0'), { recursive: true });
    dump = join(saved, 'steward.dump');
    await run(program('pg_dump'), ['-Fc', '-f', dump, '-d', world.db.adminUrl]);
    original = await contents(world.db.adminUrl);
    const { password } = new URL(world.db.ownerUrl);
    await query(
      second.adminUrl,
      `create role ${world.db.name}_owner login createrole password '${password}'`,
      `create role ${world.db.name}_login login password '${password}'`,
    );
  });
  after(async () => stack.disposeAsync());
  beforeEach(async () => {
    dataDir = await mkdtemp(join(saved, 'restored-'));
    await cp(join(saved, '0'), dataDir, { recursive: true });
    await empty(second.adminUrl, world.db.name);
  });

  test('without its roles is refused by migrating and by a start, in one sentence that says what to do', async () => {
    const name = world.db.name;
    assert.match(await restore(adminAt(second.adminUrl, name)), /errors ignored on restore: \d{3}/);
    const env = loginsAt(second.adminUrl, name);
    const refused = oneSentence(/^This database was restored without its roles.* run `steward migrate --roles` /);
    await assert.rejects(steward(env, 'migrate'), refused);
    await assert.rejects(world.another(env), refused);
    await assert.rejects(world.another({ ...env, DATABASE_OWNER_URL: '' }), refused);
    await assert.rejects(steward(env, 'audit', 'verify'), oneSentence(/run `steward migrate`/));
  });

  test('on another server is the same, down to every role that it names, verifies, is claimed and serves', async () => {
    const name = world.db.name;
    const env = loginsAt(second.adminUrl, name);
    assert.match(await steward(env, 'migrate', '--roles', name), /^\d+ roles are there: restore the backup/);
    assert.equal(await restore(adminAt(second.adminUrl, name), '--exit-on-error'), '');
    assert.match(await steward(env, 'migrate'), /^The database is current\./);
    assert.deepEqual(await contents(adminAt(second.adminUrl, name)), original);
    await assert.rejects(steward(env, 'audit', 'verify'), claimed);
    assert.match(await steward(env, 'audit', 'claim', '--reason', 'another server'), /^Claim \d+: /);
    assert.match(await steward(env, 'audit', 'verify'), /Verified: /);
    await serves(env);
  });

  test('by the owner, which may not give functions away, is the same once it has migrated', async () => {
    const name = world.db.name;
    const env = loginsAt(second.adminUrl, name);
    await steward(env, 'migrate', '--roles', name);
    assert.match(await restore(env.DATABASE_OWNER_URL), /permission denied for schema/);
    assert.match(await steward(env, 'migrate'), /\d+ migrations applied/);
    assert.deepEqual(await contents(adminAt(second.adminUrl, name)), original);
    await steward(env, 'audit', 'claim', '--reason', 'by the owner');
    await serves(env);
  });

  test('under another name on the same server keeps its roles, and lets no other login into both', async () => {
    const name = `${world.db.name}_again`;
    await empty(world.db.adminUrl, name);
    const env = loginsAt(world.db.adminUrl, name);
    assert.equal(await restore(adminAt(world.db.adminUrl, name), '--exit-on-error'), '');
    assert.match(await steward(env, 'migrate'), /^The database is current\./);
    assert.deepEqual(await contents(adminAt(world.db.adminUrl, name)), original);
    await steward(env, 'audit', 'claim', '--reason', 'another name');
    assert.match(await steward(env, 'audit', 'verify'), /Verified: /);
    await serves(env);
    await query(world.db.adminUrl, `create role ${world.db.name}_guest login password 'x'`);
    const guest = Object.assign(new URL(env.DATABASE_URL), { username: `${world.db.name}_guest`, password: 'x' }).href;
    await assert.rejects(
      steward({ ...env, DATABASE_URL: guest }, 'migrate'),
      oneSentence(/_guest would get into both: /),
    );
    await assert.rejects(
      world.another({ ...env, DATABASE_URL: guest, DATABASE_OWNER_URL: '' }),
      oneSentence(/which is no member of /),
    );
    await query(world.db.adminUrl, `drop database ${name}`);
  });

  test('is dumped by a login of its own that reads everything, not by the owner', async () => {
    const name = world.db.name;
    const file = join(saved, 'other.dump');
    await assert.rejects(run(program('pg_dump'), ['-Fc', '-f', file, '-d', world.db.ownerUrl]), /row-level security/);
    await query(
      world.db.adminUrl,
      `create role ${name}_backup login password 'x' bypassrls`,
      `grant pg_read_all_data to ${name}_backup`,
    );
    const url = Object.assign(new URL(world.db.adminUrl), { username: `${name}_backup`, password: 'x' }).href;
    await run(program('pg_dump'), ['-Fc', '-f', file, '-d', url]);
    const listed = async (of: string): Promise<string[]> => {
      const { stdout } = await run(program('pg_restore'), ['-f', '-', of], { maxBuffer: 2 ** 28 });
      return stdout.split('\n').filter((line) => !/^(-- |\\(un)?restrict)/.test(line));
    };
    assert.deepEqual(await listed(file), await listed(dump));
  });
});
