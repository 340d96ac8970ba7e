/** Every environment variable Steward reads. The configuration reference is generated from this table. */
export const variables = {
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
    says: 'Comma list of what this process serves: portal, accounting, tools. Empty serves all.',
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
    says: 'PostgreSQL 15 or newer: the application login (no superuser, no BYPASSRLS, owns nothing). Empty starts the embedded server.',
  },
  DATABASE_OWNER_URL: {
    default: '',
    says: 'Login that owns the schema, may create roles, and migrates at start. Empty: the database must be current.',
  },
  ISSUERS: {
    default: '',
    says: 'JSON array of accepted token issuers, see the operator guide. Empty starts the development identity provider.',
  },
  DEV_IDP: {
    default: '',
    says: '`unsafe-public` lets the development identity provider run on addresses that are not loopback (tunnels).',
  },
  SECRET_KEY: {
    default: '',
    says: '64 or more hex digits, the same in every process: signs what clients carry between calls. Empty makes one in DATA_DIR.',
  },
  SIGNUP_SCOPES: {
    default: 'service:external-agent:signup',
    says: 'Comma list: a token with one of these scopes may sign up.',
  },
  SIGNUP_AUDIENCES: { default: '', says: 'Comma list: a token with one of these audiences may sign up.' },
  SIGNUP_ATTEMPTS_PER_IP_PER_HOUR: { default: '20', says: 'Signup requests per address and hour.' },
  SIGNUP_OWNED_PER_OWNER_PER_DAY: { default: '3', says: 'Tenants one owner may create a day.' },
  SERVICE_TOKENS: {
    default: '',
    says: 'Comma list of name:sha256 (hex) of platform service tokens; a name may stand twice while rotating.',
  },
  APPROVER_CLIENTS: {
    default: 'steward-console',
    says: 'Comma list of client ids whose tokens may decide pending actions.',
  },
  SMTP_URL: {
    default: '',
    says: 'Mail server that tells people about actions awaiting them, such as smtps://user:password@mail.example.com. Empty: nothing is sent.',
  },
  MAIL_FROM: { default: 'Steward <steward@localhost>', says: 'Sender of that mail.' },
  TRUSTED_PROXIES: {
    default: '',
    says: 'Comma list of addresses or CIDR ranges whose X-Forwarded-For is believed.',
  },
  DRAIN_SECONDS: { default: '10', says: 'How long a stop waits for requests in flight.' },
} as const satisfies Record<string, { default: string; says: string }>;

export type VariableName = keyof typeof variables;
export type Environment = Partial<Record<VariableName, string | undefined>>;
