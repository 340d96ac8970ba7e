import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { tenantA, tenantB } from '../fixtures/callers.ts';
import { call, legacy, mirrors, modern } from '../fixtures/requests.ts';
import { resultOf, rpcCode } from '../fixtures/results.ts';
import { startWorld, type World } from '../fixtures/world.ts';

const supported = ['2026-07-28', '2025-11-25', '2025-06-18'];
const versionField = 'io.modelcontextprotocol/protocolVersion';
const capabilitiesField = 'io.modelcontextprotocol/clientCapabilities';
const infoField = 'io.modelcontextprotocol/serverInfo';

describe('requests of 2026-07-28', () => {
  let world: World;
  before(async () => {
    world = await startWorld();
  });
  after(async () => world[Symbol.asyncDispose]());

  const post = async (body: unknown, headers: Record<string, string>) => world.post('/mcp', body, headers);

  test('server/discover says what is spoken, and how long that holds', async () => {
    const { status, json } = await post(modern('server/discover'), mirrors('server/discover'));
    assert.equal(status, 200);
    const result = json['result'] ?? {};
    assert.deepEqual(result['supportedVersions'], supported);
    assert.deepEqual(result['capabilities'], { tools: {} });
    assert.equal(result['resultType'], 'complete');
    assert.equal(result['cacheScope'], 'private');
    assert.ok(Number.isInteger(result['ttlMs'] as unknown));
    assert.equal(result['_meta']?.[infoField]?.['name'], 'steward');
    assert.match(String(result['instructions']), /X-Tenant-ID/);
  });

  test('a list may be kept only where the header does not decide the tenant', async () => {
    const list = async (path: string, headers: Record<string, string> = {}) =>
      (await world.post(path, modern('tools/list'), { ...mirrors('tools/list'), ...headers })).json['result'] ?? {};
    assert.equal((await list('/mcp'))['ttlMs'], 0);
    assert.equal((await list('/mcp', { 'x-tenant-id': tenantA }))['ttlMs'], 0);
    assert.ok(Number((await list(`/mcp/t/${tenantA}`))['ttlMs']) > 0);
    assert.ok(Number((await list('/mcp', { authorization: 'Bearer alice-in-a' }))['ttlMs']) > 0);
    assert.equal((await list('/mcp'))['cacheScope'], 'private');
    assert.equal((await list('/mcp'))['resultType'], 'complete');
  });

  test('a call carries what every modern result does', async () => {
    const answer = await post(
      modern('tools/call', { name: 'service_list_orgs' }),
      mirrors('tools/call', 'service_list_orgs'),
    );
    assert.equal(resultOf(answer)['status'], 'ok');
    assert.equal(answer.json['result']?.['resultType'], 'complete');
    assert.equal(answer.json['result']?.['_meta']?.[infoField]?.['version'], '0.0.1-test');
  });

  test('each check refuses with its own code, in the order of the revision', async () => {
    const meta = (changes: Record<string, unknown>) => ({
      _meta: { [versionField]: '2026-07-28', [capabilitiesField]: {}, ...changes },
    });
    const list = mirrors('tools/list');
    const { 'mcp-method': _method, ...withoutMethod } = list;
    const { 'mcp-protocol-version': _version, ...withoutVersion } = list;
    for (const [title, body, headers, status, code] of [
      ['no _meta', legacy('tools/list'), list, 400, -32602],
      ['_meta of another type', legacy('tools/list', { _meta: 7 }), list, 400, -32602],
      ['no version', legacy('tools/list', meta({ [versionField]: undefined })), list, 400, -32602],
      ['a version of another type', legacy('tools/list', meta({ [versionField]: 7 })), list, 400, -32602],
      ['no capabilities', legacy('tools/list', meta({ [capabilitiesField]: undefined })), list, 400, -32602],
      ['capabilities of another type', legacy('tools/list', meta({ [capabilitiesField]: [] })), list, 400, -32602],
      ['no version header', modern('tools/list'), withoutVersion, 400, -32020],
      ['another version header', modern('tools/list'), { ...list, 'mcp-protocol-version': '2025-11-25' }, 400, -32020],
      [
        'an unknown version',
        legacy('tools/list', meta({ [versionField]: 'v9' })),
        { ...list, 'mcp-protocol-version': 'v9' },
        400,
        -32022,
      ],
      [
        'a legacy version',
        legacy('tools/list', meta({ [versionField]: '2025-11-25' })),
        { ...list, 'mcp-protocol-version': '2025-11-25' },
        400,
        -32022,
      ],
      ['no method header', modern('tools/list'), withoutMethod, 400, -32020],
      ['another method header', modern('tools/list'), { ...list, 'mcp-method': 'TOOLS/LIST' }, 400, -32020],
      ['no such method', modern('tools/none'), mirrors('tools/none'), 404, -32601],
      ['initialize', modern('initialize', { protocolVersion: '2026-07-28' }), mirrors('initialize'), 404, -32601],
      ['ping', modern('ping'), mirrors('ping'), 404, -32601],
      ['subscriptions/listen', modern('subscriptions/listen'), mirrors('subscriptions/listen'), 404, -32601],
      ['no name', modern('tools/call'), mirrors('tools/call'), 400, -32602],
      ['no name header', modern('tools/call', { name: 'service_list_orgs' }), mirrors('tools/call'), 400, -32020],
      [
        'another name header',
        modern('tools/call', { name: 'service_list_orgs' }),
        mirrors('tools/call', 'x'),
        400,
        -32020,
      ],
      [
        'a name header with broken base64',
        modern('tools/call', { name: 'service_list_orgs' }),
        mirrors('tools/call', '=?base64?c2Vy!?='),
        400,
        -32020,
      ],
      ['a cursor', modern('tools/list', { cursor: 'x' }), list, 400, -32602],
    ] as const) {
      const answer = await post(body, headers);
      assert.equal(answer.status, status, title);
      assert.equal(rpcCode(answer), code, title);
      assert.equal(answer.json['id'], 1, title);
    }
  });

  test('an unsupported version is told which are, and which it was', async () => {
    const { json } = await post(legacy('tools/list', { _meta: { [versionField]: 'v9', [capabilitiesField]: {} } }), {
      'mcp-protocol-version': 'v9',
      'mcp-method': 'tools/list',
    });
    assert.deepEqual(json['error']?.['data'], { supported: ['2026-07-28'], requested: 'v9' });
  });

  test('a mirrored name may be encoded', async () => {
    const encoded = `=?base64?${Buffer.from('service_list_orgs').toString('base64')}?=`;
    const answer = await post(modern('tools/call', { name: 'service_list_orgs' }), mirrors('tools/call', encoded));
    assert.equal(resultOf(answer)['status'], 'ok');
  });

  test('headers of other transports are ignored', async () => {
    const answer = await post(modern('server/discover'), {
      ...mirrors('server/discover'),
      'mcp-session-id': 'x',
      'last-event-id': '7',
      accept: 'text/plain',
    });
    assert.equal(answer.status, 200);
  });

  test('a tenant that fails is HTTP on every method but tools/call, without a challenge', async () => {
    for (const method of ['tools/list', 'ping', 'initialize']) {
      const forbidden = await world.post('/mcp', legacy(method, { protocolVersion: '2025-11-25' }), {
        'x-tenant-id': tenantB,
      });
      assert.equal(forbidden.status, 403, method);
      assert.equal(forbidden.json['error']?.['data']?.['code'], 'tenant_forbidden');
      assert.equal(forbidden.headers.get('www-authenticate'), null);
      assert.ok(Math.abs(Number(rpcCode(forbidden))) < 32000);
      const mismatch = await world.post(`/mcp/t/${tenantA}`, legacy(method, { protocolVersion: 'x' }), {
        'x-tenant-id': tenantB,
      });
      assert.equal(mismatch.status, 400, method);
      assert.equal(mismatch.json['error']?.['data']?.['code'], 'tenant_mismatch');
    }
    const discover = await world.post('/mcp', modern('server/discover'), {
      ...mirrors('server/discover'),
      'x-tenant-id': tenantB,
    });
    assert.equal(discover.status, 403);
    assert.equal(
      resultOf(await world.post('/mcp', call('service_whoami'), { 'x-tenant-id': tenantB }))['status'],
      'error',
    );
  });
});
