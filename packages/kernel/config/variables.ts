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
    says: 'Comma list of what this process serves: portal, accounting, commerce, studio, tools. Empty serves all.',
  },
  PUBLIC_URL: { default: '', says: 'Origin that all addresses below default to, such as https://steward.example.com.' },
  MCP_URL: { default: '{PUBLIC_URL}/mcp', says: 'Public base URL of the tool endpoint.' },
  MCP_ALIAS_URL: { default: '{origin of MCP_URL}/rpc', says: 'Equivalent alias of the tool endpoint.' },
  MCP_ALLOWED_ORIGINS: {
    default: '',
    says: 'Comma list of origins whose pages may call the tool endpoint from a browser, such as https://inspector.example.com.',
  },
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
    says: '64 or more hex digits, the same in every process: signs what clients carry between calls, and opens what the database login alone cannot write. Empty makes one in DATA_DIR.',
  },
  SIGNUP_SCOPES: {
    default: 'service:external-agent:signup',
    says: 'Comma list: a token with one of these scopes may sign up.',
  },
  SIGNUP_AUDIENCES: { default: '', says: 'Comma list: a token with one of these audiences may sign up.' },
  SIGNUP_ATTEMPTS_PER_IP_PER_HOUR: { default: '20', says: 'Signup requests per address and hour.' },
  SIGNUP_OWNED_PER_OWNER_PER_DAY: { default: '3', says: 'Tenants one owner may create a day.' },
  PLANS: {
    default: '',
    says: 'JSON object: tier → `{"entitlements": [...]}` of `read`, `export`, `decide`, `write`, `approval`, and `"quotas"` of `attachmentBytes`, `submissions`, `events`, `uploads`; over `free`, `trial` and `community`.',
  },
  AFTER_TRIAL: {
    default: '',
    says: 'The tier of a tenant after its 14 days of trial. Empty: `community`, which entitles to everything; `free` only reads, exports and decides.',
  },
  STOREFRONT_PER_IP_PER_MINUTE: {
    default: '100',
    says: 'Requests per address and minute over all storefront routes; IPv6 counts by /64.',
  },
  STOREFRONT_PER_KEY_PER_MINUTE: {
    default: '100',
    says: 'Requests per SDK key and minute over all storefront routes.',
  },
  STOREFRONT_SITE_PER_KEY_PER_MINUTE: {
    default: '6000',
    says: 'What a site may give itself at most instead: requests per SDK key and minute.',
  },
  STOREFRONT_SUBMISSIONS_PER_TENANT: {
    default: '20000000',
    says: 'Submissions that a tenant may keep, whatever its tier: beyond them its forms answer `403 quota_exceeded`.',
  },
  STOREFRONT_CONTACT_ID: {
    default: 'shown',
    says: '`hidden` leaves `contactId` out of what visitors are answered: by it, two submissions tell anybody whether an address or a phone is known. For public hosts.',
  },
  STUDIO_SITES_PER_TENANT: { default: '200', says: 'Sites a tenant may have, disabled ones included.' },
  STUDIO_KEYS_PER_TENANT: {
    default: '5000',
    says: 'SDK keys a tenant may issue, ended ones included; 50 live ones a site.',
  },
  STUDIO_FORMS_PER_TENANT: {
    default: '1000',
    says: 'Forms a tenant may have in use; ten times as many with those that are archived.',
  },
  STUDIO_VERSIONS_PER_TENANT: { default: '20000', says: 'Versions of forms a tenant may publish.' },
  LIMITS_URL: {
    default: '',
    says: 'Where the storefront limits are counted so that several processes share them: `postgres`, or a Redis or Valkey server such as `redis://127.0.0.1:6379`. Empty: each process counts by itself.',
  },
  SERVICE_TOKENS: {
    default: '',
    says: 'Comma list of name:sha256 (hex) of platform service tokens; a name may stand twice while rotating.',
  },
  APPROVER_CLIENTS: {
    default: 'steward-console',
    says: 'Comma list of clients whose tokens may decide pending actions and appoint people: `issuer|client`, or a client id alone where there is one issuer.',
  },
  SMTP_URL: {
    default: '',
    says: 'Mail server for notifications, such as smtps://user:password@mail.example.com; see the operator guide. Empty: nothing is sent, and letters wait for three days.',
  },
  MAIL_FROM: {
    default: 'Steward <steward@localhost>',
    says: 'Sender of that mail: one address, with or without a name.',
  },
  NOTIFICATION_RECIPIENTS: {
    default: 'any',
    says: '`known`: of the addresses that forms name, only those of members of the tenant, and those whose reader confirmed them, are told of submissions. For hosts where strangers may sign up.',
  },
  BUS_URL: {
    default: '',
    says: 'NATS JetStream that events are sent to for other systems, such as nats://user:password@nats.example.com:4222; tls:// and several after commas too. Empty: they stay in the outbox.',
  },
  BUS_REPLICAS: {
    default: '1',
    says: 'Replicas of the stream that is made in NATS where there is none, 1 to 5; 3 in a cluster.',
  },
  TRUSTED_PROXIES: {
    default: '',
    says: 'Comma list of addresses or CIDR ranges whose X-Forwarded-For is believed.',
  },
  AUDIT_SEAL: {
    default: 'on',
    says: '`off`: this process seals no days in the background; `steward audit seal` does it on command.',
  },
  AUDIT_SEAL_GRACE_MINUTES: { default: '15', says: 'How long after its end a UTC day is sealed, 0 to 1439.' },
  AUDIT_SIGNING_KEY: {
    default: '',
    says: 'Ed25519 private key that signs checkpoints and receipts, the same in every process: a path, or PEM text in which `\\n` stands for a line feed. Empty makes one in DATA_DIR.',
  },
  AUDIT_ARCHIVE: {
    default: 'file:archive',
    says: 'Where sealed days are kept: `file:folder` (relative to DATA_DIR, or absolute) or `s3://bucket/prefix`.',
  },
  AUDIT_ARCHIVE_IMMUTABLE: {
    default: 'off',
    says: '`on` sets the immutable bit on archived files where this user may; then even root must `chattr -i` first.',
  },
  AUDIT_ARCHIVE_ACCEPT: {
    default: 'write-once',
    says: '`anything` also archives where nothing keeps an object from being replaced or removed, and records that.',
  },
  AUDIT_RETENTION_DAYS: {
    default: '3650',
    says: 'How long an archived object is locked, in days. A lock of S3 Object Lock cannot be shortened.',
  },
  AUDIT_MASTER_KEY: {
    default: '',
    says: '64 hex digits, the same in every process: wraps the keys that personal data in the audit log is sealed with. Older ones follow after commas. Empty makes one in DATA_DIR.',
  },
  AUDIT_S3_ENDPOINT: {
    default: '',
    says: 'S3 server other than AWS, such as https://s3.example.com; asked path-style.',
  },
  AUDIT_S3_REGION: { default: 'us-east-1', says: 'Region of the archive bucket.' },
  AUDIT_S3_ACCESS_KEY_ID: { default: '', says: 'Access key of the archive. Empty: the default chain of the AWS SDK.' },
  AUDIT_S3_SECRET_ACCESS_KEY: { default: '', says: 'Secret that belongs to AUDIT_S3_ACCESS_KEY_ID.' },
  SHUTDOWN_DELAY_SECONDS: {
    default: '0',
    says: 'After SIGTERM: how long requests are still taken while /readyz answers 503, so that a balancer looks elsewhere first, 0 to 600.',
  },
  DRAIN_SECONDS: { default: '10', says: 'How long a stop waits for requests in flight.' },
} as const satisfies Record<string, { default: string; says: string }>;

export type VariableName = keyof typeof variables;
export type Environment = Partial<Record<VariableName, string | undefined>>;
