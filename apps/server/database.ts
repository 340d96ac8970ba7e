import type { Log, ProcessConfig } from '@steward/kernel';
import {
  describeAddress,
  loginOf,
  migrate,
  prepareLogins,
  requireBoundLogin,
  requireCurrent,
  type MigrationSource,
} from '@steward/sql';
import { migrationSources } from './migrations.ts';

export interface Database {
  /** The application's login. */
  readonly url: string;
  /** For the log and the terminal: no credentials. */
  readonly described: string;
  /** Of the embedded server, without credentials. */
  readonly address: string | undefined;
  readonly died: Promise<string>;
  close(): Promise<void>;
}

const never = new Promise<string>(() => undefined);

/**
 * The configured database, or the embedded one; at the present schema either way.
 * @param ready what must not fail before one is made in a folder that is ours
 */
export async function openDatabase(
  config: Pick<ProcessConfig, 'database'>,
  dataDir: string,
  log: Log,
  signal: AbortSignal,
  ready: Promise<unknown>,
): Promise<Database> {
  if (config.database !== undefined) {
    const { url, ownerUrl } = config.database;
    if (ownerUrl === undefined) await requireCurrent(url, migrationSources);
    else await bringUp(ownerUrl, url, migrationSources, log);
    await requireBoundLogin(url);
    return { url, described: describeAddress(url), address: undefined, died: never, close: async () => undefined };
  }
  const { startEmbedded } = await import('@steward/postgres');
  const server = await startEmbedded({ dataDir, log: (line) => log.debug(line), signal, ready });
  try {
    const { ownerUrl, appUrl } = await prepareLogins(server.adminUrl, dataDir);
    await bringUp(ownerUrl, appUrl, migrationSources, log);
    const recovered = server.recovered ? ', recovered from a crash' : '';
    return {
      url: appUrl,
      described: `embedded PostgreSQL in ${server.location}${recovered}`,
      address: withoutCredentials(server.adminUrl),
      died: server.died,
      close: async () => server.stop(),
    };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

async function bringUp(ownerUrl: string, appUrl: string, sources: readonly MigrationSource[], log: Log): Promise<void> {
  const applied = await migrate({
    ownerUrl,
    appLogins: [loginOf(appUrl)],
    sources,
    log: (line) => log.debug(line),
  });
  if (applied > 0) log.info({ applied }, 'database migrated');
}

const withoutCredentials = (url: string): string => Object.assign(new URL(url), { username: '', password: '' }).href;
