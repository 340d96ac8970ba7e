import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { tenantA } from '../fixtures/callers.ts';
import { call, legacy } from '../fixtures/requests.ts';
import { members } from '../fixtures/results.ts';
import { startWorld, type World } from '../fixtures/world.ts';

const inA = { 'x-tenant-id': tenantA };

describe('tools/list', () => {
  let world: World;
  before(async () => {
    world = await startWorld();
  });
  after(async () => world[Symbol.asyncDispose]());
  const names = async (path: string, headers: Record<string, string> = {}): Promise<string[]> => {
    const { json } = await world.post(path, legacy('tools/list'), headers);
    return members(json['result']?.['tools']).map(({ name }) => String(name));
  };
  const bootstrap = ['service_list_orgs', 'service_set_org', 'service_whoami'];

  test('shows each caller what it can call, by name', async () => {
    const things = ['audit', 'list', 'make', 'refuse', 'route'].map((verb) =>
      verb === 'make' ? 'service_make_thing' : `service_${verb}_things`,
    );
    const core = [...bootstrap, ...things].toSorted();
    const without = (...hidden: string[]): string[] => core.filter((name) => !hidden.includes(name));
    assert.deepEqual(await names('/mcp'), bootstrap);
    assert.deepEqual(await names('/mcp', inA), core);
    assert.deepEqual(await names(`/mcp/t/${tenantA}`), core);
    assert.deepEqual(await names('/mcp', { authorization: 'Bearer alice-in-a' }), core);
    assert.deepEqual(
      await names('/mcp', { ...inA, authorization: 'Bearer victor' }),
      without('service_audit_things', 'service_make_thing'),
    );
    assert.deepEqual(
      await names('/mcp', { ...inA, authorization: 'Bearer alice-reads' }),
      without('service_make_thing'),
    );
    assert.deepEqual(await names('/mcp', { ...inA, authorization: 'Bearer alice-signs-up' }), bootstrap);
    assert.deepEqual(await names('/mcp/p/crm', { ...inA, authorization: 'Bearer alice-crm' }), ['service_make_thing']);
    assert.deepEqual(await names('/mcp/p/crm'), bootstrap);
    assert.ok((await names(`/mcp/t/${tenantA}/p/accounting`)).includes('service_measure_things'));
  });

  test('is the same bytes in every process, after every history, for everyone of a class', async () => {
    await using other = await startWorld();
    const list = async (from: World, headers: Record<string, string>) =>
      (await from.post('/mcp', legacy('tools/list'), headers)).text.replaceAll(
        new URL(from.addresses.mcp).host,
        'here',
      );
    const first = await list(world, inA);
    await world.post('/mcp', call('service_set_org', { tenant_id: tenantA }));
    await world.post('/mcp', call('service_make_thing', { size: 1 }), inA);
    assert.equal(await list(world, inA), first);
    assert.equal(await list(world, { ...inA, authorization: 'Bearer late-alice' }), first);
    assert.equal(await list(other, inA), first);
  });

  test('describes a tool wholly: schemas, hints and what it belongs to', async () => {
    const { json } = await world.post('/mcp', legacy('tools/list'), inA);
    const tool = members(json['result']?.['tools']).find(({ name }) => String(name) === 'service_make_thing');
    assert.deepEqual(tool?.['annotations'], {
      readOnlyHint: false,
      destructiveHint: false,
      idempotentHint: false,
      openWorldHint: false,
    });
    assert.deepEqual(tool?.['_meta'], { pillar: 'crm', kind: 'command', tier: 'write', core: true });
    const input = tool?.['inputSchema'] ?? {};
    assert.deepEqual(Object.keys(input['properties'] ?? {}), ['size', 'tenant_id', 'preview', 'idempotency_key']);
    assert.deepEqual(input['required'], ['size']);
    assert.equal(input['additionalProperties'], false);
    assert.equal('$schema' in input, false);
    const data = { properties: { id: {}, size: {} } };
    assert.deepEqual(tool?.['outputSchema'], { type: 'object', properties: { data } });
  });
});

describe('the internal surface', () => {
  let world: World;
  before(async () => {
    world = await startWorld();
  });
  after(async () => world[Symbol.asyncDispose]());

  test('opens to a service token, either scope or the role, and to nothing else', async () => {
    for (const name of ['platform', 'by-scope', 'by-long-scope', 'by-role', 'late-by-role']) {
      const answer = await world.post(world.internal, legacy('tools/list'), { authorization: `Bearer ${name}` });
      assert.equal(answer.status, 200, name);
    }
    for (const name of ['alice', 'alice-in-a', 'late-alice']) {
      const answer = await world.post(world.internal, legacy('tools/list'), { authorization: `Bearer ${name}` });
      assert.equal(answer.status, 403, name);
      assert.equal(answer.json['code'], 'internal_only');
      assert.match(
        answer.headers.get('www-authenticate') ?? '',
        /error="insufficient_scope".*service:mcp:internal mcp:internal/,
      );
    }
    assert.equal((await world.post(world.internal, legacy('ping'), { authorization: '' })).status, 401);
  });

  test('shows its own tools, and is not there on the public listener', async () => {
    const list = async (headers: Record<string, string>) =>
      members((await world.post(world.internal, legacy('tools/list'), headers)).json['result']?.['tools']).map(
        ({ name }) => String(name),
      );
    assert.deepEqual(await list({ authorization: 'Bearer by-role' }), ['service_platform_status', 'service_whoami']);
    assert.deepEqual(await list({ authorization: 'Bearer platform', ...inA }), [
      'service_list_things',
      'service_platform_status',
      'service_whoami',
    ]);
    const origin = new URL(world.addresses.mcp).origin;
    assert.equal(
      (await world.post(`${origin}/internal/mcp`, legacy('ping'), { authorization: 'Bearer platform' })).status,
      404,
    );
  });
});
