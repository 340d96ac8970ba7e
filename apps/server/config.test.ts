import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConfigError } from '@steward/kernel';
import { readConfig } from './components.ts';

const issuer = JSON.stringify([
  { issuer: 'https://id.example.com', jwksUri: 'https://id.example.com/jwks', audiences: ['steward'] },
]);

const refuses = (env: Record<string, string>, about: RegExp): void => {
  assert.throws(
    () => readConfig(env),
    (error: unknown) => error instanceof ConfigError && about.test(error.message),
  );
};

test('with nothing set, everything is served on loopback and derived from the port', () => {
  const config = readConfig({});
  const addresses = config.addresses(8080);
  assert.equal(addresses.mcp, 'http://127.0.0.1:8080/mcp');
  assert.equal(addresses.mcpAlias, 'http://127.0.0.1:8080/rpc');
  assert.equal(addresses.storefront, 'http://127.0.0.1:8080/commerce/storefront/v1');
  assert.deepEqual(config.signup.scopes, ['service:external-agent:signup']);
  assert.equal(config.signup.attemptsPerAddressPerHour, 20);
  assert.equal(config.signup.ownedPerOwnerPerDay, 3);
});

test('component addresses are respected, and the alias follows the tool endpoint', () => {
  const addresses = readConfig({
    ISSUERS: issuer,
    PUBLIC_URL: 'https://steward.example.com/',
    MCP_URL: 'https://mcp.example.com',
  }).addresses(8080);
  assert.equal(addresses.mcp, 'https://mcp.example.com');
  assert.equal(addresses.mcpAlias, 'https://mcp.example.com/rpc');
  assert.equal(addresses.portal, 'https://steward.example.com/portal');
});

test('a bad value is refused with the variable that must be mended', () => {
  refuses({ MCP_ALLOWED_ORIGINS: 'https://*.example.com' }, /MCP_ALLOWED_ORIGINS: name each origin/);
  refuses({ PORT: '80a' }, /PORT must be an integer/);
  refuses({ PORT: '70000' }, /PORT/);
  refuses({ COMPONENTS: 'portal,shop' }, /COMPONENTS must be one of/);
  refuses({ MCP_URL: 'ftp://x' }, /MCP_URL must be an http/);
  refuses({ PORTAL_URL: 'https://x/?a=1' }, /PORTAL_URL/);
  refuses({ ISSUERS: '{' }, /ISSUERS must be a JSON array/);
  refuses({ TRIAL_DAYS: '0' }, /TRIAL_DAYS/);
  refuses({ SERVICE_TOKENS: 'ci:123' }, /SERVICE_TOKENS/);
  refuses({ APPROVER_CLIENTS: 'console,|x' }, /APPROVER_CLIENTS must be a comma list/);
  refuses({ DATABASE_OWNER_URL: 'postgres://x' }, /DATABASE_URL/);
  refuses({ AUDIT_MASTER_KEY: `${'a'.repeat(64)},b` }, /AUDIT_MASTER_KEY/);
});

test('mail goes out by SMTP, from one address', () => {
  const from = (MAIL_FROM: string) => readConfig({ SMTP_URL: 'smtps://u:p@mail.example.com', MAIL_FROM });
  assert.equal(from('post@example.com').mail?.from, 'post@example.com');
  assert.equal(from('Fjord Bikes <post@example.com>').mail?.from, 'Fjord Bikes <post@example.com>');
  for (const bad of [
    'Fjord',
    'a@example.com, b@example.com',
    'A <a@example.com>, B <b@example.com>',
    'A\r\nBcc: b <a@example.com>',
  ])
    refuses({ SMTP_URL: 'smtps://mail.example.com', MAIL_FROM: bad }, /MAIL_FROM must be one address/);
  refuses({ SMTP_URL: 'https://mail.example.com' }, /SMTP_URL must be an smtp/);
  refuses({ SMTP_URL: 'smtp://127.0.0.1:99999' }, /SMTP_URL is no URL: .* port \(1 to 65535\)/);
  assert.deepEqual(readConfig({ MAIL_FOLDER: '/tmp/letters' }).mail, {
    folder: '/tmp/letters',
    from: 'Steward <steward@localhost>',
  });
  assert.equal(readConfig({}).mail, undefined);
  refuses({ MAIL_FOLDER: '/tmp/letters', MAIL_FROM: 'Fjord' }, /MAIL_FROM must be one address/);
  refuses({ SMTP_URL: 'smtp://127.0.0.1', MAIL_FOLDER: '/tmp/letters' }, /both set/);
});

test('tiers are those that are always there and those of PLANS; a trial leads to one of them', () => {
  const { tiers, afterTrial } = readConfig({}).plans;
  assert.deepEqual([Object.keys(tiers), afterTrial], [['free', 'trial', 'community'], 'community']);
  assert.ok(
    tiers['community']?.entitlements.has('write') === true && tiers['free']?.entitlements.has('write') === false,
  );
  const PLANS = '{"pro": {"entitlements": ["read", "write"]}, "free": {"entitlements": []}}';
  const own = readConfig({ PLANS, AFTER_TRIAL: 'pro' }).plans;
  assert.deepEqual([own.afterTrial, [...(own.tiers['pro']?.entitlements ?? [])]], ['pro', ['read', 'write']]);
  assert.equal(own.tiers['free']?.entitlements.size, 0);
  refuses({ AFTER_TRIAL: 'gold' }, /AFTER_TRIAL must be a tier other than trial: free, community\./);
  refuses({ AFTER_TRIAL: 'trial' }, /AFTER_TRIAL/);
  for (const bad of ['[]', '{', '"x"', '7']) refuses({ PLANS: bad }, /PLANS must be a JSON object/);
  refuses({ PLANS: '{"pro": {"entitlements": ["fly"]}}' }, /PLANS: the entitlements of pro must be a list of read/);
  refuses({ PLANS: '{"pro": null}' }, /PLANS: the entitlements of pro/);
  refuses({ PLANS: '{"pro": {"entitlements": [], "cost": 1}}' }, /pro has unknown members: cost/);
  for (const price of ['1', '[""]', '["a b"]', '["a", "a"]', 'null'])
    refuses(
      { PLANS: `{"pro": {"entitlements": [], "price": ${price}}}` },
      /the price of pro must be the id of a price/,
    );
  refuses({ PLANS: '{"free": {"entitlements": [], "price": "price_1"}}' }, /free can have no price/);
  refuses(
    {
      PLANS:
        '{"pro": {"entitlements": [], "price": "price_1"}, "max": {"entitlements": [], "price": ["price_2", "price_1"]}}',
    },
    /pro and max have one price, price_1/,
  );
  const sold = readConfig({ PLANS: '{"pro": {"entitlements": [], "price": ["price_2", "price_1"]}}' });
  assert.deepEqual(sold.plans.tiers['pro']?.prices, ['price_2', 'price_1']);
  refuses(
    { PLANS: '{"pro": {"entitlements": [], "quotas": {"events": -1}}}' },
    /the quotas of pro must be whole numbers/,
  );
  refuses({ PLANS: '{"pro": {"entitlements": [], "quotas": {"moons": 1}}}' }, /the quotas of pro/);
  const bounded = '{"pro": {"entitlements": [], "quotas": {"events": 5}}}';
  assert.deepEqual(readConfig({ PLANS: bounded }).plans.tiers['pro']?.quotas, { events: 5 });
  refuses({ PLANS: '{"Pro!": {"entitlements": []}}' }, /name a tier: use 1 to 40/);
});

test('tenants are charged with a key and the secret of its events, and then a trial that is not paid for ends', () => {
  const charging = { BILLING_STRIPE_KEY: 'sk_test_abc', BILLING_STRIPE_WEBHOOK_SECRET: `whsec_${'a'.repeat(32)}` };
  assert.equal(readConfig({}).charging, undefined);
  const { charging: read, plans } = readConfig(charging);
  assert.deepEqual([read?.live, read?.webhookSecrets.length, read?.url.href], [false, 1, 'https://api.stripe.com/']);
  assert.deepEqual([plans.afterTrial, plans.grace], ['free', 14 * 86_400_000]);
  assert.equal(
    readConfig({ ...charging, BILLING_STRIPE_KEY: 'rk_live_abc', AFTER_TRIAL: 'community' }).charging?.live,
    true,
  );
  for (const name of Object.keys(charging)) refuses({ ...charging, [name]: '' }, /both, or neither/);
  for (const bad of ['pk_test_abc', 'sk_abc', 'sk_test_', 'sk_test_a b'])
    refuses({ ...charging, BILLING_STRIPE_KEY: bad }, /BILLING_STRIPE_KEY must begin with/);
  const secret = charging.BILLING_STRIPE_WEBHOOK_SECRET;
  for (const bad of ['abc', 'whsec_short', `${secret},${secret},${secret}`])
    refuses({ ...charging, BILLING_STRIPE_WEBHOOK_SECRET: bad }, /one or two signing secrets/);
  for (const bad of ['ftp://x', 'http://api.stripe.com', 'https://api.stripe.com/v1', 'https://a@b', 'x'])
    refuses({ ...charging, BILLING_STRIPE_URL: bad }, /BILLING_STRIPE_URL must be an https address/);
  const http = { ...charging, BILLING_STRIPE_URL: 'http://127.0.0.1:1' };
  assert.equal(readConfig(http).charging?.url.port, '1');
  refuses({ ...http, NODE_ENV: 'production', ISSUERS: issuer }, /not in production/);
  refuses({ BILLING_GRACE_DAYS: '91' }, /BILLING_GRACE_DAYS/);
});

test('the development identity provider is refused wherever strangers could reach it', () => {
  refuses({ NODE_ENV: 'production' }, /does not start with NODE_ENV=production/);
  refuses({ HOST: '0.0.0.0' }, /serves only loopback/);
  refuses({ PUBLIC_URL: 'https://steward.example.com' }, /serves only loopback/);
  refuses({ PORTAL_URL: 'http://10.0.0.4/portal' }, /10\.0\.0\.4/);
  refuses({ NODE_ENV: 'production', DEV_IDP: 'unsafe-public' }, /production/);
  assert.doesNotThrow(() => readConfig({ PUBLIC_URL: 'https://t.example.dev', DEV_IDP: 'unsafe-public' }));
  assert.doesNotThrow(() => readConfig({ NODE_ENV: 'production', HOST: '0.0.0.0', ISSUERS: issuer }));
});

test('the archive is a folder under the data folder, unless it is said otherwise', () => {
  assert.equal(readConfig({ DATA_DIR: '/srv/steward' }).archive.address, 'file:/srv/steward/archive');
  assert.equal(readConfig({ AUDIT_ARCHIVE: 'file:///mnt/worm' }).archive.address, 'file:/mnt/worm');
  const s3 = readConfig({
    AUDIT_ARCHIVE: 's3://records/steward',
    AUDIT_S3_ACCESS_KEY_ID: 'key',
    AUDIT_S3_SECRET_ACCESS_KEY: 'secret',
  });
  assert.equal(s3.archive.address, 's3://records/steward');
  assert.deepEqual(s3.archive.s3.credentials, { accessKeyId: 'key', secretAccessKey: 'secret' });
  refuses({ AUDIT_ARCHIVE: '/mnt/worm' }, /AUDIT_ARCHIVE must be/);
  refuses({ AUDIT_ARCHIVE: 's3://records/../x' }, /AUDIT_ARCHIVE must be/);
  refuses({ AUDIT_S3_ENDPOINT: 'records:9000' }, /AUDIT_S3_ENDPOINT/);
  refuses({ AUDIT_S3_ACCESS_KEY_ID: 'key' }, /go together/);
  refuses({ AUDIT_RETENTION_DAYS: '0' }, /AUDIT_RETENTION_DAYS/);
});

test('the broker is where BUS_URL says, with its credentials apart', () => {
  assert.equal(readConfig({}).bus, undefined);
  assert.deepEqual(readConfig({ BUS_URL: 'nats://a%40b:c@one:4222, tls://two' }).bus, {
    servers: ['nats://one:4222', 'tls://two'],
    credentials: { user: 'a@b', password: 'c' },
    replicas: 1,
  });
  assert.deepEqual(readConfig({ BUS_URL: 'nats://secret@one', BUS_REPLICAS: '3' }).bus, {
    servers: ['nats://one'],
    credentials: { token: 'secret' },
    replicas: 3,
  });
  refuses({ BUS_URL: 'kafka://one' }, /BUS_URL must be nats/);
  refuses({ BUS_URL: 'nats://one/stream' }, /BUS_URL/);
  refuses({ BUS_URL: 'one:4222' }, /BUS_URL/);
  refuses({ BUS_REPLICAS: '7' }, /BUS_REPLICAS/);
});

test('an approver client is one of an issuer: of the only one where none is named', () => {
  const of = (APPROVER_CLIENTS: string, ...issuers: readonly string[]) =>
    readConfig({
      ...(issuers.length === 0
        ? {}
        : {
            ISSUERS: JSON.stringify(
              issuers.map((one, index) => ({ issuer: one, jwksUri: `${one}/jwks`, prefix: String(index) })),
            ),
          }),
      APPROVER_CLIENTS,
    }).approverClients;
  const [a, b] = ['https://a.example', 'https://b.example'];
  assert.deepEqual(of(''), [{ issuer: undefined, clientId: 'steward-console' }]);
  assert.deepEqual(of('desk', a), [{ issuer: undefined, clientId: 'desk' }]);
  assert.deepEqual(of(`${a}|desk,${b}|a|b`, a, b), [
    { issuer: a, clientId: 'desk' },
    { issuer: b, clientId: 'a|b' },
  ]);
  const issuers = JSON.stringify(
    [a, b].map((one, index) => ({ issuer: one, jwksUri: `${one}/jwks`, prefix: String(index) })),
  );
  refuses({ ISSUERS: issuers, APPROVER_CLIENTS: 'desk' }, /write the client desk as/);
  refuses({ ISSUERS: issuers, APPROVER_CLIENTS: 'https://c.example|desk' }, /not one of ISSUERS/);
  refuses({ ISSUERS: issuers }, /write the client steward-console as/);
});

test('pages of buyers are told a publishable key of the mode of the secret one, and no other key', () => {
  const cards = { COMMERCE_STRIPE_KEY: 'sk_test_abc', COMMERCE_STRIPE_WEBHOOK_SECRET: `whsec_${'a'.repeat(32)}` };
  readConfig({ ...cards, COMMERCE_STRIPE_PUBLISHABLE_KEY: 'pk_test_abc' });
  for (const bad of ['sk_test_abc', 'rk_test_abc', 'pk_live_abc', 'abc'])
    refuses(
      { ...cards, COMMERCE_STRIPE_PUBLISHABLE_KEY: bad },
      /COMMERCE_STRIPE_PUBLISHABLE_KEY must begin with pk_test_/,
    );
});
