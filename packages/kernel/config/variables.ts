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
    says:
      'PostgreSQL 15 or newer, as the application login (no superuser, no BYPASSRLS, owns nothing). Separate several ' +
      'hosts with commas: the server uses the one that takes writes. Empty: starts the embedded PostgreSQL.',
  },
  DATABASE_OWNER_URL: {
    default: '',
    says: 'Login that owns the schema, may create roles, and migrates at start. Empty: the schema must be current.',
  },
  DATABASE_POOL: {
    default: '25',
    says:
      'Most connections of this process to the database, 5 to 1000: one for /readyz, at most 12 for event consumers, the ' +
      'others for requests. A request waits if none is free.',
  },
  SECRET_KEY: {
    default: '',
    says:
      '64 or more hex digits, the same in every process: signs state that clients carry between calls, and protects ' +
      'tables that the database login alone cannot write. Empty: the server creates one in DATA_DIR.',
  },
  LIMITS_URL: {
    default: '',
    says:
      'Store in which several processes count the storefront limits together: `postgres`, or a Redis or Valkey server ' +
      'such as `redis://127.0.0.1:6379`. Empty: each process counts alone.',
  },
  TRUSTED_PROXIES: {
    default: '',
    says: 'Comma list of addresses or CIDR ranges of proxies whose X-Forwarded-For the server trusts.',
  },
  SHUTDOWN_DELAY_SECONDS: {
    default: '0',
    says:
      'Seconds after SIGTERM in which the server still takes requests while /readyz answers 503, so that a load balancer ' +
      'stops sending them first, 0 to 600.',
  },
  DRAIN_SECONDS: { default: '10', says: 'Seconds that a stop waits for running requests.' },
} as const satisfies Variables;
