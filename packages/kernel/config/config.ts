import type { Environment } from './variables.ts';
import { readAddresses, type Addresses } from './addresses.ts';
import { readApproverClients, type ApproverClient } from './approver-clients.ts';
import { readArchive, type ArchiveConfig } from './archive.ts';
import { readBus, type BusConfig } from './bus.ts';
import { readIssuers, type IssuerConfig } from './issuers.ts';
import { isLoopback } from './loopback.ts';
import { readPlans, type Plans } from './plans.ts';
import { ConfigError, hexDigest, integer, list, oneOf, text } from './read.ts';

export { isLoopback };

export const componentNames = ['portal', 'accounting', 'commerce', 'studio', 'tools'] as const;
export type ComponentName = (typeof componentNames)[number];

export interface Config {
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
  /** Empty: the development identity provider is the only issuer. */
  readonly issuers: readonly IssuerConfig[];
  readonly developmentIssuer: 'loopback' | 'unsafe-public';
  readonly signup: {
    readonly scopes: readonly string[];
    readonly audiences: readonly string[];
    readonly attemptsPerAddressPerHour: number;
    readonly ownedPerOwnerPerDay: number;
  };
  readonly storefront: {
    readonly perAddressPerMinute: number;
    readonly perKeyPerMinute: number;
    /** That a tenant may keep, whatever its tier. */
    readonly submissions: number;
    /** Whether visitors are told whose contact their submission is. */
    readonly tellsContact: boolean;
  };
  /** Who may be told of submissions: whoever a form names, or those of them who are members. */
  readonly notifications: 'any' | 'known';
  /** How much a tenant may make in the studio. */
  readonly studio: {
    readonly sites: number;
    readonly keys: number;
    readonly forms: number;
    readonly versions: number;
    /** What a site may have each of its keys ask in a minute. */
    readonly requestsPerMinute: number;
  };
  /** Where limits are counted: '' in each process, `postgres`, or the URL of a Redis or Valkey server. */
  readonly limitsUrl: string;
  /** Undefined: one is made and kept in the data folder. */
  readonly secretKey: Uint8Array | undefined;
  readonly serviceTokens: readonly { readonly name: string; readonly sha256: string }[];
  readonly approverClients: readonly ApproverClient[];
  /** Undefined: nothing is sent. */
  readonly mail: { readonly url: string; readonly from: string } | undefined;
  /** Undefined: events stay in the outbox. */
  readonly bus: BusConfig | undefined;
  readonly trustedProxies: readonly string[];
  readonly archive: ArchiveConfig;
  readonly seal: {
    /** Whether this process seals in the background. */
    readonly background: boolean;
    /** How long after its end a day is sealed. */
    readonly graceMinutes: number;
    /** A path or PEM text; undefined: one is made and kept in the data folder. */
    readonly signingKey: string | undefined;
  };
  /** 32 bytes each, the one for new keys first. Empty: one is made and kept in the data folder. */
  readonly auditMasterKeys: readonly Uint8Array[];
  /** Between a signal to stop and the moment nothing more is accepted. */
  readonly shutdownDelayMilliseconds: number;
  /** Whose pages may call the tool endpoint from a browser. */
  readonly mcpOrigins: readonly string[];
  readonly plans: Plans;
  readonly drainMilliseconds: number;
}

/**
 * Environment → configuration.
 * @throws ConfigError with one sentence per fault that says which variable to mend and how
 */
export function readConfig(env: Environment): Config {
  const production = text(env, 'NODE_ENV') === 'production';
  const url = text(env, 'DATABASE_URL');
  const ownerUrl = text(env, 'DATABASE_OWNER_URL');
  if (url === '' && ownerUrl !== '') {
    throw new ConfigError('DATABASE_OWNER_URL is set without DATABASE_URL: set the application login too.');
  }
  const components = list(env, 'COMPONENTS').map((name) => oneOf('COMPONENTS', name, componentNames));
  const developmentIssuer = text(env, 'DEV_IDP');
  const addresses = readAddresses(env);
  const issuers = readIssuers(text(env, 'ISSUERS'));
  const config: Config = {
    production,
    host: text(env, 'HOST'),
    port: integer(env, 'PORT', 0, 65_535),
    internalPort: integer(env, 'INTERNAL_PORT', 0, 65_535),
    dataDir: text(env, 'DATA_DIR'),
    logLevel: oneOf('LOG_LEVEL', text(env, 'LOG_LEVEL'), logLevels),
    components: components.length === 0 ? componentNames : components,
    addresses,
    database: url === '' ? undefined : { url, ownerUrl: ownerUrl === '' ? undefined : ownerUrl },
    databasePool: integer(env, 'DATABASE_POOL', 5, 1_000),
    issuers,
    developmentIssuer: developmentIssuer === '' ? 'loopback' : oneOf('DEV_IDP', developmentIssuer, ['unsafe-public']),
    signup: {
      scopes: list(env, 'SIGNUP_SCOPES'),
      audiences: list(env, 'SIGNUP_AUDIENCES'),
      attemptsPerAddressPerHour: integer(env, 'SIGNUP_ATTEMPTS_PER_IP_PER_HOUR', 1, 1_000_000),
      ownedPerOwnerPerDay: integer(env, 'SIGNUP_OWNED_PER_OWNER_PER_DAY', 0, 1_000_000),
    },
    storefront: {
      perAddressPerMinute: integer(env, 'STOREFRONT_PER_IP_PER_MINUTE', 1, 1_000_000_000),
      submissions: integer(env, 'STOREFRONT_SUBMISSIONS_PER_TENANT', 1, 1_000_000_000),
      perKeyPerMinute: integer(env, 'STOREFRONT_PER_KEY_PER_MINUTE', 1, 1_000_000_000),
      tellsContact: oneOf('STOREFRONT_CONTACT_ID', text(env, 'STOREFRONT_CONTACT_ID'), ['shown', 'hidden']) === 'shown',
    },
    studio: {
      sites: integer(env, 'STUDIO_SITES_PER_TENANT', 1, 1_000_000),
      keys: integer(env, 'STUDIO_KEYS_PER_TENANT', 1, 10_000_000),
      forms: integer(env, 'STUDIO_FORMS_PER_TENANT', 1, 1_000_000),
      versions: integer(env, 'STUDIO_VERSIONS_PER_TENANT', 1, 100_000_000),
      requestsPerMinute: integer(env, 'STOREFRONT_SITE_PER_KEY_PER_MINUTE', 1, 1_000_000),
    },
    mcpOrigins: list(env, 'MCP_ALLOWED_ORIGINS').map(origin),
    plans: readPlans(env),
    notifications: oneOf('NOTIFICATION_RECIPIENTS', text(env, 'NOTIFICATION_RECIPIENTS'), ['any', 'known']),
    limitsUrl: readLimitsUrl(text(env, 'LIMITS_URL')),
    secretKey: readSecretKey(text(env, 'SECRET_KEY')),
    serviceTokens: list(env, 'SERVICE_TOKENS').map(serviceToken),
    approverClients: readApproverClients(list(env, 'APPROVER_CLIENTS'), issuers),
    mail: readMail(env),
    bus: readBus(env),
    trustedProxies: list(env, 'TRUSTED_PROXIES'),
    archive: readArchive(env),
    seal: {
      background: oneOf('AUDIT_SEAL', text(env, 'AUDIT_SEAL'), ['on', 'off']) === 'on',
      graceMinutes: integer(env, 'AUDIT_SEAL_GRACE_MINUTES', 0, 1_439),
      signingKey: text(env, 'AUDIT_SIGNING_KEY') === '' ? undefined : text(env, 'AUDIT_SIGNING_KEY'),
    },
    auditMasterKeys: list(env, 'AUDIT_MASTER_KEY').map(masterKey),
    shutdownDelayMilliseconds: integer(env, 'SHUTDOWN_DELAY_SECONDS', 0, 600) * 1000,
    drainMilliseconds: integer(env, 'DRAIN_SECONDS', 0, 600) * 1000,
  };
  refuseDevelopmentIssuerInPublic(config);
  return config;
}

function readMail(env: Environment): Config['mail'] {
  const url = text(env, 'SMTP_URL');
  if (url === '') return undefined;
  const parsed = URL.parse(url);
  if (parsed === null) throw new ConfigError('SMTP_URL is no URL: look at its host, and its port (1 to 65535).');
  if (!/^smtps?:$/.test(parsed.protocol)) throw new ConfigError('SMTP_URL must be an smtp:// or smtps:// URL.');
  const from = text(env, 'MAIL_FROM');
  if (!/^(?:[^<>\p{Cc}]*<[^\s<>@,;]+@[^\s<>@,;]+>|[^\s<>@,;]+@[^\s<>@,;]+)$/u.test(from)) {
    throw new ConfigError('MAIL_FROM must be one address, such as Steward <steward@example.com>.');
  }
  return { url, from };
}

function origin(given: string): string {
  if (given.includes('*'))
    throw new ConfigError(
      `MCP_ALLOWED_ORIGINS: name each origin, such as https://inspector.example.com, not ${given}.`,
    );
  const url = URL.parse(given);
  if (url === null || !['http:', 'https:'].includes(url.protocol) || url.origin !== given.toLowerCase())
    throw new ConfigError(`MCP_ALLOWED_ORIGINS: ${given} is no origin, such as https://inspector.example.com.`);
  return url.origin;
}

function readLimitsUrl(given: string): string {
  if (given === '' || given === 'postgres') return given;
  if (!/^(?:redis|valkey)s?:$/.test(URL.parse(given)?.protocol ?? '')) {
    throw new ConfigError('LIMITS_URL must be `postgres` or a redis://, rediss://, valkey:// or valkeys:// URL.');
  }
  return given;
}

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

function serviceToken(entry: string): { name: string; sha256: string } {
  const [name = '', digest = '', ...rest] = entry.split(':');
  if (!/^[a-z0-9_.-]{1,64}$/i.test(name) || rest.length > 0) {
    throw new ConfigError(
      'SERVICE_TOKENS is a comma list of name:sha256; `steward token --service NAME` prints an entry.',
    );
  }
  return { name, sha256: hexDigest('SERVICE_TOKENS', digest) };
}

function refuseDevelopmentIssuerInPublic(config: Config): void {
  if (config.issuers.length > 0) return;
  const mend = 'Configure ISSUERS with your identity provider.';
  if (config.production) {
    throw new ConfigError(`The development identity provider does not start with NODE_ENV=production. ${mend}`);
  }
  if (config.developmentIssuer === 'unsafe-public') return;
  const exposed = Object.values(config.addresses(config.port))
    .map((address) => new URL(address).hostname)
    .concat(config.host)
    .find((hostname) => !isLoopback(hostname));
  if (exposed !== undefined) {
    throw new ConfigError(
      `The development identity provider lets anyone be anyone, so it only serves loopback, and ${exposed} is not. ` +
        `${mend} For a throw-away tunnel, set DEV_IDP=unsafe-public.`,
    );
  }
}

function masterKey(given: string): Uint8Array {
  if (!/^[0-9a-f]{64}$/.test(given)) {
    throw new ConfigError(
      'AUDIT_MASTER_KEY is a comma list of keys of 64 lower-case hex digits, such as `openssl rand -hex 32` prints.',
    );
  }
  return Buffer.from(given, 'hex');
}

function readSecretKey(given: string): Uint8Array | undefined {
  if (given === '') return undefined;
  if (!/^(?:[0-9a-f]{2}){32,}$/.test(given)) {
    throw new ConfigError('SECRET_KEY needs 64 or more lower-case hex digits, such as `openssl rand -hex 32` prints.');
  }
  return Buffer.from(given, 'hex');
}
