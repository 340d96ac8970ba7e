import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { createWorld, toolPaths, type World } from '../world/index.ts';

interface Schema {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly additionalProperties?: Schema | boolean;
}

interface Listed {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Schema;
  readonly _meta: { readonly tier: string; readonly pillar: string; readonly area?: string };
}

/** Pointers to arguments, to those inside others too, of which nothing is said. */
function undescribed(schema: Schema, at = ''): string[] {
  const { properties = {}, items, anyOf = [], additionalProperties } = schema;
  const rest = typeof additionalProperties === 'object' ? [additionalProperties] : [];
  return [
    ...Object.entries(properties).flatMap(([name, one]) => [
      ...(one.description === undefined ? [`${at}/${name}`] : []),
      ...undescribed(one, `${at}/${name}`),
    ]),
    ...[...(items === undefined ? [] : [items]), ...rest].flatMap((one) => undescribed(one, `${at}/*`)),
    ...anyOf.flatMap((one) => undescribed(one, at)),
  ];
}

describe('the lists of tools', () => {
  let world: World;
  let tenant: string;
  let token: string;
  /** By the part of the address that narrows it. */
  const lists = new Map<string, readonly Listed[]>();

  const get = async (path: string, encoding: string, body?: object) => {
    const sent = request(`${world.server.addresses.mcp}/t/${tenant}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'accept-encoding': encoding,
        'content-type': 'application/json',
        ...(body === modern
          ? {
              'mcp-protocol-version': '2026-07-28',
              'mcp-method': 'tools/list',
              accept: 'application/json, text/event-stream',
            }
          : {}),
      },
    });
    sent.end(body === undefined ? undefined : JSON.stringify(body));
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    assert.equal(answer.statusCode, 200, path);
    return { headers: answer.headers, bytes: await buffer(answer) };
  };
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  /** By the newest revision of the protocol. */
  const modern = {
    ...list,
    params: {
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientInfo': { name: 'lists', version: '1.0.0' },
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    },
  };
  const read = async (path: string): Promise<readonly Listed[]> =>
    (JSON.parse((await get(path, 'identity', list)).bytes.toString()) as { result: { tools: Listed[] } }).result.tools;

  before(async () => {
    world = await createWorld();
    ({ tenant, token } = await world.signUp('owner@example.com'));
    for (const path of toolPaths) lists.set(`/p/${path}`, await read(`/p/${path}`));
    lists.set('', await read(''));
  });
  after(async () => world[Symbol.asyncDispose]());

  test('hold at most sixty tools each, and an area those of its part alone', () => {
    for (const [path, tools] of lists) assert.ok(tools.length > 0 && tools.length <= 60, `${path}: ${tools.length}`);
    for (const area of ['books', 'sales', 'bank', 'reports']) {
      const tools = lists.get(`/p/accounting/${area}`) ?? [];
      assert.ok(tools.some(({ _meta }) => _meta.area === area));
      assert.deepEqual(
        tools.filter(({ _meta }) => _meta.area !== undefined && _meta.area !== area),
        [],
      );
    }
  });

  test('are at most 80 kB at the endpoint, 20 kB as gzip, and the same either way', async () => {
    for (const asked of [list, modern]) {
      const plain = await get('', 'identity', asked);
      const packed = await get('', 'br, gzip', asked);
      assert.ok(plain.bytes.length > 50_000 && plain.bytes.length <= 80_000, `${plain.bytes.length} bytes`);
      assert.ok(packed.bytes.length <= 20_000, `${packed.bytes.length} bytes`);
      assert.deepEqual([plain.headers['content-encoding'], packed.headers['content-encoding']], [undefined, 'gzip']);
      assert.deepEqual(gunzipSync(packed.bytes), plain.bytes);
    }
    for (const path of [...lists.keys()].map((one) => `${one}/manifest`)) {
      const [whole, zipped] = [await get(path, 'identity'), await get(path, 'gzip')];
      assert.equal(whole.headers.etag, zipped.headers.etag);
      assert.deepEqual(gunzipSync(zipped.bytes), whole.bytes, path);
      assert.ok(zipped.bytes.length * 2 < whole.bytes.length, path);
    }
  });

  test('describe each argument of each tool', () => {
    for (const { name, inputSchema } of [...lists.values()].flat())
      assert.deepEqual(undescribed(inputSchema), [], name);
  });

  test('speak of arguments by the names that these have', () => {
    for (const { name, description, inputSchema } of [...lists.values()].flat()) {
      const said = [description, ...JSON.stringify(inputSchema).matchAll(/"description":"((?:[^"\\]|\\.)*)"/g)].join(
        ' ',
      );
      assert.deepEqual(said.match(/\b[a-z]{2,}[A-Z][A-Za-z]+/g) ?? [], [], name);
    }
  });

  test('say of each tool whether it waits for a person', () => {
    for (const { name, description, _meta } of [...lists.values()].flat())
      assert.equal(description.includes('nothing happens before it is approved'), _meta.tier === 'approval', name);
  });

  test('name no tool that cannot be called at the same address, or say at which it can', () => {
    const everywhere = new Set([...lists.values()].flat().map(({ name }) => name));
    for (const [path, tools] of lists) {
      for (const tool of tools) {
        for (const [, name = '', at] of JSON.stringify(tool).matchAll(
          /(service_[a-z0-9_]*[a-z0-9])(?: \(at (\/p\/[a-z/]+)\))?/g,
        )) {
          assert.ok(everywhere.has(name), `${tool.name} names ${name}`);
          const where = lists.get(at ?? path) ?? [];
          assert.ok(
            where.some((one) => one.name === name),
            `${tool.name} at ${path || '/'} names ${name} at ${at ?? path}`,
          );
        }
      }
    }
  });

  test('are read by the official client at every address', async () => {
    for (const [path, tools] of lists) {
      const client = new Client({ name: 'lists', version: '1.0.0' });
      const requestInit = { headers: { authorization: `Bearer ${token}` } };
      const url = new URL(`${world.server.addresses.mcp}/t/${tenant}${path}`);
      await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
      assert.deepEqual(
        (await client.listTools()).tools.map(({ name }) => name),
        tools.map(({ name }) => name),
        path,
      );
      await client.close();
    }
  });
});
