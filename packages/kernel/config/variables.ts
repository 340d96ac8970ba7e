/** An environment variable: what it is where it is not set, and what it means, for the reference. */
export interface Variable {
  readonly default: string;
  readonly says: string;
}

export type Variables = Readonly<Record<string, Variable>>;
export type Environment = Readonly<Record<string, string | undefined>>;

/** What belongs to the process itself; each component declares its own. */
export const processVariables = {
  PORT: { default: '8080', says: 'Public listener. 0 picks a free port.' },
  HOST: { default: '127.0.0.1', says: 'Address the public listener binds to.' },
  INTERNAL_PORT: {
    default: '0',
    says: 'Internal listener on 127.0.0.1 for /internal/mcp and /metrics. 0 picks a free port.',
  },
  DATA_DIR: { default: '.data', says: 'Folder for the embedded database, generated keys and run.json.' },
  NODE_ENV: { default: 'development', says: '`production` refuses the development identity provider and GraphiQL.' },
  LOG_LEVEL: { default: 'info', says: '`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`.' },
  COMPONENTS: {
    default: '',
    says: 'Comma list of what this process serves: portal, accounting, commerce, studio, tools. Empty serves all.',
  },
  PUBLIC_URL: { default: '', says: 'Origin that all addresses below default to, such as https://steward.example.com.' },
  MCP_URL: { default: '{PUBLIC_URL}/mcp', says: 'Public base URL of the tool endpoint.' },
  MCP_ALIAS_URL: { default: '{origin of MCP_URL}/rpc', says: 'Equivalent alias of the tool endpoint.' },
  PORTAL_URL: { default: '{PUBLIC_URL}/portal', says: 'Public base URL of the portal.' },
  ACCOUNTING_URL: { default: '{PUBLIC_URL}/accounting', says: 'Public base URL of accounting.' },
  COMMERCE_URL: { default: '{PUBLIC_URL}/commerce', says: 'Public base URL of commerce.' },
  STUDIO_URL: { default: '{PUBLIC_URL}/studio', says: 'Public base URL of the studio.' },
  DATABASE_URL: {
    default: '',
    says: 'PostgreSQL 15 or newer: the application login (no superuser, no BYPASSRLS, owns nothing). Several hosts after commas: the one that takes writes is used. Empty starts the embedded server.',
  },
  DATABASE_OWNER_URL: {
    default: '',
    says: 'Login that owns the schema, may create roles, and migrates at start. Empty: the database must be current.',
  },
  DATABASE_POOL: {
    default: '25',
    says: 'Connections this process opens to the database, at most, 5 to 1000: one for /readyz, at most 12 for what follows events, the others for requests. Who finds none free waits its turn.',
  },
  SECRET_KEY: {
    default: '',
    says: '64 or more hex digits, the same in every process: signs what clients carry between calls, and opens what the database login alone cannot write. Empty makes one in DATA_DIR.',
  },
  LIMITS_URL: {
    default: '',
    says: 'Where the storefront limits are counted so that several processes share them: `postgres`, or a Redis or Valkey server such as `redis://127.0.0.1:6379`. Empty: each process counts by itself.',
  },
  TRUSTED_PROXIES: {
    default: '',
    says: 'Comma list of addresses or CIDR ranges whose X-Forwarded-For is believed.',
  },
  SHUTDOWN_DELAY_SECONDS: {
    default: '0',
    says: 'After SIGTERM: how long requests are still taken while /readyz answers 503, so that a balancer looks elsewhere first, 0 to 600.',
  },
  DRAIN_SECONDS: { default: '10', says: 'How long a stop waits for requests in flight.' },
} as const satisfies Variables;
