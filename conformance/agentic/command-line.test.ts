import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createWorld, type Json, openStore, type Sold, type World } from '@steward/conformance/world';
import { startHttps } from '@steward/testing';

const owner = 'owner@example.com';
const ucp = fileURLToPath(new URL('bin.js', import.meta.resolve('@shopify/ucp-cli')));
const run = promisify(execFile);

describe('another maker’s command line for shopping agents', () => {
  let world: World;
  let store: Sold;
  let platform: Awaited<ReturnType<typeof startHttps>>;
  let front: Server;
  let home: string;
  let shop: string;
  before(async () => {
    world = await createWorld({ AGENT_PROFILES_FROM_LOOPBACK: 'allow' });
    store = await openStore(world, owner);
    home = await mkdtemp(join(tmpdir(), 'steward-agent-'));
    platform = await startHttps((_request, response) => {
      readFile(join(home, '.ucp/profiles/agent/profile.json')).then(
        (profile) => response.writeHead(200, { 'content-type': 'application/json' }).end(profile),
        () => response.writeHead(404).end(),
      );
    });
    const { tenant, token } = await world.signUp(owner);
    const decider = await world.token({ user: owner, approver: true });
    const { portal, commerce } = world.server.addresses;
    const brands = await world.call(`${portal}/api/brands`, { token, tenant });
    const brandId = String((brands.body['items'] as unknown as Json[])[0]?.['id']);
    const at = `${commerce}/api/brands/${brandId}`;
    await world.call(`${at}/signing-keys`, { token: decider, tenant, body: {} });
    const opened = await world.call(`${at}/agentic-commerce`, {
      token: decider,
      tenant,
      method: 'PATCH',
      body: { protocol: 'ucp', active: true, mode: 'test' },
    });
    assert.equal(opened.status, 200, JSON.stringify(opened.body));
    // Agents look at the root of a host, and this machine has no name for one.
    front = createServer((request, response) => {
      void passOn(`${commerce}/ucp/${brandId}${request.url}`, response);
    });
    front.listen(0, '127.0.0.1');
    await once(front, 'listening');
    shop = `http://127.0.0.1:${(front.address() as AddressInfo).port}`;
    await agent('profile', 'init', '--name', 'agent', '--profile-url', `${platform.url}/profile`, '--activate');
  });
  after(async () => {
    front.close();
    front.closeAllConnections();
    await platform[Symbol.asyncDispose]();
    await world[Symbol.asyncDispose]();
    await rm(home, { recursive: true, force: true });
  });

  const agent = async (...args: string[]): Promise<Json> => {
    const env = { PATH: process.env['PATH'], HOME: home, UCP_TEST_ALLOW_INSECURE_LOCALHOST: 'true', DO_NOT_TRACK: '1' };
    const { stdout } = await run(process.execPath, [ucp, ...args, '--format', 'json'], { env, timeout: 60_000 }).catch(
      (error: { stdout?: string; stderr?: string }) =>
        assert.fail(`${args.join(' ')}: ${error.stdout} ${error.stderr}`),
    );
    return JSON.parse(stdout) as Json;
  };
  const shopping = async (what: string, input?: object, id?: string): Promise<Json> => {
    const words = [...what.split(' '), ...(id === undefined ? [] : [id]), '--business', shop];
    const answer = await agent(...words, ...(input === undefined ? [] : ['--input', JSON.stringify(input)]));
    return answer['result'] as Json;
  };

  test('finds, fills a cart, buys and looks at the order, by what the shop says of itself', async () => {
    const found = await shopping('catalog search', { query: 'mug' });
    const item = store.variants.get('Stoneware mug') ?? '';
    assert.ok(JSON.stringify(found).includes(item), JSON.stringify(found));
    const cart = await shopping('cart create', { line_items: [{ item: { id: item }, quantity: 2 }] });
    const made = await shopping('checkout create', { cart_id: String(cart['id']), line_items: [] });
    const id = String(made['id']);
    const line_items = [{ item: { id: item }, quantity: 2 }];
    const buyer = { email: 'ann@example.com', first_name: 'Ann', last_name: 'Bo' };
    const destinations = [
      {
        id: 'home',
        type: 'shipping_address',
        street_address: 'Weg 1',
        address_locality: 'Berlin',
        postal_code: '10115',
        address_country: 'DE',
      },
    ];
    const method = { type: 'shipping', destinations, selected_destination_id: 'home' };
    const sent = await shopping('checkout update', { line_items, buyer, fulfillment: { methods: [method] } }, id);
    const [shown] = (sent['fulfillment']?.['methods'] ?? []) as unknown as {
      groups: { id: string; options: { id: string }[] }[];
    }[];
    const [group] = shown?.groups ?? [];
    const groups = [{ id: group?.id, selected_option_id: group?.options[0]?.id }];
    const ready = await shopping(
      'checkout update',
      { line_items, buyer, fulfillment: { methods: [{ ...method, groups }] } },
      id,
    );
    assert.equal(String(ready['status']), 'ready_for_complete', JSON.stringify(ready));
    const instrument = {
      id: 'i',
      handler_id: 'mock_payment_handler',
      type: 'card',
      credential: { type: 'token', token: 'success_token' },
    };
    const done = await shopping('checkout complete', { payment: { instruments: [instrument] } }, id);
    assert.equal(String(done['status']), 'completed', JSON.stringify(done));
    const order = await shopping('order get', undefined, String(done['order']?.['id']));
    assert.equal(String(order['checkout_id']), id, JSON.stringify(order));
  });
});

async function passOn(url: string, response: ServerResponse): Promise<void> {
  try {
    const answer = await fetch(url);
    const type = answer.headers.get('content-type') ?? '';
    response.writeHead(answer.status, { 'content-type': type }).end(await answer.text());
  } catch {
    response.writeHead(502).end();
  }
}
