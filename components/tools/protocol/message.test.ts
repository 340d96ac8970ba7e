import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { legacy } from '../fixtures/requests.ts';
import { rpcCode } from '../fixtures/results.ts';
import { startWorld, type World } from '../fixtures/world.ts';

describe('a message', () => {
  let world: World;
  before(async () => {
    world = await startWorld();
  });
  after(async () => world[Symbol.asyncDispose]());

  test('what is not one JSON-RPC request is refused with 400 in either era', async () => {
    for (const [body, code] of [
      ['', -32700],
      ['{', -32700],
      ['{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}', -32700],
      ['{"jsonrpc":"2.0","id":1e400,"method":"ping"}', -32700],
      ['[]', -32600],
      [[legacy('ping')], -32600],
      ['null', -32600],
      ['"ping"', -32600],
      ['{}', -32600],
      [{ jsonrpc: '1.0', id: 1, method: 'ping' }, -32600],
      [{ jsonrpc: '2.0', id: 1, method: 7 }, -32600],
      [{ jsonrpc: '2.0', id: 1.5, method: 'ping' }, -32600],
      [{ jsonrpc: '2.0', id: null, method: 'ping' }, -32600],
      [{ jsonrpc: '2.0', id: {}, method: 'ping' }, -32600],
      [{ jsonrpc: '2.0', id: 1, method: 'ping', params: [] }, -32600],
      [{ jsonrpc: '2.0', id: 1, method: 'ping', params: 'x' }, -32600],
      [{ jsonrpc: '2.0', id: 1, result: {} }, -32600],
    ] as const) {
      const answer = await world.post('/mcp', body);
      assert.equal(answer.status, 400, JSON.stringify(body));
      assert.equal(rpcCode(answer), code, JSON.stringify(body));
      assert.equal(answer.json['jsonrpc'], '2.0');
      assert.equal('id' in answer.json, true);
    }
    assert.equal((await world.post('/mcp', { jsonrpc: '2.0', id: 'a', method: 7 })).json['id'], 'a');
  });

  test('an id is echoed as it was sent', async () => {
    for (const id of [0, -1, 9007199254740991, '', '0', 'é😀\n"', 'x'.repeat(1000)]) {
      assert.deepEqual((await world.post('/mcp', legacy('ping', {}, id))).json['id'], id);
      assert.deepEqual((await world.post('/mcp', legacy('tools/list', {}, id))).json['id'], id);
      assert.deepEqual((await world.post('/mcp', legacy('none', {}, id))).json['id'], id);
    }
  });

  test('a notification is accepted without a word', async () => {
    for (const method of ['notifications/initialized', 'notifications/cancelled', 'tools/call', 'anything']) {
      const answer = await world.post('/mcp', { jsonrpc: '2.0', method });
      assert.equal(answer.status, 202);
      assert.equal(answer.text, '');
    }
  });
});
