import { dictionary } from '@steward/kernel';
import { ConfigError } from '@steward/kernel/config-error';
import pg from 'pg';
import { dropWhenSilent } from './drop-when-silent.ts';
import { drop } from './drop.ts';
import { describeAddress, hostsOf } from './hosts.ts';
import { beginSession, ReadOnlyServer } from './session.ts';

export interface ConnectOptions {
  readonly applicationName: string;
  /** 0: no time-out. Undefined: no time-outs at all, for a command. */
  readonly statementMilliseconds?: number;
  /** Without a time-out: after how long a server that says nothing is asked whether it is at work, in milliseconds. */
  readonly silence?: number;
  readonly types?: pg.CustomTypesConfig;
  /** Which of the servers is tried first; the others follow in their order. */
  readonly first?: number;
}

export interface Connected {
  readonly client: pg.Client;
  /** Which of the servers it is. */
  readonly host: number;
}

/** How long one server is waited for, in milliseconds. */
const patience = (hosts: number): number => (hosts > 1 ? 2_500 : 5_000);

/** What we wait for, given the server's own time-out: a server that says nothing until then is not there. */
const deadline = (statementMilliseconds: number): number =>
  statementMilliseconds + Math.min(statementMilliseconds, 5_000);

const ignore = (): void => undefined;

/**
 * A connection to the server of `urls` that takes writes, with our time-outs on either side.
 * @throws what the last server that answered said
 */
export async function connectFirst(urls: readonly string[], options: ConnectOptions): Promise<Connected> {
  const { first = 0, statementMilliseconds, silence = 15_000, applicationName, types } = options;
  let failure: unknown;
  for (let n = 0; n < urls.length; n += 1) {
    const host = (first + n) % urls.length;
    const client = new pg.Client({
      connectionString: urls[host],
      connectionTimeoutMillis: patience(urls.length),
      ...(statementMilliseconds === undefined ? {} : { query_timeout: deadline(statementMilliseconds) }),
      keepAlive: true,
      keepAliveInitialDelayMillis: 5_000,
      application_name: applicationName,
      ...(types === undefined ? {} : { types }),
    });
    // A connection may fail twice, the second time when it has been given up: without a listener that would end the process.
    client.on('error', ignore);
    try {
      await client.connect();
      const process = await beginSession(client, statementMilliseconds);
      const patient = statementMilliseconds === undefined || statementMilliseconds === 0;
      if (patient && process !== undefined)
        dropWhenSilent(client, silence, async () => isAtWork(urls[host] ?? '', process));
      return { client, host };
    } catch (error) {
      drop(client);
      if (error instanceof ConfigError) throw error;
      // That one was there, and takes no writes, says more than that another could not be reached.
      if (!(failure instanceof ReadOnlyServer)) failure = error;
    }
  }
  throw failure;
}

/** Whether a process of the server is working; true also if the server answers and cannot say. */
async function isAtWork(url: string, process: number): Promise<boolean> {
  try {
    const { client } = await connectFirst([url], { applicationName: 'steward-attend', statementMilliseconds: 5_000 });
    try {
      const { rows } = await client.query<{ working: boolean }>(
        `select exists (select from pg_stat_activity where pid = $1 and coalesce(state, '') not like 'idle%') as working`,
        [process],
      );
      return rows[0]?.working === true;
    } finally {
      drop(client);
    }
  } catch (error) {
    return error instanceof pg.DatabaseError;
  }
}

/**
 * One connection to the server that takes writes; the caller ends it. With the options of a command it takes its time, and
 * is refused behind a pooler.
 * @throws ConfigError with the address, without credentials, and what is wrong there
 */
export async function connectTo(address: string, options: ConnectOptions): Promise<pg.Client> {
  try {
    return (await connectFirst(hostsOf(address), options)).client;
  } catch (error) {
    throw explained(error, address);
  }
}

const away = dictionary<string>({
  ECONNREFUSED: 'does not answer there: start it, or check the address',
  ENOTFOUND: 'has a host name that is not known: check the address',
  EAI_AGAIN: 'has a host name that cannot be looked up at the moment',
  ETIMEDOUT: 'does not answer in time: check the address and the network',
  EHOSTUNREACH: 'cannot be reached: check the address and the network',
  ENETUNREACH: 'cannot be reached: check the address and the network',
  '25006': 'takes no writes: name the server that does, or all of them (host1,host2)',
  '57P03': 'is starting or recovering: try again in a moment',
  '53300': 'has no connection left: raise its max_connections, or lower DATABASE_POOL',
  '28P01': 'refuses the password: check the login',
  '28000': 'refuses the login: check it and pg_hba.conf',
  '3D000': 'has no such database: create it, or check the address',
});

function explained(error: unknown, address: string): Error {
  if (error instanceof ConfigError) return error;
  const code = codeOf(error);
  const said = error instanceof Error ? error.message : '';
  const what = /timeout expired|read timeout/i.test(said) ? away['ETIMEDOUT'] : away[code];
  return new ConfigError(
    `The database at ${describeAddress(address)} ${what ?? `refused (${said === '' ? code : said})`}.`,
    { cause: error },
  );
}

/** Of several addresses of one name, what the first said. */
function codeOf(error: unknown): string {
  if (error instanceof AggregateError) return codeOf(error.errors[0]);
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
