import { ConfigError } from '@steward/kernel/config-error';
import type pg from 'pg';

/** The server follows another, or refuses to write: nothing can be done there that must be kept. */
export class ReadOnlyServer extends Error {
  override readonly name = 'ReadOnlyServer';
  /** What PostgreSQL says when it is written to. */
  readonly code = '25006';
}

/** How long the first statements of a connection are waited for, in milliseconds. */
const patience = 5_000;

/**
 * Settings of every session. A server that waits for a machine that is gone releases its locks after 25 s on an idle
 * connection, and after 30 s if an answer was on its way or a transaction is open.
 */
const settingsOf = (statementMilliseconds: number | undefined): Readonly<Record<string, string>> => ({
  tcp_keepalives_idle: '10',
  tcp_keepalives_interval: '5',
  tcp_keepalives_count: '3',
  tcp_user_timeout: '30000',
  // The server reports a commit that no standby confirmed as a warning.
  client_min_messages: 'warning',
  // Statements here are short. Those that may not scan a table look expensive to the planner, and compiling them takes a hundred times as long as they do.
  jit: 'off',
  ...(statementMilliseconds === undefined
    ? {}
    : {
        statement_timeout: String(statementMilliseconds),
        lock_timeout: '10000',
        idle_in_transaction_session_timeout: '30000',
        timezone: 'UTC',
      }),
});

/** Behind a transaction pooler a session is anybody's, so that these are set on the login, and what they must not be. */
const byRole = {
  names: ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'jit'],
  unset: ['0', '0', '0', 'on'],
};

interface Found {
  readonly read_only: boolean;
  readonly direct: boolean;
  readonly unset: string[] | null;
  readonly zone: string;
  /** The login itself, not the server, is set to acknowledge commits that may be lost: a login may change its own settings. */
  readonly hasty: boolean;
}

/**
 * Makes a new connection one of ours, in one round trip: refuses a server that takes no writes, and sets time-outs. Whether a
 * pooler is in between shows in the process that answers: it is not the one that greeted.
 * @param statementMilliseconds undefined: for a command, which takes its time and needs a session of its own
 * @returns the server's process; undefined behind a pooler
 * @throws ReadOnlyServer
 * @throws ConfigError where a pooler is in between that does not keep prepared statements apart, or whose login lacks time-outs
 */
export async function beginSession(
  client: pg.Client,
  statementMilliseconds: number | undefined,
): Promise<number | undefined> {
  const settings = settingsOf(statementMilliseconds);
  const greeted = (client as pg.Client & { readonly processID: number | null }).processID;
  const { rows } = await client.query<Found>({
    text: `
      select pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as read_only, pg_backend_pid() = $1 as direct,
        case when pg_backend_pid() = $1 then (select count(set_config(s.name, s.value, false)) from unnest($2::text[], $3::text[]) as s (name, value)) end,
        (select array_agg(s.name) from unnest($4::text[], $5::text[]) as s (name, unset) where current_setting(s.name) in (s.unset, '')) as unset,
        case when hasty and pg_backend_pid() = $1 then set_config('synchronous_commit', 'on', false) end, hasty,
        current_setting('timezone') as zone
      from (select exists (select from pg_settings where name = 'synchronous_commit' and setting in ('off', 'local') and source like '%user') as hasty) as login`,
    values: [greeted, Object.keys(settings), Object.values(settings), byRole.names, byRole.unset],
    query_timeout: patience,
  } as pg.QueryConfig);
  const found = rows[0];
  if (found?.read_only !== false) throw new ReadOnlyServer('the server takes no writes');
  if (found.direct) return greeted ?? undefined;
  if (statementMilliseconds === undefined) {
    throw new ConfigError('DATABASE_OWNER_URL leads to a pooler: name PostgreSQL itself there.');
  }
  await requirePooler(client, found);
  return undefined;
}

/**
 * Asks again what was asked when the connection was made: a server may be demoted without closing it.
 * @throws ReadOnlyServer
 */
export async function requireWritable(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ writable: boolean }>('select not pg_is_in_recovery() as writable');
  if (rows[0]?.writable !== true) throw new ReadOnlyServer('the server takes no writes');
}

async function requirePooler(client: pg.Client, { unset, zone, hasty }: Found): Promise<void> {
  const name = 'steward_probe';
  const kept = await client
    .query<{ kept: boolean }>({
      name,
      text: `select exists (select from pg_prepared_statements where name = '${name}') as kept`,
      query_timeout: patience,
    } as pg.QueryConfig)
    .then(
      ({ rows }) => rows[0]?.kept,
      (error: Error & { code?: string }) => {
        // 42P05, 26000: a statement of that name is another client's, or is not there.
        if (error.code !== '42P05' && error.code !== '26000') throw error;
        return true;
      },
    );
  if (kept !== false) {
    throw new ConfigError(
      'The pooler before the database does not keep prepared statements apart: use PgBouncer 1.21 or newer with pool_mode = transaction and max_prepared_statements = 250, or connect to PostgreSQL directly.',
    );
  }
  const login = (client as pg.Client & { readonly user: string }).user;
  if (hasty)
    throw new ConfigError(
      `The login ${login} has a synchronous_commit of its own, with which acknowledged commits may be lost: run "alter role ${login} reset synchronous_commit", also "in database" where it was set there, and reconnect the pooler.`,
    );
  if (unset === null && zone === 'UTC') return;
  throw new ConfigError(
    `Through a pooler the settings of a session are the login's, and it lacks ${[...(unset ?? []), ...(zone === 'UTC' ? [] : ['timezone'])].join(', ')}: run "alter role ${login} set statement_timeout = '15s'; alter role ${login} set lock_timeout = '10s'; alter role ${login} set idle_in_transaction_session_timeout = '30s'; alter role ${login} set timezone = 'UTC'; alter role ${login} set jit = off" and reconnect the pooler.`,
  );
}
