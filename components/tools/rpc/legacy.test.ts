import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { legacy } from '../fixtures/requests.ts';
import { rpcCode } from '../fixtures/results.ts';
import { startWorld, type World } from '../fixtures/world.ts';

describe('clients that open with initialize', () => {
  let world: World;
  before(async () => {
    world = await startWorld();
  });
  after(async () => world[Symbol.asyncDispose]());

  test('initialize agrees on what both speak and never on a modern revision', async () => {
    for (const [asked, agreed] of [
      ['2025-06-18', '2025-06-18'],
      ['2025-11-25', '2025-11-25'],
      ['2025-03-26', '2025-11-25'],
      ['2024-11-05', '2025-11-25'],
      ['2026-07-28', '2025-11-25'],
      ['nonsense', '2025-11-25'],
    ] as const) {
      const { status, json, headers } = await world.post('/mcp', legacy('initialize', { protocolVersion: asked }));
      assert.equal(status, 200);
      assert.equal(json['result']?.['protocolVersion'], agreed);
      assert.deepEqual(json['result']?.['capabilities'], { tools: {} });
      assert.deepEqual(json['result']?.['serverInfo'], { name: 'steward', title: 'Steward', version: '0.0.1-test' });
      assert.equal(headers.get('mcp-session-id'), null);
    }
  });

  test('initialize is refused by no header, whatever the client repeats', async () => {
    for (const header of ['2026-07-28', '2025-11-25', 'nonsense']) {
      const answer = await world.post('/mcp', legacy('initialize', { protocolVersion: '2025-11-25' }), {
        'mcp-protocol-version': header,
        'mcp-session-id': 'of another server',
      });
      assert.equal(answer.json['result']?.['protocolVersion'], '2025-11-25', header);
    }
  });

  test('ping and tools/list need no header at all', async () => {
    assert.deepEqual((await world.post('/mcp', legacy('ping'))).json['result'], {});
    const { json } = await world.post('/mcp', legacy('tools/list'), { accept: 'text/plain' });
    assert.deepEqual(Object.keys(json['result'] ?? {}), ['tools']);
  });

  test('a version header that was a revision once is taken, and one that never was is refused with those that are', async () => {
    for (const version of ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', ' 2025-11-25 ']) {
      assert.equal(
        (await world.post('/mcp', legacy('ping'), { 'mcp-protocol-version': version })).status,
        200,
        version,
      );
    }
    for (const version of ['2027-01-01', 'v1', '2025-11-25, 2025-11-25', '']) {
      const answer = await world.post('/mcp', legacy('ping'), { 'mcp-protocol-version': version });
      assert.equal(answer.status, 400, version);
      assert.deepEqual(answer.json['error']?.['data']?.['supported'], ['2026-07-28']);
    }
  });

  test('errors of JSON-RPC travel on 200', async () => {
    for (const [method, params, code] of [
      ['nothing', {}, -32601],
      ['server/discover', {}, -32601],
      ['prompts/list', {}, -32601],
      ['tools/call', {}, -32602],
      ['tools/call', { name: 7 }, -32602],
      ['tools/list', { cursor: 'x' }, -32602],
      ['initialize', { protocolVersion: 7 }, -32602],
    ] as const) {
      const answer = await world.post('/mcp', legacy(method, params));
      assert.equal(answer.status, 200, method);
      assert.equal(rpcCode(answer), code, method);
    }
  });
});
