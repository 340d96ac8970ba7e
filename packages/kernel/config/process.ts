import { readAddresses, type Addresses } from './addresses.ts';
import { ConfigError, integer, list, oneOf, text, type Source } from './read.ts';
import type { processVariables } from './variables.ts';

export const componentNames = ['portal', 'accounting', 'commerce', 'studio', 'tools'] as const;
export type ComponentName = (typeof componentNames)[number];

export interface ProcessConfig {
  readonly production: boolean;
  readonly host: string;
  readonly port: number;
  readonly internalPort: number;
  readonly dataDir: string;
  readonly logLevel: string;
  readonly components: readonly ComponentName[];
  /** Given by configuration, or derived from the port once it is known. */
  readonly addresses: (port: number) => Addresses;
  readonly database: { readonly url: string; readonly ownerUrl: string | undefined } | undefined;
  /** Connections to the database, at most. */
  readonly databasePool: number;
  /** Where limits are counted: '' in each process, `postgres`, or the URL of a Redis or Valkey server. */
  readonly limitsUrl: string;
  /** Undefined: one is made and kept in the data folder. */
  readonly secretKey: Uint8Array | undefined;
  readonly trustedProxies: readonly string[];
  /** Between a signal to stop and the moment nothing more is accepted. */
  readonly shutdownDelayMilliseconds: number;
  readonly drainMilliseconds: number;
}

/** What the process itself has people configure. @throws ConfigError */
export function readProcess(env: Source<keyof typeof processVariables>): ProcessConfig {
  const url = text(env, 'DATABASE_URL');
  const ownerUrl = text(env, 'DATABASE_OWNER_URL');
  if (url === '' && ownerUrl !== '') {
    throw new ConfigError('DATABASE_OWNER_URL is set without DATABASE_URL: set the application login too.');
  }
  const components = list(env, 'COMPONENTS').map((name) => oneOf('COMPONENTS', name, componentNames));
  return {
    production: text(env, 'NODE_ENV') === 'production',
    host: text(env, 'HOST'),
    port: integer(env, 'PORT', 0, 65_535),
    internalPort: integer(env, 'INTERNAL_PORT', 0, 65_535),
    dataDir: text(env, 'DATA_DIR'),
    logLevel: oneOf('LOG_LEVEL', text(env, 'LOG_LEVEL'), logLevels),
    components: components.length === 0 ? componentNames : components,
    addresses: readAddresses(env),
    database: url === '' ? undefined : { url, ownerUrl: ownerUrl === '' ? undefined : ownerUrl },
    databasePool: integer(env, 'DATABASE_POOL', 5, 1_000),
    limitsUrl: readLimitsUrl(text(env, 'LIMITS_URL')),
    secretKey: readSecretKey(text(env, 'SECRET_KEY')),
    trustedProxies: list(env, 'TRUSTED_PROXIES'),
    shutdownDelayMilliseconds: integer(env, 'SHUTDOWN_DELAY_SECONDS', 0, 600) * 1000,
    drainMilliseconds: integer(env, 'DRAIN_SECONDS', 0, 600) * 1000,
  };
}

function readLimitsUrl(given: string): string {
  if (given === '' || given === 'postgres') return given;
  if (!/^(?:redis|valkey)s?:$/.test(URL.parse(given)?.protocol ?? '')) {
    throw new ConfigError('LIMITS_URL must be `postgres` or a redis://, rediss://, valkey:// or valkeys:// URL.');
  }
  return given;
}

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

function readSecretKey(given: string): Uint8Array | undefined {
  if (given === '') return undefined;
  if (!/^(?:[0-9a-f]{2}){32,}$/.test(given)) {
    throw new ConfigError('SECRET_KEY needs 64 or more lower-case hex digits, such as `openssl rand -hex 32` prints.');
  }
  return Buffer.from(given, 'hex');
}
