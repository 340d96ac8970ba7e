import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createClient, redirect, registeredClient } from '../fixtures/client.ts';
import { startProvider, type RunningProvider } from '../fixtures/provider.ts';

describe('hostile requests to the development identity provider', () => {
  let provider: RunningProvider;
  let id: string;
  before(async () => {
    provider = await startProvider();
    ({ id } = await registeredClient(provider));
  });
  after(async () => provider[Symbol.asyncDispose]());
  const refused = (status: number, what: string): void =>
    assert.ok(status === 0 || (status >= 400 && status < 500), `${what}: ${status}`);

  it('of very many parameters are refused before anything looks at them', async () => {
    const answer = await fetch(`${provider.issuer}/authorize?${'a=b&'.repeat(100)}`);
    assert.deepEqual([answer.status, ((await answer.json()) as { code: string }).code], [400, 'invalid_request']);
    assert.equal(
      (await fetch(`${provider.issuer}/authorize?${'a=b&'.repeat(90)}`)).headers.get('content-type'),
      'text/html; charset=utf-8',
    );
  });

  it('of forms with very many members are refused before anything looks at them, at every address', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    for (const path of ['/token', '/authorize', '/revoke', '/introspect', '/me', '/session/end', '/sign-out']) {
      const send = async (members: number): Promise<{ code?: string }> => {
        const body = 'a=b&'.repeat(members);
        const answer = await fetch(`${provider.issuer}${path}`, { method: 'POST', body, headers, redirect: 'manual' });
        return answer.headers.get('content-type')?.includes('json') === true
          ? ((await answer.json()) as { code?: string })
          : {};
      };
      assert.equal((await send(100)).code, 'invalid_request', path);
      assert.equal((await send(99)).code, undefined, path);
    }
  });

  it('at the authorization address are refused, never failures of ours', async () => {
    const parameters = [
      'scope=%00',
      'scope=openid&scope=openid',
      `resource=${provider.addresses.mcp}&resource=nonsense`,
      'resource=',
      'resource=%00',
      'max_age=-1',
      'max_age=1e999',
      'prompt=none',
      'prompt=constructor',
      'id_token_hint=a.b.c',
      'request=a.b.c',
      'request_uri=http://169.254.169.254/',
      'registration={}',
      'response_mode=__proto__',
      'code_challenge=x',
      'code_challenge_method=__proto__',
      'state=%ED%A0%80',
      'claims=[',
      'client_id=x',
      'redirect_uri=x',
      '%E0%A4%A=x',
      '__proto__=x&constructor=y',
      `nonce=${'x'.repeat(9_000)}&scope=%00`,
    ];
    for (const extra of parameters) {
      const { browser } = createClient(provider);
      const query = `response_type=code&client_id=${id}&redirect_uri=${redirect}&${extra}`;
      const page = await browser.go(`${provider.issuer}/authorize?${query}`);
      const shown = page.status === 200 && /<h1>Sign in<\/h1>/.test(page.text);
      if (!shown) refused(page.status, extra);
    }
  });

  it('at the other endpoints are refused, never failures of ours', async () => {
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const json = { 'content-type': 'application/json' };
    const requests: [string, RequestInit][] = [
      ['/token', { method: 'POST', body: '{}', headers: json }],
      ['/token', { method: 'POST', body: 'grant_type=__proto__', headers: form }],
      ['/token', { method: 'POST', body: 'grant_type=a&grant_type=b', headers: form }],
      ['/token', { method: 'POST', body: `grant_type=authorization_code&client_id=${id}`, headers: form }],
      ['/token', { method: 'POST', body: `grant_type=refresh_token&refresh_token[]=x&client_id=${id}`, headers: form }],
      ['/token', { method: 'POST', body: `grant_type=client_credentials&client_id=${id}`, headers: form }],
      ['/token', { method: 'POST', body: 'x'.repeat(200_000), headers: form }],
      ['/token', { method: 'POST', body: 'grant_type=x', headers: { ...form, authorization: 'Basic !!!' } }],
      ['/token', { method: 'POST', body: 'grant_type=x', headers: { ...form, authorization: 'Basic Og==' } }],
      ['/token', { method: 'GET' }],
      ['/register', { method: 'POST', body: '{"redirect_uris":{"length":1e9}}', headers: json }],
      ['/register', { method: 'POST', body: '{"__proto__":{"redirect_uris":["https://a.example"]}}', headers: json }],
      ['/register', { method: 'DELETE' }],
      ['/register/steward-console', { method: 'GET' }],
      ['/revoke', { method: 'POST', body: 'token=x', headers: form }],
      ['/interaction/none', { method: 'PUT', body: 'x' }],
      ['/interaction/none', { method: 'POST', body: 'x'.repeat(200_000), headers: form }],
      ['/interaction/none', { method: 'POST', body: '{}', headers: json }],
      ['/interaction/none', { method: 'GET', headers: { cookie: 'steward_idp_step=none; steward_idp_step.sig=x' } }],
      [`/authorize/${'x'.repeat(3_000)}`, { method: 'GET' }],
      ['/nothing', { method: 'GET' }],
    ];
    for (const [path, init] of requests) {
      const response = await fetch(`${provider.issuer}${path}`, { ...init, redirect: 'manual' });
      await response.arrayBuffer();
      refused(response.status, `${init.method} ${path.slice(0, 40)}`);
    }
    assert.equal((await fetch(`${provider.issuer}/jwks`)).status, 200);
  });

  // `fetch` resolves such paths before it sends them.
  it('at addresses that climb out of an interaction find nothing', async () => {
    const { hostname, port } = new URL(provider.issuer);
    const { get } = await import('node:http');
    for (const path of ['/interaction/%2e%2e', '/interaction/..', '/interaction/../jwks', '/../jwks', '//jwks']) {
      const status = await new Promise<number | undefined>((resolve, reject) => {
        get({ hostname, port, path: `/idp${path}` }, (answer) => {
          answer.resume();
          resolve(answer.statusCode);
        }).on('error', reject);
      });
      assert.equal(status, 404, path);
    }
  });

  it('for scopes that all objects have words for are asked for consent to none of them', async () => {
    for (const scope of ['constructor', 'toString', 'valueOf', '__proto__', 'hasOwnProperty']) {
      const client = createClient(provider);
      const page = await client.authorize({ client_id: id, redirect_uri: redirect, scope: `openid ${scope}` });
      const consent = await client.browser.go(page.url.href, { action: 'login', email: 'ann@example.com' });
      assert.equal(consent.status, 200, scope);
      assert.match(consent.text, /know who you are/);
      assert.ok(!consent.text.includes('native code'), scope);
    }
  });

  it('cannot make the pages say what an attacker wrote', async () => {
    const client = createClient(provider);
    const nasty = `"><script>alert(1)</script>'&`;
    const { body } = await client.register({
      client_name: nasty,
      redirect_uris: ['https://ok.example/cb'],
      token_endpoint_auth_method: 'none',
    });
    const page = await client.authorize({
      client_id: String(body['client_id']),
      redirect_uri: 'https://ok.example/cb',
      login_hint: nasty,
      scope: `openid ${encodeURIComponent('<b>')}`,
    });
    const consent = await client.browser.go(page.url.href, { action: 'login', email: 'a<b>&"@example.com' });
    for (const text of [page.text, consent.text]) {
      assert.match(text, /&#62;&#60;script/);
      assert.ok(!/<script|<b>/.test(text));
    }
  });
});
