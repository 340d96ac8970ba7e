import assert from 'node:assert/strict';
import { chmod, cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { test } from 'node:test';
import { ConfigError, Problem } from '@steward/kernel';
import { createDatabaseProxy } from '@steward/testing';
import { startEmbedded } from '@steward/postgres';
import { connectTo, openPool, sql } from '../index.ts';

test('a server that follows another is refused when connecting, and the one that takes writes is found', async () => {
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'steward-standby-'));
  // Root’s server runs under an account of its own, which has to pass, and to own what it finds.
  await chmod(folder, 0o711);
  stack.defer(async () => rm(folder, { recursive: true, force: true }));
  const copied = await startEmbedded({ dataDir: join(folder, 'leader') });
  const { location } = copied;
  await copied.stop();
  const follower = join(folder, 'follower', 'postgres');
  await cp(location, follower, {
    recursive: true,
    preserveTimestamps: true,
    filter: (path) => !path.endsWith('.sock'),
  });
  await writeFile(join(follower, 'standby.signal'), '');
  const leader = stack.use(await startEmbedded({ dataDir: join(folder, 'leader') }));
  const standby = stack.use(await startEmbedded({ dataDir: join(folder, 'follower') }));
  const proxy = stack.use(await createDatabaseProxy(leader.adminUrl));
  const pool = stack.use(openPool({ url: proxy.through(leader.adminUrl), size: 2 }));
  await pool.query(sql`create table kept (n int)`);

  // As a balancer does that has not noticed yet: what reconnects is led to the demoted server.
  proxy.lead(standby.adminUrl);
  proxy.cut();
  const refused = (error: unknown): boolean => error instanceof Problem && error.status === 503;
  await assert.rejects(pool.query(sql`insert into kept values (1)`), refused);
  await assert.rejects(pool.read(sql`select n from kept`), refused);
  assert.equal(pool.counts.idle, 0);
  proxy.lead(leader.adminUrl);
  await pool.query(sql`insert into kept values (2)`);
  assert.deepEqual(await pool.read(sql`select n from kept`), [{ n: 2 }]);

  const hosts = [standby, leader].map(({ adminUrl }) => /@(?<host>[^/]+)\//.exec(adminUrl)?.groups?.['host']).join(',');
  const several = leader.adminUrl.replace(/@[^/]+\//, `@${hosts}/`);
  const wide = stack.use(openPool({ url: several, size: 2 }));
  await wide.query(sql`insert into kept values (3)`);
  const command = await connectTo(several, { applicationName: 'test' });
  await command.query('insert into kept values (4)');
  await command.end();
  await assert.rejects(
    connectTo(standby.adminUrl, { applicationName: 'test' }),
    (error: unknown) =>
      error instanceof ConfigError && /takes no writes: name the server that does/.test(error.message),
  );
});
