import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mintToken, type MintOptions } from '@steward/identity/provider';
import { migrationSources } from '@steward/server/migrations';
import { createTestDatabase, type TestDatabase } from '@steward/testing';
import { runCommand, type Ran } from './command.ts';
import { startServer, surroundings, type Running } from './process.ts';
import { serve, type Serving } from './serving.ts';

/** The whole product on real ports over a real database, and tokens for anyone. */
export interface World extends AsyncDisposable {
  readonly db: TestDatabase;
  readonly dataDir: string;
  readonly server: Serving;
  /**
   * A second server over the same database and data folder, on ports of its own, in this process: what one server says to another goes
   * through the database, and starting a process takes longer than most tests.
   */
  beside(env?: Variables): Promise<Serving & AsyncDisposable>;
  /** As `beside`, in a process of its own, where its process is what is tested. */
  another(env?: Record<string, string>): Promise<Running>;
  /** `steward` with these words, over the same database and data folder. */
  command(args: readonly string[], env?: Record<string, string>): Promise<Ran>;
  /** For the first server, or for another one: each is an issuer of its own, with the same keys. */
  token(options: Partial<MintOptions>, at?: Serving): Promise<string>;
  /** Signs up as `user`; the bootstrap document. */
  signUp(user: string, organizationName?: string, facts?: { readonly defaultCurrency?: string }): Promise<Bootstrap>;
  /** JSON in and out; `body` makes it a POST unless `method` says otherwise. */
  call(url: string, options: CallOptions): Promise<Answer>;
}

/** Its server is a process too, as it ships, which can be killed. */
export interface ProcessWorld extends World {
  readonly server: Running;
  /** @param entry of another version than this one */
  restart(entry?: string): Promise<Running>;
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

type Variables = Readonly<Record<string, string>>;
type Around = (db: TestDatabase) => Promise<Variables>;

/**
 * A world whose server runs in the process of the test, which spares loading it once more.
 * @param around variables that need the database, such as its address by another way
 */
export async function createWorld(env: Variables = {}, around?: Around): Promise<World> {
  await using stack = new AsyncDisposableStack();
  const { variables, more } = await prepare(stack, env, around);
  const server = stack.use(await serve(variables));
  return { ...more(() => server), server, ...disposing(stack) };
}

/** A world whose server is a process. */
export async function createProcessWorld(env: Variables = {}, around?: Around): Promise<ProcessWorld> {
  await using stack = new AsyncDisposableStack();
  const { more } = await prepare(stack, env, around);
  const common = more(() => server);
  let server = await common.another();
  return {
    ...common,
    get server() {
      return server;
    },
    restart: async (entry) => (server = await common.another({}, entry)),
    ...disposing(stack),
  };
}

function disposing(stack: AsyncDisposableStack): AsyncDisposable {
  const kept = stack.move();
  return { [Symbol.asyncDispose]: async () => kept.disposeAsync() };
}

/** The database, already migrated, and all that a world does with whatever server it has by then. */
async function prepare(stack: AsyncDisposableStack, env: Variables, around: Around = async () => ({})) {
  const db = stack.use(await createTestDatabase(migrationSources));
  const dataDir = await mkdtemp(join(tmpdir(), 'steward-world-'));
  stack.defer(async () => rm(dataDir, { recursive: true, force: true }));
  const variables = {
    DATABASE_URL: db.appUrl,
    DATABASE_OWNER_URL: db.ownerUrl,
    DATA_DIR: dataDir,
    SIGNUP_ATTEMPTS_PER_IP_PER_HOUR: '100000',
    UCP_PER_IP_PER_MINUTE: '1000000',
    ACP_PER_IP_PER_MINUTE: '1000000',
    ...env,
    ...(await around(db)),
  };
  const processes: Running[] = [];
  stack.defer(async () => {
    await Promise.all(processes.map(async (one) => one.kill()));
  });
  const servers = stack.use(new AsyncDisposableStack());
  const more = (server: () => Serving) => {
    const token: World['token'] = async (options, { issuer, addresses } = server()) => {
      const { issuer: _issuer, ...audiences } = addresses;
      return mintToken({ dataDir, issuer, audiences: [...new Set(Object.values(audiences))], ...options });
    };
    return {
      db,
      dataDir,
      token,
      call,
      beside: async (other: Variables = {}) => servers.use(await serve({ ...variables, ...other })),
      another: async (other: Variables = {}, entry?: string): Promise<Running> => {
        const running = await startServer({ ...variables, ...other }, entry);
        processes.push(running);
        return running;
      },
      command: async (args: readonly string[], other: Variables = {}): Promise<Ran> =>
        runCommand(args, {
          ...surroundings,
          DATA_DIR: dataDir,
          DATABASE_URL: db.appUrl,
          DATABASE_OWNER_URL: db.ownerUrl,
          ...other,
        }),
      signUp: async (user: string, organizationName = `${user} ltd`, facts = {}): Promise<Bootstrap> => {
        const own = await token({ user });
        const answer = await call(`${server().addresses.portal}/api/external-agent/signup`, {
          token: own,
          body: { organizationName, ...facts },
          headers: { 'idempotency-key': `world-${user}-${organizationName}`.slice(0, 200) },
        });
        if (answer.status !== 201) throw new Error(`signup: ${answer.status} ${JSON.stringify(answer.body)}`);
        return { tenant: String(answer.body['organization']?.['id']), token: own, document: answer.body };
      },
    };
  };
  return { variables, more };
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
    ...(body === undefined
      ? {}
      : { body: typeof body === 'string' || Buffer.isBuffer(body) ? (body as BodyInit) : JSON.stringify(body) }),
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
