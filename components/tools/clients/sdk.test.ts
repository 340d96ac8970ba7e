import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Client as ClientV2, StreamableHTTPClientTransport as TransportV2 } from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { tenantA } from '../fixtures/callers.ts';
import { startWorld, type World } from '../fixtures/world.ts';

const self = { name: 'test', version: '1.0.0' };
const init = (headers: Record<string, string>) => ({
  requestInit: { headers: { authorization: 'Bearer alice', ...headers } },
});

/** What these tests need of a client, whichever version it is. */
interface Hands extends AsyncDisposable {
  list(): Promise<string[]>;
  call(name: string, args?: Record<string, unknown>): Promise<{ isError: boolean; result: Record<string, unknown> }>;
}

type Answered = { isError?: unknown; structuredContent?: unknown };
const told = ({ isError, structuredContent }: Answered) => ({
  isError: isError === true,
  result: structuredContent as Record<string, unknown>,
});

const v1 = async (url: string, headers: Record<string, string>): Promise<Hands> => {
  const client = new Client(self);
  const transport = new StreamableHTTPClientTransport(new URL(url), init(headers));
  await client.connect(transport as Parameters<Client['connect']>[0]);
  return {
    list: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, args = {}) => told((await client.callTool({ name, arguments: args })) as Answered),
    [Symbol.asyncDispose]: async () => client.close(),
  };
};

const v2 =
  (mode: 'legacy' | 'auto' | { pin: string }) =>
  async (url: string, headers: Record<string, string>): Promise<Hands> => {
    const client = new ClientV2(self, { versionNegotiation: { mode } });
    await client.connect(new TransportV2(new URL(url), init(headers)));
    return {
      list: async () => (await client.listTools()).tools.map(({ name }) => name),
      call: async (name, args = {}) => told((await client.callTool({ name, arguments: args })) as Answered),
      [Symbol.asyncDispose]: async () => client.close(),
    };
  };

describe('official SDK clients', () => {
  let world: World;
  before(async () => {
    world = await startWorld();
  });
  after(async () => world[Symbol.asyncDispose]());

  for (const [title, connect] of Object.entries({
    'version 1': v1,
    'version 2, legacy': v2('legacy'),
    'version 2, choosing': v2('auto'),
    'version 2, pinned to 2026-07-28': v2({ pin: '2026-07-28' }),
  })) {
    test(`${title}: sees more once it has selected an organization`, async () => {
      await using alone = await connect(world.addresses.mcp, {});
      assert.deepEqual(await alone.list(), ['service_list_orgs', 'service_set_org', 'service_whoami']);
      const { result } = await alone.call('service_set_org', { tenant_id: tenantA });
      await using selected = await connect(
        world.addresses.mcp,
        result['next_request_headers'] as Record<string, string>,
      );
      assert.ok((await selected.list()).includes('service_list_things'));
      const called = await selected.call('service_list_things', { limit: 2 });
      assert.deepEqual([called.isError, called.result['summary']], [false, 'At most 2 things.']);
    });

    test(`${title}: takes every form of a result for what its schema promises`, async () => {
      await using hands = await connect(`${world.addresses.mcpAlias}/t/${tenantA}`, {});
      // The official clients check a result against the schema only of a tool that they have listed.
      await hands.list();
      for (const [name, args, status] of [
        ['service_make_thing', { size: 1 }, 'ok'],
        ['service_make_thing', { size: 1, preview: true }, 'preview'],
        ['service_make_thing', { size: 'x' }, 'error'],
        ['service_refuse_things', { how: 'missing' }, 'error'],
        ['service_refuse_things', { how: 'bug' }, 'error'],
        ['service_set_org', { tenant_id: 'x' }, 'error'],
        ['service_whoami', {}, 'ok'],
      ] as const) {
        const { isError, result } = await hands.call(name, args);
        assert.deepEqual([result['status'], isError], [status, status === 'error'], name);
      }
    });

    test(`${title}: mirrors arguments where it knows to`, async () => {
      await using hands = await connect(`${world.addresses.mcp}/t/${tenantA}`, {});
      await hands.list();
      const { result } = await hands.call('service_route_things', { region: 'Zürich ', place: { dry: false } });
      assert.deepEqual(result['data'], { region: 'Zürich ' });
    });

    test(`${title}: is told by an error that a tool is unknown`, async () => {
      await using hands = await connect(world.addresses.mcp, { 'x-tenant-id': tenantA });
      await assert.rejects(hands.call('service_none'), /Unknown tool/);
    });

    test(`${title}: is led to addresses that its token opens`, async () => {
      const own = `${world.addresses.mcp}/t/${tenantA}`;
      for (const address of [own, `${own}/p/accounting`, `${own}/p/accounting/bank`]) {
        await using hands = await connect(address, {});
        const { message } = await hands.call('service_none').then(
          () => assert.fail('there is no such tool'),
          (error: Error) => error,
        );
        const told = message.match(
          / (\S+) has the core tools, and (\S+) followed by one of these has others: ([^.]+)\./,
        );
        const [, core, start, views = ''] = told ?? [];
        assert.deepEqual([core, start], [own, `${own}/p/`], message);
        for (const view of views.split(', ')) {
          await using there = await connect(`${start}${view}`, {});
          assert.ok(Array.isArray(await there.list()), view);
        }
      }
    });
  }
});
