import { mkdir, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  createLog,
  listen,
  type Addresses,
  type ComponentName,
  type Listener,
  type Log,
  ConfigError,
} from '@steward/kernel';
import type { Config } from './components.ts';
import { compose } from './compose.ts';
import { openDatabase, type Database } from './database.ts';
import { runFile, writeRunFile } from './run-file.ts';

export interface Server extends AsyncDisposable {
  readonly addresses: Addresses;
  readonly components: readonly ComponentName[];
  readonly internalUrl: string;
  /** Where the database is, without credentials. */
  readonly database: string;
  /** The issuer whose tokens are accepted. */
  readonly issuer: string;
  /** Where emails go: to a mail server, into a folder, or nowhere. */
  readonly mail: 'server' | { readonly folder: string } | undefined;
  /** Whether issuers are configured; otherwise the development provider runs. */
  readonly configured: boolean;
  readonly production: boolean;
  /** From process start to the first answer. */
  readonly milliseconds: number;
  readonly log: Log;
  /** Resolves with a sentence when the embedded database ends without being asked to. */
  readonly databaseDied: Promise<string>;
  /** Answers on /readyz that the process stops, and continues to serve until its readers may have noticed. */
  leave(): Promise<void>;
}

/** What is in flight when the database has died can only be refused; time for that, in milliseconds. */
const hopelessDrain = 500;

/**
 * Starts everything a process serves; disposing drains and stops it.
 * @throws ConfigError and errors with a `code`, whose message is one sentence that says what to do
 */
export async function startServer(
  config: Config,
  signal: AbortSignal,
  log = createLog(config.logLevel),
): Promise<Server> {
  const dataDir = resolve(config.dataDir);
  await mkdir(dataDir, { recursive: true });
  await using stack = new AsyncDisposableStack();
  const { database, listener, internal } = await acquire(stack, config, dataDir, log, signal);
  signal.throwIfAborted();
  const addresses = config.addresses(listener.port);
  const internalUrl = `http://127.0.0.1:${internal.port}`;
  let leaving = false;
  const application = await compose({
    config,
    dataDir,
    addresses,
    internalUrl,
    databaseUrl: database.url,
    log,
    listener,
    internal,
    leaving: () => leaving,
  });
  stack.use(application);
  listener.open(application.handlePublic);
  internal.open(application.handleInternal);
  await writeRunFile(dataDir, { addresses, internalUrl, issuer: application.issuer, database: database.address });
  stack.defer(async () => rm(runFile(dataDir), { force: true }));
  // Closed first of all: requests in flight still need the components and the database.
  let drain = config.drainMilliseconds;
  void database.died.then(() => (drain = hopelessDrain));
  stack.defer(async () => {
    await Promise.all([listener.close(drain), internal.close(drain)]);
  });
  const resources = stack.move();
  return {
    addresses,
    components: config.components,
    internalUrl,
    database: database.described,
    issuer: application.issuer,
    mail: config.mail !== undefined && 'url' in config.mail ? 'server' : config.mail,
    configured: config.issuers.length > 0,
    production: config.production,
    milliseconds: Math.round(performance.now()),
    log,
    databaseDied: database.died,
    leave: async () => {
      leaving = true;
      await sleep(config.shutdownDelayMilliseconds);
    },
    [Symbol.asyncDispose]: async () => resources.disposeAsync(),
  };
}

/** Database and ports at once; a data folder in use is said before a port in use, and a port in use before a database is made. */
async function acquire(
  stack: AsyncDisposableStack,
  config: Config,
  dataDir: string,
  log: Log,
  signal: AbortSignal,
): Promise<{ database: Database; listener: Listener; internal: Listener }> {
  const ports = [
    bind(config.host, config.port, 'PORT', log),
    bind('127.0.0.1', config.internalPort, 'INTERNAL_PORT', log),
  ] as const;
  const bound = Promise.all(ports);
  bound.catch(() => undefined);
  const [database, listener, internal] = await Promise.allSettled([
    openDatabase(config, dataDir, log, signal, bound),
    ...ports,
  ]);
  if (database.status === 'fulfilled') stack.defer(async () => database.value.close());
  if (listener.status === 'fulfilled') stack.defer(async () => listener.value.close(0));
  if (internal.status === 'fulfilled') stack.defer(async () => internal.value.close(0));
  if (database.status === 'rejected') throw database.reason;
  if (listener.status === 'rejected') throw listener.reason;
  if (internal.status === 'rejected') throw internal.reason;
  return { database: database.value, listener: listener.value, internal: internal.value };
}

async function bind(host: string, port: number, variable: string, log: Log): Promise<Listener> {
  try {
    return await listen(host, port, log);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    if (code === 'EADDRINUSE')
      throw new ConfigError(
        `Port ${port} on ${host} is in use: stop what uses it, or set ${variable} to another port (0 picks a free one).`,
      );
    if (code === 'EACCES')
      throw new ConfigError(`Port ${port} needs privileges: set ${variable} to a port above 1023.`);
    throw error;
  }
}
