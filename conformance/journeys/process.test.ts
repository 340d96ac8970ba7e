import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { after, before, describe, test } from 'node:test';
import { startServer, type Running } from '@steward/conformance/world';

const root = fileURLToPath(new URL('../../', import.meta.url));

describe('a server process with its own database', () => {
  let folder: string;
  /** Tests share one where they are not about its making, which takes longer than they do. */
  const dataDir = (name: string): string => join(folder, name);
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'steward-process-'));
  });
  after(async () => rm(folder, { recursive: true, force: true }));

  const refusal = async (env: Record<string, string>): Promise<string> => {
    try {
      const running = await startServer(env);
      await running.stop();
    } catch (error) {
      return String((error as Error).message)
        .replace(/^the server ended with \d+: /, '')
        .trim();
    }
    return 'it started';
  };
  const ready = async (running: Running): Promise<number> =>
    (await fetch(new URL('/readyz', running.addresses.mcp))).status;

  test('starts from nothing, refuses a second start beside it in one sentence, stops cleanly and starts again', async () => {
    const env = { DATA_DIR: dataDir('a') };
    const first = await startServer(env);
    assert.equal(await ready(first), 200);
    const second = await refusal(env);
    assert.match(second, /data folder|already|in use/i);
    assert.equal(second.split('\n').length, 1, second);
    assert.equal(await first.stop(), 0);
    const again = await startServer(env);
    assert.equal(await ready(again), 200);
    assert.doesNotMatch(again.output(), /recovered/);
    assert.equal(await again.stop(), 0);
  });

  test('recovers after kill -9, with everything that was acknowledged', async () => {
    const env = { DATA_DIR: dataDir('a') };
    const first = await startServer(env);
    await first.kill();
    const again = await startServer(env);
    assert.equal(await ready(again), 200);
    assert.equal(await again.stop(), 0);
  });

  test('leaves what it compiled to the next start, though it was killed', async () => {
    const env = { DATA_DIR: dataDir('a'), NODE_COMPILE_CACHE: join(folder, 'compiled') };
    const first = await startServer(env);
    await first.kill();
    const again = await startServer({ ...env, NODE_DEBUG_NATIVE: 'COMPILE_CACHE' });
    assert.equal(await again.stop(), 0);
    const looked = again.output().split('\n');
    const main = looked.filter((line) => line.includes('StrippedTypeScript') && line.includes('apps/server/main.ts'));
    assert.ok(main.length > 0, 'Node tells what it looks for');
    assert.deepEqual(
      main.filter((line) => line.includes('no transpile cache')),
      [],
    );
  });

  test('is not made by a command that only asks: it says that there is none', async () => {
    const env = { ...process.env, DATA_DIR: dataDir('none'), DATABASE_URL: '' };
    for (const asked of [
      ['bus', 'status'],
      ['mail', 'status'],
      ['audit', 'verify'],
    ]) {
      const child = spawn(process.execPath, [join(root, 'apps/cli/steward.ts'), ...asked], { env });
      let told = '';
      child.stderr.setEncoding('utf8').on('data', (text: string) => (told += text));
      const [code] = (await once(child, 'close')) as [number];
      assert.ok(code !== 0);
      assert.match(told, /^.*There is no instance in .*none: set DATA_DIR .*\n$/);
      assert.equal(existsSync(dataDir('none')), false);
    }
  });

  test('says which port is taken, and by which variable to choose another', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as { port: number };
    const said = await refusal({ DATA_DIR: dataDir('port'), PORT: String(port) });
    assert.equal(existsSync(join(dataDir('port'), 'postgres')), false, 'and makes no database before');
    assert.match(said, new RegExp(`^Port ${port} on 127\\.0\\.0\\.1 is in use: .* PORT `));
    taken.close();
  });

  test('refuses a configuration that cannot work, in one sentence and before it starts anything', async () => {
    const refused = await Promise.all([
      refusal({ DATA_DIR: dataDir('d'), NODE_ENV: 'production' }),
      refusal({ DATA_DIR: dataDir('d'), HOST: '0.0.0.0' }),
      refusal({ DATA_DIR: dataDir('d'), PORT: 'http' }),
      refusal({ DATA_DIR: dataDir('d'), COMPONENTS: 'shop' }),
    ]);
    assert.match(refused[0], /NODE_ENV=production/);
    assert.match(refused[1], /loopback/);
    assert.match(refused[2], /^PORT must be/);
    assert.match(refused[3], /^COMPONENTS must be/);
    for (const said of refused) assert.equal(said.split('\n').length, 1, said);
  });

  test('in production writes lines of JSON alone, also of what nobody caught or warned of', async () => {
    const script = `process.on('newListener', (name) => {
      if (name !== 'SIGTERM') return;
      process.emitWarning('beware');
      setImmediate(() => void Promise.reject(new Error('lost')));
    })`;
    const said = await refusal({
      DATA_DIR: dataDir('e'),
      NODE_ENV: 'production',
      ISSUERS: '[{"issuer":"https://id.example.com","jwksUri":"https://id.example.com/jwks","audiences":["steward"]}]',
      DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(script)}`,
    });
    const lines = said.split('\n').map((line) => JSON.parse(line) as { level: number; err: { message: string } });
    assert.deepEqual(
      lines.map(({ level, err }) => [level, err.message]),
      [
        [40, 'beware'],
        [60, 'lost'],
      ],
    );
  });

  test('serves only the components it is told to', async () => {
    const running = await startServer({ DATA_DIR: dataDir('a'), COMPONENTS: 'portal' });
    const status = async (url: string): Promise<number> => (await fetch(url)).status;
    assert.equal(await status(`${running.addresses.portal}/api/organization`), 401);
    assert.equal(await status(`${running.addresses.accounting}/api/accounts`), 404);
    assert.equal(await status(running.addresses.mcp), 404);
    assert.equal(await running.stop(), 0);
  });

  test('keeps metrics and the internal surface off the public listener', async () => {
    const running = await startServer({ DATA_DIR: dataDir('a') });
    const origin = new URL(running.addresses.mcp).origin;
    assert.equal((await fetch(`${origin}/metrics`)).status, 404);
    assert.equal((await fetch(`${origin}/internal/mcp`, { method: 'POST' })).status, 404);
    assert.match(await (await fetch(`${running.internalUrl}/metrics`)).text(), /steward_http_request_seconds/);
    assert.equal((await fetch(`${running.internalUrl}/internal/mcp`, { method: 'POST' })).status, 401);
    assert.equal(await running.stop(), 0);
  });

  test('drains on Ctrl-C of npm start, exits 0 and takes the database with it', async () => {
    const env = { PATH: process.env['PATH'] ?? '', HOME: folder, PORT: '0', DATA_DIR: dataDir('a') };
    const npm = spawn('npm', ['start'], { cwd: root, env, detached: true, stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    npm.stdout.on('data', (chunk) => (output += String(chunk)));
    while (!output.includes('Steward is ready')) await once(npm.stdout, 'data');
    const run = JSON.parse(await readFile(join(dataDir('a'), 'run.json'), 'utf8')) as { pid: number };
    const exited = once(npm, 'exit');
    // The terminal sends SIGINT to the whole group: npm, the server, and whatever shares its group.
    process.kill(-(npm.pid ?? 0), 'SIGINT');
    assert.deepEqual(await exited, [0, null]);
    assert.throws(() => process.kill(run.pid, 0), /ESRCH/);
    const again = await startServer({ DATA_DIR: dataDir('a') });
    assert.doesNotMatch(again.output(), /recovered/);
    await again.stop();
  });

  test('ends with a sentence when its database dies, and the next start recovers', async () => {
    const env = { DATA_DIR: dataDir('a') };
    const running = await startServer(env);
    const location = await readFile(join(dataDir('a'), 'postgres', 'postmaster.pid'), 'utf8');
    const exited = once(running.child, 'exit');
    process.kill(Number(location.split('\n')[0]), 'SIGKILL');
    const [code] = await exited;
    assert.equal(code, 1);
    const again = await startServer(env);
    assert.match(again.output(), /recovered from a crash/);
    assert.equal(await again.stop(), 0);
  });
});
