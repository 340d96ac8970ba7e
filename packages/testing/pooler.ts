import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { createDatabaseProxy } from './proxy.ts';

export interface Pooler extends AsyncDisposable {
  readonly url: string;
}

/** Of PgBouncer, and whether it keeps prepared statements apart. */
export function poolerVersion(program: string): { readonly version: string; readonly able: boolean } {
  const said = execFileSync(program, ['--version'], { encoding: 'utf8' });
  const [, version = ''] = /^PgBouncer (\d+\.\d+)/.exec(said) ?? [];
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return { version, able: major > 1 || minor >= 21 };
}

/**
 * PgBouncer before one login of a database, which gives each transaction a connection.
 * @param settings further lines of its section
 */
export async function startPooler(program: string, login: string, settings: string): Promise<Pooler> {
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'steward-pooler-'));
  stack.defer(async () => rm(folder, { recursive: true, force: true }));
  // It may be a socket's that only a TCP address leads to from here.
  const proxy = stack.use(await createDatabaseProxy(login));
  const port = await freePort();
  const { username, password, port: behind, pathname } = new URL(proxy.through(login));
  const name = pathname.slice(1);
  const file = join(folder, 'pgbouncer.ini');
  await writeFile(
    file,
    `[databases]
${name} = host=127.0.0.1 port=${behind} dbname=${name} user=${username} password=${password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
max_client_conn = 100
${settings}
`,
  );
  await chmod(folder, 0o755);
  const root = process.getuid?.() === 0;
  const child = spawn(program, ['-q', file], { stdio: 'ignore', ...(root ? { uid: 65_534, gid: 65_534 } : {}) });
  const exited = once(child, 'exit');
  stack.defer(async () => {
    child.kill('SIGQUIT');
    await exited;
  });
  const url = `postgres://${username}:any@127.0.0.1:${port}/${name}`;
  for (;;) {
    const client = new pg.Client({ connectionString: url });
    const up = await client.connect().then(
      () => true,
      () => false,
    );
    if (up) await client.end();
    if (up) break;
    if (child.exitCode !== null) throw new Error('PgBouncer ended');
    await sleep(20);
  }
  const kept = stack.move();
  return { url, [Symbol.asyncDispose]: async () => kept.disposeAsync() };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}
