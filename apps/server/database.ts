import { ConfigError, type Config, type Log } from '@steward/kernel';
import { migrate, prepareLogins, requireBoundLogin, requireCurrent, type MigrationSource } from '@steward/sql';
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

/** The configured database, or the embedded one; at the present schema either way. */
export async function openDatabase(config: Config, dataDir: string, log: Log, signal: AbortSignal): Promise<Database> {
  if (config.database !== undefined) {
    const { url, ownerUrl } = config.database;
    try {
      if (ownerUrl === undefined) await requireCurrent(url, migrationSources);
      else await bringUp(ownerUrl, url, migrationSources, log);
      await requireBoundLogin(url);
    } catch (error) {
      throw explained(error, url);
    }
    const { host, pathname } = new URL(url);
    return { url, described: `${host}${pathname}`, address: undefined, died: never, close: async () => undefined };
  }
  const { startEmbedded } = await import('@steward/sql/embedded');
  const server = await startEmbedded({ dataDir, log: (line) => log.debug(line), signal });
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
    appLogins: [decodeURIComponent(new URL(appUrl).username)],
    sources,
    log: (line) => log.debug(line),
  });
  if (applied > 0) log.info({ applied }, 'database migrated');
}

const withoutCredentials = (url: string): string => Object.assign(new URL(url), { username: '', password: '' }).href;

/** A refusal of the database itself, said with the address it came from and the variable that named it. */
function explained(error: unknown, url: string): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (error instanceof ConfigError || code === '') return error;
  return new ConfigError(
    `The database at ${new URL(url).host} refused (${String((error as Error).message)}): check DATABASE_URL and DATABASE_OWNER_URL.`,
  );
}
