import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { tenantA } from '../fixtures/callers.ts';
import { call, mirrors, modern } from '../fixtures/requests.ts';
import { resultOf, rpcCode } from '../fixtures/results.ts';
import { startWorld, type World } from '../fixtures/world.ts';

describe('mirrored arguments', () => {
  let world: World;
  before(async () => {
    world = await startWorld();
  });
  after(async () => world[Symbol.asyncDispose]());
  const name = 'service_route_things';
  const send = async (args: unknown, headers: Record<string, string>) =>
    world.post('/mcp', modern('tools/call', { name, arguments: args }), {
      ...mirrors('tools/call', name),
      'x-tenant-id': tenantA,
      ...headers,
    });
  const base64 = (text: string): string => `=?base64?${Buffer.from(text).toString('base64')}?=`;

  const accepted: [unknown, Record<string, string>][] = [
    [{}, {}],
    [{ region: 'eu' }, { 'mcp-param-region': 'eu' }],
    [{ region: 'eu' }, { 'Mcp-Param-Region': '  eu ' }],
    [{ region: 'Grüße, 世界' }, { 'mcp-param-region': base64('Grüße, 世界') }],
    [{ region: ' padded ' }, { 'mcp-param-region': base64(' padded ') }],
    [{ region: '=?base64?x?=' }, { 'mcp-param-region': base64('=?base64?x?=') }],
    [{ region: '=?base64?eA==' }, { 'mcp-param-region': '=?base64?eA==' }],
    [{ region: '' }, { 'mcp-param-region': '' }],
    [{ depth: 42 }, { 'mcp-param-depth': '42' }],
    [{ depth: 42 }, { 'mcp-param-depth': '42.0' }],
    [{ depth: -7 }, { 'mcp-param-depth': '-7' }],
    [{ depth: null }, {}],
    [{ place: { dry: true } }, { 'mcp-param-dry': 'true' }],
    [{ place: {} }, {}],
    [{ region: 'eu' }, { 'mcp-param-region': 'eu', 'mcp-param-unheard-of': 'x' }],
  ];
  for (const [args, headers] of accepted) {
    test(`${JSON.stringify(args)} agrees with ${JSON.stringify(headers)}`, async () => {
      assert.equal(resultOf(await send(args, headers))['status'], 'ok');
    });
  }

  const refused: [unknown, Record<string, string>][] = [
    [{ region: 'eu' }, {}],
    [{ region: 'eu' }, { 'mcp-param-region': 'us' }],
    [{ region: 'eu' }, { 'mcp-param-region': 'EU' }],
    [{}, { 'mcp-param-region': 'eu' }],
    [{ region: 'Hello' }, { 'mcp-param-region': '=?base64?SGVsbG8?=' }],
    [{ region: 'Hello' }, { 'mcp-param-region': '=?base64?SGVs!!!bG8=?=' }],
    [{ region: 'Hello' }, { 'mcp-param-region': '=?BASE64?SGVsbG8=?=' }],
    [{ region: '\ufffd' }, { 'mcp-param-region': '=?base64?/w==?=' }],
    [{ region: 'é' }, { 'mcp-param-region': 'é' }],
    [{ depth: 42 }, { 'mcp-param-depth': '43' }],
    [{ depth: 0 }, { 'mcp-param-depth': '' }],
    [{ depth: null }, { 'mcp-param-depth': 'null' }],
    [{ place: { dry: true } }, { 'mcp-param-dry': 'TRUE' }],
    ['text', { 'mcp-param-region': 'eu' }],
  ];
  for (const [args, headers] of refused) {
    test(`${JSON.stringify(args)} does not agree with ${JSON.stringify(headers)}`, async () => {
      const answer = await send(args, headers);
      assert.equal(answer.status, 400);
      assert.equal(rpcCode(answer), -32020);
    });
  }

  test('a legacy client owes no header', async () => {
    assert.equal(
      resultOf(await world.post('/mcp', call(name, { region: 'eu' }), { 'x-tenant-id': tenantA }))['status'],
      'ok',
    );
  });
});
