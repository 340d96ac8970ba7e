import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { createVisitor, createWorld, type Visitor, type World } from '@steward/conformance/world';
import { createProvider, type Provider } from '@steward/identity/provider';
import { createLog, type RequestHandler } from '@steward/kernel';

const client = 'acme-console';
const secret = 'a-secret-with:and%and+and/';

describe('the console at an identity provider of one’s own, as its confidential client', () => {
  let world: World;
  let server: Server;
  let issuer: string;
  let folder: string;
  let origin: string;
  /** What the provider was asked for tokens, and with which credentials. */
  const asked: { readonly authorization: string | undefined; readonly status: number }[] = [];
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'steward-issuer-'));
    let provider: Provider | undefined;
    server = createServer((request, response) => {
      const handle: RequestHandler = provider?.handle ?? ((_request, own) => void own.writeHead(503).end());
      if (request.url === '/idp/token')
        response.on('finish', () =>
          asked.push({ authorization: request.headers.authorization, status: response.statusCode }),
        );
      if (request.url?.startsWith('/.well-known/')) request.url = `/idp${request.url}`;
      handle(request, response);
    });
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}/idp`;
    world = await createWorld({
      ISSUERS: JSON.stringify([{ issuer, jwksUri: `${issuer}/jwks` }]),
      APPROVER_CLIENTS: client,
      CONSOLE_CLIENT_SECRETS: secret,
    });
    ({ origin } = new URL(world.server.addresses.portal));
    provider = await createProvider({
      issuer,
      dataDir: folder,
      resources: { ...world.server.addresses, issuer },
      tenantsOf: async () => [],
      log: createLog('silent'),
      clients: [
        {
          client_id: client,
          client_secret: secret,
          redirect_uris: [`${origin}/console/signed-in`],
          post_logout_redirect_uris: [`${origin}/console/signed-out`],
        },
      ],
    });
  });
  after(async () => {
    await world[Symbol.asyncDispose]();
    server.closeAllConnections();
    server.close();
    await rm(folder, { recursive: true });
  });
  const signIn = async (visitor: Visitor): Promise<number> => {
    const consent = await visitor.signIn('ada@example.com');
    if (!consent.url.pathname.includes('/interaction/')) return consent.status;
    const form = new URLSearchParams({ action: 'allow' });
    return (await visitor.go(consent.url, { method: 'POST', body: form })).status;
  };

  test('signs people in with its secret, and renews their tokens with it', async () => {
    const visitor = createVisitor(origin);
    await signIn(visitor);
    const { status, body } = await visitor.ask('/console/session');
    assert.equal(status, 200);
    assert.equal(String(body['person']?.['email']), 'ada@example.com');
    assert.equal((await visitor.ask('/console/api/portal/api/organizations')).status, 200);
    // An address of its own has a token of its own: nobody's organization, and yet no refusal of the token.
    assert.notEqual((await visitor.ask('/console/api/studio/api/forms')).status, 401);
    assert.deepEqual(
      asked.map(({ status: answered }) => answered),
      [200, 200],
    );
    for (const { authorization = '' } of asked) assert.match(authorization, /^Basic /);
  });

  test('signs people out at the provider too, which leads back to one address alone', async () => {
    const visitor = createVisitor(origin);
    await signIn(visitor);
    const { status, body } = await visitor.ask('/console/sign-out', { method: 'POST' });
    assert.equal(status, 200);
    const leave = new URL(String(body['leave']));
    assert.equal(leave.origin + leave.pathname, `${issuer}/sign-out`);
    assert.equal(leave.searchParams.get('post_logout_redirect_uri'), `${origin}/console/signed-out`);
    assert.equal(leave.searchParams.get('client_id'), client);
    const asks = await visitor.go(leave);
    assert.equal(asks.status, 200, asks.text);
    const xsrf = /name="xsrf" value="([^"]+)"/.exec(asks.text)?.[1] ?? '';
    const left = await visitor.go(new URL(/action="([^"]+)"/.exec(asks.text)?.[1] ?? '', leave), {
      method: 'POST',
      body: new URLSearchParams({ xsrf, logout: 'yes' }),
      follow: false,
    });
    assert.equal(left.headers.get('location'), `${origin}/console/signed-out`);
    const again = await visitor.go('/console/sign-in');
    assert.match(again.text, /name="email"/, 'nobody is signed in again without being asked');
    leave.searchParams.set('post_logout_redirect_uri', 'https://evil.example/');
    assert.equal((await visitor.go(leave, { follow: false })).status, 400);
  });

  test('says in words that the provider refused, and begins no session', async () => {
    const visitor = createVisitor(origin);
    const page = await visitor.go('/console/sign-in', { follow: false });
    const answer = new URL('/console/signed-in', origin);
    const state = new URL(page.headers.get('location') ?? '').searchParams.get('state') ?? '';
    for (const [name, value] of Object.entries({ state, iss: issuer, code: 'made-up' }))
      answer.searchParams.set(name, value);
    const refused = await visitor.go(answer);
    assert.equal(refused.status, 401);
    assert.match(refused.text, /did not complete the sign-in/);
    assert.equal((await visitor.ask('/console/session')).status, 401);
  });

  test('takes no answer that was not asked for, of another provider, or in another browser', async () => {
    const visitor = createVisitor(origin);
    const begun = await visitor.go('/console/sign-in', { follow: false });
    const state = new URL(begun.headers.get('location') ?? '').searchParams.get('state') ?? '';
    const back = (more: Record<string, string>): URL =>
      new URL(
        `/console/signed-in?${new URLSearchParams({ state, iss: issuer, code: 'x', ...more }).toString()}`,
        origin,
      );
    assert.equal((await createVisitor(origin).go(back({}))).status, 401);
    const count = asked.length;
    const wrongs: readonly Record<string, string>[] = [{ state: 'other' }, { iss: 'https://evil.example' }];
    for (const wrong of wrongs) {
      await visitor.go('/console/sign-in', { follow: false });
      assert.equal((await visitor.go(back(wrong))).status, 401);
    }
    assert.equal(asked.length, count, 'and asks for no token with it');
  });
});
