import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { newId } from '@steward/kernel';
import { createClient, redirect, registeredClient } from '../fixtures/client.ts';
import { startProvider, type RunningProvider } from '../fixtures/provider.ts';

const acme = newId();

describe('clients of the development identity provider', () => {
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

  it('registers Cursor, VS Code and Inspector as they come', async () => {
    const client = createClient(provider);
    const cursor = await client.register({
      client_name: 'Cursor',
      redirect_uris: [
        'cursor://anysphere.cursor-mcp/oauth/callback',
        'https://www.cursor.com/agents/mcp/oauth/callback',
        'http://localhost:8787/callback',
      ],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      scope: 'mcp:read mcp:anything',
    });
    assert.deepEqual([cursor.status, cursor.body['application_type']], [201, 'native']);
    const code = await client.register({
      client_name: 'Visual Studio Code',
      redirect_uris: ['http://127.0.0.1/', 'http://127.0.0.1:33418/', 'https://vscode.dev/redirect'],
      grant_types: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      application_type: 'native',
    });
    assert.deepEqual([code.status, code.body['grant_types']], [201, ['authorization_code', 'refresh_token']]);
    const id = String(code.body['client_id']);
    const login = await client.authorize({ client_id: id, redirect_uri: 'http://127.0.0.1:51234/' });
    assert.match(login.text, /Visual Studio Code/);
    const hosted = await client.register({
      redirect_uris: ['https://claude.ai/api/mcp/auth_callback'],
      token_endpoint_auth_method: 'client_secret_post',
    });
    assert.deepEqual(
      [hosted.status, hosted.body['application_type'], typeof hosted.body['client_secret']],
      [201, 'web', 'string'],
    );
  });

  it('refuses registrations that would leak codes or claim what is not theirs', async () => {
    const client = createClient(provider);
    const refused = [
      { redirect_uris: ['http://evil.example/callback'] },
      { redirect_uris: ['javascript:alert(1)'] },
      { redirect_uris: ['https://ok.example/#fragment'] },
      { redirect_uris: [] },
      { redirect_uris: 'https://ok.example' },
      { redirect_uris: [7] },
      {},
      { redirect_uris: ['https://ok.example'], response_types: ['token'], grant_types: ['implicit'] },
    ];
    for (const metadata of refused) {
      const { status, body } = await client.register(metadata);
      assert.deepEqual([status, typeof body.error], [400, 'string'], JSON.stringify(metadata));
    }
    const renamed = await client.register({ client_id: 'steward-console', redirect_uris: ['https://ok.example'] });
    assert.notEqual(renamed.body['client_id'], 'steward-console');
    for (const body of ['', '{', '[]', 'null', `{"redirect_uris":${'['.repeat(5000)}`, 'x'.repeat(100_000)]) {
      const response = await fetch(`${provider.issuer}/register`, {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json' },
      });
      assert.equal(response.status, 400, body.slice(0, 20));
    }
  });

  it('lets pages in browsers register', async () => {
    const response = await fetch(`${provider.issuer}/register`, {
      method: 'OPTIONS',
      headers: { origin: 'http://localhost:6274', 'access-control-request-method': 'POST' },
    });
    assert.deepEqual([response.status, response.headers.get('access-control-allow-origin')], [204, '*']);
  });

  it('lets pages read answers to a client where it has redirects, on this machine and at its own address, and no others', async () => {
    const page = 'https://app.example';
    const { register, token } = createClient(provider);
    const registered = await register({ redirect_uris: [`${page}/back`], token_endpoint_auth_method: 'none' });
    const client_id = String(registered.body['client_id']);
    for (const [origin, allowed] of [
      [page, true],
      ['http://localhost:6274', true],
      [new URL(provider.issuer).origin, true],
      ['https://evil.example', false],
      ['https://app.example.evil.example', false],
      ['null', false],
    ] as const) {
      const fields = { grant_type: 'refresh_token', refresh_token: 'x', client_id };
      const { status, headers, body } = await token(fields, { origin });
      assert.equal(headers.get('access-control-allow-origin'), allowed ? origin : null, `${origin}: ${status}`);
      assert.equal(body.error, allowed ? 'invalid_grant' : 'invalid_request', origin);
    }
  });

  it('demands PKCE with S256 and the exact redirect', async () => {
    const client = await registeredClient(provider);
    const plain = await client.authorize({
      client_id: client.id,
      redirect_uri: redirect,
      code_challenge_method: 'plain',
    });
    assert.equal(plain.url.searchParams.get('error'), 'invalid_request');
    const without = await client.browser.go(
      `${provider.issuer}/authorize?response_type=code&client_id=preset&redirect_uri=${redirect}`,
    );
    assert.equal(without.url.searchParams.get('error'), 'invalid_request');
    const elsewhere = await client.authorize({ client_id: client.id, redirect_uri: 'https://evil.example/' });
    assert.deepEqual([elsewhere.status, /redirect_uri/.test(elsewhere.text)], [400, true]);
    assert.ok(!/fonts\.|@import|<script/.test(elsewhere.text));
    const login = await client.authorize({ client_id: client.id, redirect_uri: redirect });
    const back = await client.approve(login, 'alice@example.com');
    const wrong = await client.redeem(back, client.id, redirect, { code_verifier: 'x'.repeat(43) });
    assert.deepEqual([wrong.status, wrong.body.error], [400, 'invalid_grant']);
  });

  it('answers an unknown client at the token endpoint so that clients register again', async () => {
    const client = createClient(provider);
    const answer = await client.token({ grant_type: 'refresh_token', refresh_token: 'x', client_id: 'gone' });
    assert.deepEqual([answer.status, answer.body.error], [401, 'invalid_client']);
  });
});
