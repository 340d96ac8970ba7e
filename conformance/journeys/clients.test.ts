import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { auth, type OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { createWorld, type World } from '@steward/conformance/world';

const named = { name: 'journey', version: '1.0.0' };

/** What a journey needs of a client, whichever SDK it is. */
interface Hands {
  list(): Promise<string[]>;
  call(name: string, args: Record<string, unknown>): Promise<Record<string, unknown>>;
  close(): Promise<void>;
}

type Connect = (url: string, headers: Record<string, string>) => Promise<Hands>;

const legacy: Connect = async (url, headers) => {
  const client = new Client(named);
  await client.connect(
    new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }) as Parameters<Client['connect']>[0],
  );
  return {
    list: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, args) =>
      (await client.callTool({ name, arguments: args })).structuredContent as Record<string, unknown>,
    close: async () => client.close(),
  };
};

const modern =
  (mode: 'legacy' | 'auto' | { pin: string }): Connect =>
  async (url, headers) => {
    const client = new ModernClient(named, { versionNegotiation: { mode } });
    await client.connect(new ModernTransport(new URL(url), { requestInit: { headers } }));
    return {
      list: async () => (await client.listTools()).tools.map(({ name }) => name),
      call: async (name, args) =>
        (await client.callTool({ name, arguments: args })).structuredContent as Record<string, unknown>,
      close: async () => client.close(),
    };
  };

const clients: Record<string, Connect> = {
  'SDK v1': legacy,
  'SDK v2, legacy': modern('legacy'),
  'SDK v2, auto': modern('auto'),
  'SDK v2, pinned 2026-07-28': modern({ pin: '2026-07-28' }),
};

describe('an unmodified official client', () => {
  let world: World;
  let mcp: string;
  before(async () => {
    world = await createWorld();
    mcp = world.server.addresses.mcp;
  });
  after(async () => world[Symbol.asyncDispose]());

  for (const [name, connect] of Object.entries(clients)) {
    test(`${name}: selects its organization and works with the header that the answer names`, async () => {
      const { tenant, token } = await world.signUp(`header-${name.replace(/\W+/g, '')}@example.com`);
      const authorization = `Bearer ${token}`;
      const before = await connect(mcp, { authorization });
      assert.deepEqual((await before.list()).toSorted(), ['service_list_orgs', 'service_set_org', 'service_whoami']);
      const selected = await before.call('service_set_org', { tenant_id: tenant });
      assert.deepEqual(selected['next_request_headers'], { 'X-Tenant-ID': tenant });
      await before.close();
      await work(
        await connect(mcp, { authorization, ...(selected['next_request_headers'] as Record<string, string>) }),
        name,
      );
    });

    test(`${name}: works with an address that names the tenant, without a header`, async () => {
      const { tenant, token } = await world.signUp(`address-${name.replace(/\W+/g, '')}@example.com`);
      await work(await connect(`${mcp}/t/${tenant}`, { authorization: `Bearer ${token}` }), name);
    });

    test(`${name}: works with a token that carries the tenant`, async () => {
      const user = `claim-${name.replace(/\W+/g, '')}@example.com`;
      const { tenant } = await world.signUp(user);
      await work(await connect(mcp, { authorization: `Bearer ${await world.token({ user, tenant })}` }), name);
    });
  }

  async function work(hands: Hands, key: string): Promise<void> {
    assert.ok((await hands.list()).includes('service_list_accounts'));
    const accounts = await hands.call('service_list_accounts', { limit: 2 });
    assert.equal((accounts['data'] as { accounts: unknown[] }).accounts.length, 2);
    const wrong = await hands.call('service_list_accounts', { limit: 0 });
    assert.equal(wrong['error_code'], 'invalid_arguments');
    const preview = await hands.call('service_update_organization', { name: 'Previewed', preview: true });
    assert.equal(preview['status'], 'preview');
    const args = { name: `Renamed by ${key}`, idempotency_key: `rename-${key}` };
    const done = await hands.call('service_update_organization', args);
    assert.deepEqual(await hands.call('service_update_organization', args), done);
    const conflict = await hands.call('service_update_organization', { ...args, name: 'Other' });
    assert.equal(conflict['error_code'], 'idempotency_conflict');
    await hands.close();
  }

  test('finds the identity provider by itself, registers, logs in, consents to a tenant and calls tools with the token it got', async () => {
    const { tenant } = await world.signUp('oauth@example.com', 'By OAuth');
    const provider = new BrowserlessProvider('http://127.0.0.1:6274/callback', 'oauth@example.com', tenant);
    assert.equal(await auth(provider, { serverUrl: mcp }), 'REDIRECT');
    const code = await provider.authorizationCode();
    assert.equal(await auth(provider, { serverUrl: mcp, authorizationCode: code }), 'AUTHORIZED');
    const client = new Client(named);
    await client.connect(
      new StreamableHTTPClientTransport(new URL(mcp), { authProvider: provider }) as Parameters<Client['connect']>[0],
    );
    const { structuredContent } = await client.callTool({ name: 'service_whoami', arguments: {} });
    assert.match(JSON.stringify(structuredContent), new RegExp(tenant));
    assert.ok(
      (await client.listTools()).tools.some(({ name }) => name === 'service_list_accounts'),
      'the claim chose the tenant',
    );
    const portal = await world.call(`${world.server.addresses.portal}/api/organization`, {
      token: provider.tokens()?.access_token ?? '',
      tenant,
    });
    assert.equal(portal.status, 401, 'a token for the tool endpoint alone opens nothing else');
    await client.close();
  });
});

/** The SDK's own OAuth, with a person who fills in the pages by hand: forms are read from the HTML and posted. */
class BrowserlessProvider implements OAuthClientProvider {
  readonly #redirect: string;
  readonly #user: string;
  readonly #tenant: string;
  #client: { client_id: string } | undefined;
  #tokens: { access_token: string; token_type: string } | undefined;
  #verifier = '';
  #address: URL | undefined;

  constructor(redirect: string, user: string, tenant: string) {
    this.#redirect = redirect;
    this.#user = user;
    this.#tenant = tenant;
  }
  get redirectUrl(): string {
    return this.#redirect;
  }
  get clientMetadata() {
    return { client_name: 'Journey', redirect_uris: [this.#redirect], token_endpoint_auth_method: 'none' };
  }
  clientInformation() {
    return this.#client;
  }
  saveClientInformation(client: { client_id: string }): void {
    this.#client = client;
  }
  tokens() {
    return this.#tokens;
  }
  saveTokens(tokens: { access_token: string; token_type: string }): void {
    this.#tokens = tokens;
  }
  redirectToAuthorization(address: URL): void {
    this.#address = address;
  }
  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }
  codeVerifier(): string {
    return this.#verifier;
  }

  /** Follows redirects with cookies, answers the login and the consent form, and stops at the client's own address. */
  async authorizationCode(): Promise<string> {
    const jar = new Map<string, string>();
    let url = String(this.#address);
    let init: RequestInit = {};
    for (let hop = 0; hop < 20; hop += 1) {
      if (url.startsWith(this.#redirect)) return new URL(url).searchParams.get('code') ?? '';
      const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
      const answer = await fetch(url, {
        ...init,
        redirect: 'manual',
        headers: { ...(init.headers as Record<string, string>), cookie },
      });
      for (const set of answer.headers.getSetCookie()) {
        const [name = '', value = ''] = (set.split(';')[0] ?? '').split('=');
        jar.set(name, value);
      }
      const location = answer.headers.get('location');
      if (location !== null) {
        [url, init] = [new URL(location, url).href, {}];
        continue;
      }
      const html = await answer.text();
      assert.match(html, /<form/, `${url} answered ${answer.status} without a form`);
      const action = /<form[^>]*action="([^"]*)"/.exec(html)?.[1] ?? url;
      [url, init] = [
        new URL(action.replaceAll('&amp;', '&'), url).href,
        { method: 'POST', body: this.#fill(html), headers: { origin: new URL(url).origin } },
      ];
    }
    throw new Error('the login does not end');
  }

  #fill(html: string): URLSearchParams {
    const form = new URLSearchParams();
    for (const [tag] of html.matchAll(/<(?:input|button|select)[^>]*>/g)) {
      const name = /name="([^"]*)"/.exec(tag)?.[1];
      const value = /value="([^"]*)"/.exec(tag)?.[1] ?? '';
      if (name === undefined) continue;
      if (/type="radio"/.test(tag)) {
        if (value === this.#tenant) form.set(name, value);
      } else if (tag.startsWith('<button')) {
        if (tag.includes('class="first"')) form.set(name, value);
      } else form.set(name, value === '' ? this.#user : value);
    }
    return form;
  }
}
