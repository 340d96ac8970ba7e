import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { after, before, describe, test } from 'node:test';
import { createVisitor, createWorld, type Bootstrap, type Visitor, type World } from '@steward/conformance/world';

const owner = 'owner@example.com';

/** A request of a page whose body stops half way, until it is told to end. */
async function heldBack(
  visitor: Visitor,
  origin: string,
  url: string,
  { method, body }: { readonly method: string; readonly body: string },
): Promise<() => Promise<{ readonly status: number | undefined; readonly text: string }>> {
  const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const headers = {
    cookie,
    host: new URL(origin).host,
    'sec-fetch-site': 'same-origin',
    'x-steward-console': '1',
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  };
  const asked = request(url, { method, headers });
  const answered = once(asked, 'response') as Promise<[IncomingMessage]>;
  const half = Math.floor(body.length / 2);
  asked.write(body.slice(0, half));
  // Until it is in the hands of whoever will carry it out.
  await sleep(300);
  return async () => {
    asked.end(body.slice(half));
    const [answer] = await answered;
    return { status: answer.statusCode, text: await text(answer) };
  };
}

describe('what is asked of the console with a body that is held back', () => {
  let world: World;
  let shop: Bootstrap;
  let origin: string;
  let elsewhere: string;
  before(async () => {
    world = await createWorld();
    ({ origin } = new URL(world.server.addresses.portal));
    // Another process of the same installation: a balancer gives both the same address.
    const port = await freePort();
    await world.beside({ PORT: String(port), PUBLIC_URL: origin });
    elsewhere = `http://127.0.0.1:${port}`;
    shop = await world.signUp(owner);
  });
  after(async () => world[Symbol.asyncDispose]());

  const own = async (path: string, wishes: { readonly method?: string; readonly body?: unknown } = {}) =>
    world.call(`${world.server.addresses.portal}/api${path}`, { token: shop.token, tenant: shop.tenant, ...wishes });

  for (const where of ['the process that they sign out at', 'another process'] as const)
    test(`is not done once they are signed out, by ${where}`, async () => {
      const at = where === 'another process' ? elsewhere : origin;
      const api = `${at}/console/api/o/${shop.tenant}`;
      const asked = await own('/pending-actions', {
        method: 'POST',
        body: {
          tool: 'service_invite_member',
          arguments: { email: `${where.length}@example.com`, role: 'accountant' },
        },
      });
      const { id, previewHash } = asked.body;
      const one = createVisitor(origin);
      await one.signIn(owner);
      await one.signIn(owner, '/console/step-up?to=/console/stepped-up');
      const { name: before } = (await own('/organization')).body;
      const graph = { document: 'OrganizationSettings', variables: {} };
      const ends = await Promise.all([
        heldBack(one, origin, `${api}/portal/api/pending-actions/${String(id)}/approve`, {
          method: 'POST',
          body: JSON.stringify({ previewHash }),
        }),
        heldBack(one, origin, `${api}/portal/api/organization`, {
          method: 'PATCH',
          body: JSON.stringify({ name: 'Too late' }),
        }),
        heldBack(one, origin, `${api}/reads`, { method: 'POST', body: '{"reads":[{"path":"portal/api/members"}]}' }),
        heldBack(one, origin, `${api}/accounting/graphql`, { method: 'POST', body: JSON.stringify(graph) }),
      ]);
      assert.equal((await one.ask('/console/sign-out', { method: 'POST' })).status, 200);
      for (const end of ends) {
        const { status, text: told } = await end();
        assert.equal(status, 401, told);
      }
      assert.equal(String((await own(`/pending-actions/${String(id)}`)).body['state']), 'pending');
      assert.deepEqual((await own('/organization')).body['name'], before);
    });

  test('is done where they are signed in still, and the connection goes on', async () => {
    const one = createVisitor(origin);
    await one.signIn(owner);
    await one.signIn(owner, '/console/step-up?to=/console/stepped-up');
    const path = `${origin}/console/api/o/${shop.tenant}/portal/api/organization`;
    const end = await heldBack(one, origin, path, { method: 'PATCH', body: JSON.stringify({ name: 'In time' }) });
    const { status, text: told } = await end();
    assert.equal(status, 200, told);
    assert.equal(String((await own('/organization')).body['name']), 'In time');
    // Whoever is refused before the body is read is answered, and nothing stands in the way of the next request.
    const large = { name: 'x'.repeat(900_000) };
    const refused = await one.ask(`/console/api/o/${shop.tenant}/portal/api/nothing`, { method: 'POST', body: large });
    assert.equal(refused.status, 404, refused.text);
    assert.equal((await one.ask('/console/session')).status, 200);
  });
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
