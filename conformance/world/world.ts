import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { mintToken, type MintOptions } from '@steward/identity/provider';
import type { Addresses } from '@steward/kernel';
import { createTestDatabase, type TestDatabase } from '@steward/testing';
import { runCommand, type Ran } from './command.ts';

/** What every process of a world is given besides its own variables: without the cache, as `npm start` sets it, half of its start is compiling. */
export const surroundings: Readonly<Record<string, string>> = {
  PATH: process.env['PATH'] ?? '',
  NODE_COMPILE_CACHE: fileURLToPath(new URL('../../node_modules/.cache/node', import.meta.url)),
};
const main = fileURLToPath(new URL('../../apps/server/main.ts', import.meta.url));

/** One server process of a world. */
export interface Running {
  readonly child: ChildProcess;
  readonly addresses: Addresses;
  readonly issuer: string;
  readonly internalUrl: string;
  readonly output: () => string;
  /** SIGTERM; resolves with the exit code. */
  stop(): Promise<number | null>;
  /** SIGKILL. */
  kill(): Promise<void>;
}

/** The product as it ships: real processes on real ports over a real database, and tokens for anyone. */
export interface World extends AsyncDisposable {
  readonly db: TestDatabase;
  readonly dataDir: string;
  readonly server: Running;
  /** Another process over the same database and data folder, on ports of its own. */
  another(env?: Record<string, string>): Promise<Running>;
  /** @param entry of another version than this one */
  restart(entry?: string): Promise<Running>;
  /** `steward` with these words, over the same database and data folder. */
  command(args: readonly string[], env?: Record<string, string>): Promise<Ran>;
  /** For the first process, or for another one: each is an issuer of its own, with the same keys. */
  token(options: Partial<MintOptions>, at?: Running): Promise<string>;
  /** Signs up as `user`; the bootstrap document. */
  signUp(user: string, organizationName?: string, facts?: { readonly defaultCurrency?: string }): Promise<Bootstrap>;
  /** JSON in and out; `body` makes it a POST unless `method` says otherwise. */
  call(url: string, options: CallOptions): Promise<Answer>;
}

export interface Bootstrap {
  readonly tenant: string;
  readonly token: string;
  readonly document: Json;
}

export interface CallOptions {
  readonly token?: string;
  readonly tenant?: string;
  readonly method?: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

/** Parsed JSON to look into; a leaf is compared, not used. */
export interface Json {
  readonly [key: string]: Json;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Json;
}

/** @param around variables that need the database, such as its address by another way */
export async function createWorld(
  env: Record<string, string> = {},
  around: (db: TestDatabase) => Promise<Record<string, string>> = async () => ({}),
): Promise<World> {
  const db = await createTestDatabase([]);
  const dataDir = await mkdtemp(join(tmpdir(), 'steward-world-'));
  const base = {
    DATABASE_URL: db.appUrl,
    DATABASE_OWNER_URL: db.ownerUrl,
    DATA_DIR: dataDir,
    SIGNUP_ATTEMPTS_PER_IP_PER_HOUR: '100000',
    ...env,
    ...(await around(db)),
  };
  const processes: Running[] = [];
  const start = async (more: Record<string, string> = {}, entry?: string): Promise<Running> => {
    const running = await startServer({ ...base, ...more }, entry);
    processes.push(running);
    return running;
  };
  let server = await start();
  const world: World = {
    db,
    dataDir,
    get server() {
      return server;
    },
    another: start,
    command: async (args, more = {}) =>
      runCommand(args, {
        ...surroundings,
        DATA_DIR: dataDir,
        DATABASE_URL: db.appUrl,
        DATABASE_OWNER_URL: db.ownerUrl,
        ...more,
      }),
    restart: async (entry) => (server = await start({}, entry)),
    token: async (options, { issuer, addresses } = server) => {
      const { issuer: _issuer, ...audiences } = addresses;
      return mintToken({
        dataDir,
        issuer,
        audiences: [...new Set(Object.values(audiences))],
        ...options,
      });
    },
    signUp: async (user, organizationName = `${user} ltd`, facts = {}) => {
      const token = await world.token({ user });
      const answer = await call(`${server.addresses.portal}/api/external-agent/signup`, {
        token,
        body: { organizationName, ...facts },
        headers: { 'idempotency-key': `world-${user}-${organizationName}`.slice(0, 200) },
      });
      if (answer.status !== 201) throw new Error(`signup: ${answer.status} ${JSON.stringify(answer.body)}`);
      return { tenant: String(answer.body['organization']?.['id']), token, document: answer.body };
    },
    call,
    [Symbol.asyncDispose]: async () => {
      await Promise.all(processes.map(async (one) => one.kill()));
      await db[Symbol.asyncDispose]();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
  return world;
}

async function call(url: string, { token, tenant, method, body, headers }: CallOptions): Promise<Answer> {
  const answer = await fetch(url, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(tenant === undefined ? {} : { 'x-tenant-id': tenant }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, body: (text === '' ? {} : parse(text)) as Json };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Starts the server's own entry file with exactly these variables. */
export async function startServer(env: Record<string, string>, entry = main): Promise<Running> {
  const dataDir = env['DATA_DIR'] ?? '';
  const child = spawn(process.execPath, ['--max-semi-space-size=8', entry], {
    env: { ...surroundings, PORT: '0', LOG_LEVEL: 'warn', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
  const exited = once(child, 'exit') as Promise<[number | null]>;
  const ready = (async () => {
    while (child.exitCode === null && child.signalCode === null) {
      if (output.includes('Steward is ready')) {
        const run = JSON.parse(await readFile(join(dataDir, 'run.json'), 'utf8')) as Pick<
          Running,
          'addresses' | 'issuer' | 'internalUrl'
        > & { pid: number };
        if (run.pid === child.pid) return run;
      }
      await sleep(10);
    }
    throw new Error(`the server ended with ${child.exitCode}: ${output}`);
  })();
  const run = await ready;
  return {
    child,
    addresses: run.addresses,
    issuer: run.issuer,
    internalUrl: run.internalUrl,
    output: () => output,
    stop: async () => {
      child.kill('SIGTERM');
      return (await exited)[0];
    },
    kill: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
}
