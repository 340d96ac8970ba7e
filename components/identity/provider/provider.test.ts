import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { newId } from '@steward/kernel';
import { decodeProtectedHeader } from 'jose';
import { claimsOf, createClient, redirect, registeredClient } from '../fixtures/client.ts';
import { log } from '../fixtures/log.ts';
import { startProvider, type RunningProvider } from '../fixtures/provider.ts';
import { createAuthenticator } from '../token/authenticate.ts';
import { readDevelopmentKeys } from './keys.ts';
import { developmentProfile } from './profile.ts';

const [acme, other] = [newId(), newId()];

describe('the development identity provider', () => {
  let provider: RunningProvider;
  before(async () => {
    provider = await startProvider({
      tenantsOf: async () => [{ tenant: acme, label: 'Acme <Ltd>' }],
      clients: [
        {
          client_id: 'preset',
          client_secret: 'secret-of-preset',
          redirect_uris: [redirect],
          grant_types: ['authorization_code', 'client_credentials'],
        },
      ],
    });
  });
  after(async () => provider[Symbol.asyncDispose]());

  it('publishes its metadata at every address clients try, and advertises only what it does', async () => {
    const { origin } = new URL(provider.issuer);
    const addresses = [
      `${provider.issuer}/.well-known/openid-configuration`,
      `${provider.issuer}/.well-known/oauth-authorization-server`,
      `${origin}/.well-known/openid-configuration/idp`,
      `${origin}/.well-known/oauth-authorization-server/idp`,
    ];
    const documents = await Promise.all(addresses.map(async (address) => (await fetch(address)).json()));
    assert.deepEqual(new Set(documents.map((one) => JSON.stringify(one))).size, 1);
    const metadata = documents[0] as Record<string, unknown>;
    assert.equal(metadata['issuer'], provider.issuer);
    assert.equal(metadata['token_endpoint'], `${provider.issuer}/token`);
    assert.equal(metadata['registration_endpoint'], `${provider.issuer}/register`);
    assert.deepEqual(metadata['code_challenge_methods_supported'], ['S256']);
    assert.deepEqual(metadata['response_types_supported'], ['code']);
    assert.deepEqual(metadata['authorization_response_iss_parameter_supported'], true);
    assert.deepEqual(metadata['client_id_metadata_document_supported'], true);
    assert.ok(!JSON.stringify(metadata['grant_types_supported']).includes('implicit'));
    assert.ok(!JSON.stringify(metadata['scopes_supported']).includes('approvals'));
  });

  it('answers nobody who comes through a proxy, at none of its addresses, unless it is told to', async () => {
    await using open = await startProvider({ unsafePublic: true });
    const headers = [
      'Forwarded: for=192.0.2.1',
      'Via: 1.1 tunnel',
      'X-Forwarded-For: 192.0.2.1',
      'X-Forwarded-Host: evil.example',
      'X-Forwarded-Proto: https',
      'X-Forwarded-Anything: x',
      'X-Real-IP: 192.0.2.1',
      'CF-Connecting-IP: 192.0.2.1',
      'X-AppEngine-User-IP: 192.0.2.1',
      'X-MS-Forwarded-Client-IP: 192.0.2.1',
      'X-ProxyUser-IP: 192.0.2.1',
      'ngrok-skip-browser-warning: 1',
      'X-Request-Start: t=1795366821000',
      'X-Vercel-ID: x',
      'CloudFront-Viewer-Address: 192.0.2.1',
    ].map((line) => line.split(': ') as [string, string]);
    const paths = [
      '/idp/.well-known/openid-configuration',
      '/.well-known/oauth-authorization-server/idp',
      '/.well-known/openid-configuration/idp',
      '/idp/jwks',
      '/idp/authorize',
      '/idp/interaction/x',
      '/idp/token',
      '/idp/register',
    ];
    for (const path of paths) {
      for (const [name, value] of headers) {
        const init = { headers: { [name]: value }, redirect: 'manual' } as const;
        const { status } = await fetch(new URL(path, provider.issuer), init);
        assert.equal(status, 421, `${path} ${name}`);
        assert.notEqual((await fetch(new URL(path, open.issuer), init)).status, 421, `${path} ${name}`);
      }
    }
    const metadata = await fetch(new URL(paths[0] ?? '', open.issuer), { headers: Object.fromEntries(headers) });
    assert.equal(((await metadata.json()) as { jwks_uri: string }).jwks_uri, `${open.issuer}/jwks`);
  });

  it('is who its configuration says, whatever name leads to it', async () => {
    const { port } = new URL(provider.issuer);
    const path = `${provider.issuer}/.well-known/openid-configuration`;
    const local = await fetch(path.replace('127.0.0.1', 'localhost'));
    assert.equal(((await local.json()) as { issuer: string }).issuer, provider.issuer);
    const { request } = await import('node:http');
    const status = await new Promise((resolve, reject) => {
      request({ port, host: '127.0.0.1', path: '/idp/jwks', headers: { host: `evil.example:${port}` } }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      })
        .on('error', reject)
        .end();
    });
    assert.equal(status, 421);
  });

  it('tells who opens it in a browser what it is and which addresses there are', async () => {
    for (const [path, status] of [
      ['', 200],
      ['/', 200],
      ['/nowhere', 404],
    ] as const) {
      const answer = await fetch(`${provider.issuer}${path}`, { headers: { accept: 'text/html' } });
      assert.deepEqual([answer.status, answer.headers.get('content-type')], [status, 'text/html; charset=utf-8'], path);
      assert.match(answer.headers.get('content-security-policy') ?? '', /default-src 'none'/);
      const told = await answer.text();
      const metadata = await (await fetch(`${provider.issuer}/.well-known/openid-configuration`)).json();
      for (const [name, address] of Object.entries(metadata as Record<string, unknown>))
        if (/_endpoint$|_uri$/.test(name)) assert.ok(told.includes(`<code>${String(address)}</code>`), name);
    }
  });

  it('takes a person through login and consent to a token that the platform accepts as a person’s', async () => {
    const client = await registeredClient(provider);
    const login = await client.authorize({
      client_id: client.id,
      redirect_uri: redirect,
      resource: provider.addresses.mcp,
    });
    assert.match(login.text, /<label for="email">/);
    assert.match(login.text, /Tester/);
    assert.match(login.headers.get('content-security-policy') ?? '', /default-src 'none'.*frame-ancestors 'none'/);
    const consent = await client.browser.go(login.url.href, { action: 'login', email: 'Alice@Example.com' });
    assert.match(consent.text, /alice@example\.com/);
    assert.match(consent.text, new RegExp(`<code>${provider.addresses.mcp}</code>`));
    assert.match(consent.text, /Acme &#60;Ltd&#62;/);
    assert.match(consent.text, /make changes/);
    assert.doesNotMatch(consent.text, /acts as you/);
    const back = await client.browser.go(consent.url.href, { action: 'allow', tenant: acme });
    assert.deepEqual([back.url.origin, back.url.searchParams.get('state')], ['http://127.0.0.1:33418', 'st']);
    assert.equal(back.url.searchParams.get('iss'), provider.issuer);
    const answer = await client.redeem(back, client.id, redirect);
    assert.deepEqual(
      [answer.status, answer.body.scope],
      [200, 'openid service:external-agent:signup mcp:read mcp:write'],
    );
    assert.equal(decodeProtectedHeader(answer.body.access_token ?? '').typ, 'at+jwt');
    const claims = claimsOf(answer);
    assert.match(String(claims.sub), /^u_[\w-]{22}$/);
    assert.deepEqual(
      [claims['email'], claims['tenant_id'], claims.aud],
      ['alice@example.com', acme, provider.addresses.mcp],
    );
    const authenticate = createAuthenticator({
      issuers: [
        { profile: developmentProfile(provider.issuer), loadKeys: async () => readDevelopmentKeys(provider.dataDir) },
      ],
      serviceTokens: [],
      clock: Date.now,
      log,
    });
    const caller = await authenticate(`Bearer ${answer.body.access_token}`, [provider.addresses.mcp]);
    assert.deepEqual([caller.human, caller.agentId, caller.tenantClaim], [true, client.id, acme]);
    await assert.rejects(async () => authenticate(`Bearer ${answer.body.access_token}`, [provider.addresses.portal]));
  });

  it('asks for an e-mail address until it gets one, and lets a person stop or change their mind', async () => {
    const client = await registeredClient(provider);
    const login = await client.authorize({ client_id: client.id, redirect_uri: redirect });
    for (const email of ['', 'alice', 'a@b c', `${'x'.repeat(300)}@example.com`, '<script>@']) {
      const again = await client.browser.go(login.url.href, { action: 'login', email });
      assert.deepEqual(
        [again.status, again.text.includes('role="alert"'), again.text.includes('<script>')],
        [400, true, false],
      );
    }
    const consent = await client.browser.go(login.url.href, { action: 'login', email: 'alice@example.com' });
    const switched = await client.browser.go(consent.url.href, { action: 'switch' });
    assert.match(switched.text, /<label for="email">/);
    const second = await client.browser.go(switched.url.href, { action: 'login', email: 'bob@example.com' });
    assert.match(second.text, /bob@example\.com/);
    const denied = await client.browser.go(second.url.href, { action: 'cancel' });
    assert.deepEqual(
      [denied.url.searchParams.get('error'), denied.url.searchParams.get('iss')],
      ['access_denied', provider.issuer],
    );
  });

  it('says so where a client would be taken for the person, whatever it may do by its scopes', async () => {
    const { mcp, mcpAlias, portal, studio } = provider.addresses;
    for (const [resource, warned] of [
      [mcp, false],
      [mcpAlias, false],
      [`${mcp}/t/${acme}/p/studio`, false],
      [portal, true],
      [studio, true],
      [[mcp, studio], true],
    ] as const) {
      const client = await registeredClient(provider);
      const page = { client_id: client.id, redirect_uri: redirect, scope: 'openid mcp:read' };
      const login = await client.authorize(page, [resource].flat());
      const { text } = await client.browser.go(login.url.href, { action: 'login', email: 'alice@example.com' });
      assert.match(text, /It will be able to/);
      assert.equal(text.includes('it acts as you'), warned, String(resource));
    }
  });

  it('gives nobody a tenant they do not belong to, nor a page to someone else’s browser', async () => {
    const client = await registeredClient(provider);
    const login = await client.authorize({ client_id: client.id, redirect_uri: redirect });
    const consent = await client.browser.go(login.url.href, { action: 'login', email: 'alice@example.com' });
    const refused = await client.browser.go(consent.url.href, { action: 'allow', tenant: other });
    assert.deepEqual([refused.status, refused.url.pathname], [400, consent.url.pathname]);
    const stranger = createClient(provider);
    const opened = await stranger.browser.go(consent.url.href);
    assert.deepEqual([opened.status, /expired/.test(opened.text)], [400, true]);
    const posted = await stranger.browser.go(consent.url.href, { action: 'allow' });
    assert.equal(posted.status, 400);
  });

  it('says on every page when strangers can reach it', async () => {
    await using open = await startProvider({ unsafePublic: true });
    const client = createClient(open);
    const page = await client.authorize({ client_id: 'nobody', redirect_uri: redirect });
    assert.match(page.text, /DEV_IDP=unsafe-public/);
  });
});
