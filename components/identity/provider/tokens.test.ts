import assert from 'node:assert/strict';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { newId } from '@steward/kernel';
import { decodeProtectedHeader } from 'jose';
import { claimsOf, createClient, redirect, registeredClient } from '../fixtures/client.ts';
import { startProvider, type RunningProvider } from '../fixtures/provider.ts';

const [acme, other] = [newId(), newId()];

describe('tokens of the development identity provider', () => {
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

  it('binds a token to the tenant whose address was asked for', async () => {
    const client = await registeredClient(provider);
    const resource = `${provider.addresses.mcp}/t/${acme}/p/accounting`;
    const login = await client.authorize({ client_id: client.id, redirect_uri: redirect, resource });
    const back = await client.approve(login, 'alice@example.com');
    const claims = claimsOf(await client.redeem(back, client.id, redirect));
    assert.deepEqual([claims.aud, claims['tenant_id']], [resource, acme]);
    const foreign = await client.authorize({
      client_id: client.id,
      redirect_uri: redirect,
      resource: `${provider.addresses.mcp}/t/${other}`,
    });
    assert.match(foreign.text, /not a member/);
  });

  it('refuses what is none of its resources as invalid_target, at both endpoints', async () => {
    const client = await registeredClient(provider);
    const { mcp } = provider.addresses;
    const unknown = [
      'https://elsewhere.example',
      `${mcp}x`,
      `${mcp}/t/nonsense`,
      `${mcp}/t/${acme}/x`,
      `${mcp}/p/../x`,
      provider.issuer,
      'nonsense',
    ];
    for (const resource of unknown) {
      const answer = await client.authorize({ client_id: client.id, redirect_uri: redirect, resource });
      assert.equal(answer.url.searchParams.get('error'), 'invalid_target', resource);
    }
    for (const resource of [`${mcp}/`, `${mcp}/p/crm`, provider.addresses.mcpAlias, provider.addresses.studio]) {
      const answer = await client.authorize({ client_id: client.id, redirect_uri: redirect, resource });
      assert.equal(answer.status, 200, resource);
    }
    const machine = await client.token({
      grant_type: 'client_credentials',
      client_id: 'preset',
      client_secret: 'secret-of-preset',
      resource: 'https://elsewhere.example',
    });
    assert.deepEqual([machine.status >= 400 && machine.status < 500, machine.body.error], [true, 'invalid_target']);
  });

  it('rotates refresh tokens, and takes everything back when an old one is used again', async () => {
    const client = await registeredClient(provider);
    const login = await client.authorize({ client_id: client.id, redirect_uri: redirect });
    const first = await client.redeem(
      await client.approve(login, 'alice@example.com', { tenant: acme }),
      client.id,
      redirect,
    );
    const refresh = async (token = '') =>
      client.token({ grant_type: 'refresh_token', refresh_token: token, client_id: client.id });
    const second = await refresh(first.body.refresh_token);
    assert.deepEqual(
      [second.status, claimsOf(second)['tenant_id'], typeof claimsOf(second)['auth_time']],
      [200, acme, 'number'],
    );
    assert.notEqual(second.body.refresh_token, first.body.refresh_token);
    assert.equal((await refresh(first.body.refresh_token)).body.error, 'invalid_grant');
    assert.equal((await refresh(second.body.refresh_token)).body.error, 'invalid_grant');
  });

  it('keeps keys, clients and what was granted over a restart, in files of its owner alone', async () => {
    const client = await registeredClient(provider);
    const login = await client.authorize({ client_id: client.id, redirect_uri: redirect });
    const first = await client.redeem(await client.approve(login, 'alice@example.com'), client.id, redirect);
    await provider.restart();
    const second = await client.token({
      grant_type: 'refresh_token',
      refresh_token: first.body.refresh_token ?? '',
      client_id: client.id,
    });
    assert.equal(second.status, 200);
    const header = (answer: typeof first) => decodeProtectedHeader(answer.body.access_token ?? '').kid;
    assert.deepEqual([header(second), claimsOf(second).sub], [header(first), claimsOf(first).sub]);
    const folder = join(provider.dataDir, 'idp');
    assert.equal((await stat(join(folder, 'keys.json'))).mode & 0o777, 0o600);
    const files = await readdir(folder, { recursive: true, withFileTypes: true });
    for (const file of files.filter((entry) => entry.isFile())) {
      const path = join(file.parentPath, file.name);
      assert.equal((await stat(path)).mode & 0o077, 0, path);
      assert.ok(!(await readFile(path, 'utf8')).includes(first.body.access_token ?? ''));
    }
  });

  it('gives machines tokens that are machines’', async () => {
    const client = createClient(provider);
    const { body } = await client.register({
      redirect_uris: [],
      response_types: [],
      grant_types: ['client_credentials'],
      token_endpoint_auth_method: 'client_secret_basic',
    });
    const basic = Buffer.from(`${body['client_id']}:${body['client_secret']}`).toString('base64');
    const resource = provider.addresses.accounting;
    const answer = await client.token(
      { grant_type: 'client_credentials', scope: 'mcp:read service:approvals:decide', resource },
      { authorization: `Basic ${basic}` },
    );
    assert.deepEqual([answer.status, answer.body.scope], [200, 'mcp:read']);
    const claims = claimsOf(answer);
    assert.deepEqual([claims.sub, claims.aud, claims['auth_time']], [body['client_id'], resource, undefined]);
  });

  it('keeps the scope that decides pending actions for the console', async () => {
    const scope = 'openid mcp:read service:approvals:decide';
    const client = await registeredClient(provider);
    const login = await client.authorize({ client_id: client.id, redirect_uri: redirect, scope });
    const got = await client.redeem(await client.approve(login, 'alice@example.com'), client.id, redirect);
    assert.equal(got.body.scope, 'openid mcp:read');
    const console = createClient(provider);
    const home = `${new URL(provider.issuer).origin}/signed-in`;
    const page = await console.authorize({
      client_id: 'steward-console',
      redirect_uri: home,
      scope,
      resource: provider.addresses.portal,
    });
    const answer = await console.redeem(await console.approve(page, 'alice@example.com'), 'steward-console', home);
    assert.equal(answer.body.scope, scope);
  });

  it('gives the console a token for each address, one at a time', async () => {
    const console = createClient(provider);
    const home = `${new URL(provider.issuer).origin}/signed-in`;
    const { portal, accounting, studio } = provider.addresses;
    const page = await console.authorize({ client_id: 'steward-console', redirect_uri: home }, [portal, accounting]);
    const back = await console.approve(page, 'alice@example.com');
    const first = await console.redeem(back, 'steward-console', home, { resource: portal });
    const next = async (resource: string) =>
      console.token({
        grant_type: 'refresh_token',
        refresh_token: first.body.refresh_token ?? '',
        client_id: 'steward-console',
        resource,
      });
    const second = await next(accounting);
    assert.deepEqual([claimsOf(first).aud, claimsOf(second).aud], [portal, accounting]);
    assert.equal((await next(studio)).status, 400);
  });
});
