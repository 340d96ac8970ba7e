import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { tenantA, tenantB } from '../fixtures/callers.ts';
import { legacy } from '../fixtures/requests.ts';
import { members } from '../fixtures/results.ts';
import { startWorld, type Json, type World } from '../fixtures/world.ts';

describe('the manifest', () => {
  let world: World;
  before(async () => {
    world = await startWorld();
  });
  after(async () => world[Symbol.asyncDispose]());
  const get = async (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    world.fetch(`${world.addresses.mcp}${path}`, { method, headers: { authorization: 'Bearer alice', ...headers } });
  const names = (list: Json | undefined): string[] => members(list).map(({ name }) => String(name));

  test('of an address shows exactly what the address lists', async () => {
    for (const [path, headers] of [
      ['', {}],
      ['', { 'x-tenant-id': tenantA }],
      ['', { 'x-tenant-id': tenantA, authorization: 'Bearer victor' }],
      [`/t/${tenantA}`, { authorization: 'Bearer alice-reads' }],
      ['/p/accounting', { 'x-tenant-id': tenantA }],
      [`/t/${tenantA}/p/crm`, {}],
    ] as const) {
      const manifest = await get(`${path}/manifest`, headers);
      const list = await world.post(`/mcp${path}`, legacy('tools/list'), headers);
      assert.equal(manifest.status, 200, path);
      assert.deepEqual(names(manifest.json['tools']), names(list.json['result']?.['tools']), path);
      const counts = manifest.json['counts'] as unknown as { total: number; by_kind: object; by_pillar: object };
      assert.equal(counts.total, names(manifest.json['tools']).length);
      for (const by of [counts.by_kind, counts.by_pillar]) {
        assert.equal(
          Object.values(by).reduce((sum: number, count: number) => sum + count, 0),
          counts.total,
        );
      }
    }
  });

  test('describes a tool and what it requires', async () => {
    const { json } = await get(`/t/${tenantA}/p/crm/manifest`);
    assert.equal(json['schema_version'], '2026-11-01');
    assert.equal(json['canonical_catalog'], `${world.addresses.mcp}/manifest`);
    assert.equal(json['surface'], 'public');
    assert.deepEqual(json['transport'], {
      type: 'streamable-http',
      stateless: true,
      methods: ['POST'],
      protocol_versions: ['2026-07-28', '2025-11-25', '2025-06-18'],
      url: `${world.addresses.mcp}/t/${tenantA}/p/crm`,
    });
    const tool = members(json['tools'])[0] ?? {};
    assert.deepEqual(tool['requires'], { role: ['owner', 'admin'], entitlement: 'write', scope: 'mcp:write' });
    assert.deepEqual(tool['personas'], ['retail']);
    assert.deepEqual(
      ['name', 'title', 'pillar', 'kind', 'tier'].map((key) => tool[key]),
      ['service_make_thing', 'Make a thing', 'crm', 'command', 'write'],
    );
    for (const key of ['input_schema', 'output_schema', 'annotations']) assert.equal(typeof tool[key], 'object', key);
  });

  test('is not sent again to who has it', async () => {
    const first = await get('/manifest', { 'x-tenant-id': tenantA });
    const etag = first.headers.get('etag') ?? '';
    for (const tag of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await get('/manifest', { 'x-tenant-id': tenantA, 'if-none-match': tag });
      assert.equal(again.status, 304, tag);
      assert.equal(again.text, '');
    }
    const other = await get('/manifest', { 'if-none-match': etag });
    assert.equal(other.status, 200);
    assert.notEqual(other.headers.get('etag'), etag);
    assert.equal((await get('/manifest', {}, 'HEAD')).text, '');
    assert.equal((await get('/manifest', {}, 'POST')).status, 405);
  });

  test('of a tenant that is not the caller’s is refused like one that does not exist, without a challenge', async () => {
    const none = '0190a0a0-0000-7000-8000-0000000000ff';
    const answers = await Promise.all(
      [tenantB, none, 'nonsense'].map(async (tenant) =>
        get('/manifest', { 'x-tenant-id': tenant, 'x-request-id': 'r' }),
      ),
    );
    for (const { status, headers, json } of answers) {
      assert.equal(status, 403);
      assert.equal(json['code'], 'tenant_forbidden');
      assert.equal(headers.get('www-authenticate'), null);
    }
    assert.equal(new Set(answers.map(({ text }) => text)).size, 1);
    const mismatch = await get(`/t/${tenantA}/manifest`, { 'x-tenant-id': tenantB });
    assert.equal(mismatch.status, 400);
    assert.equal(mismatch.json['code'], 'tenant_mismatch');
  });
});
