import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { tenantA } from '../fixtures/callers.ts';
import { catalogue } from '../fixtures/catalogue.ts';
import { call, mirrors, modern } from '../fixtures/requests.ts';
import { codeOf, resultOf, rpcCode } from '../fixtures/results.ts';
import { startWorld, type Json, type World } from '../fixtures/world.ts';
import { tool } from '../catalogue/tool.ts';

const name = 'service_confirm_thing';

describe('a tool that asks back', () => {
  let world: World;
  before(async () => {
    const asking = tool({
      ...(catalogue[0] as (typeof catalogue)[0]),
      name,
      kind: 'query',
      run: ({ answers, remembered }) =>
        answers['sure']?.['action'] === 'accept' && remembered === 'asked'
          ? { summary: 'Confirmed.', data: { things: [], tenant: '' } }
          : { ask: { sure: { method: 'elicitation/create', params: { message: 'Sure?' } } }, remember: 'asked' },
    });
    world = await startWorld({ catalogue: [asking] });
  });
  after(async () => world[Symbol.asyncDispose]());
  const ask = async (
    params: Record<string, unknown> = {},
    headers: Record<string, string> = {},
    capabilities: Record<string, unknown> = { elicitation: {} },
  ) =>
    world.post('/mcp', modern('tools/call', { name, ...params }, capabilities), {
      ...mirrors('tools/call', name),
      'x-tenant-id': tenantA,
      ...headers,
    });
  const sure = { sure: { action: 'accept', content: {} } };

  test('gets its answer with what it wanted to remember', async () => {
    const first = (await ask()).json['result'] ?? {};
    assert.equal(String(first['resultType']), 'input_required');
    assert.deepEqual(first['inputRequests'], { sure: { method: 'elicitation/create', params: { message: 'Sure?' } } });
    const requestState: Json | undefined = first['requestState'];
    assert.equal(resultOf(await ask({ inputResponses: sure, requestState }))['summary'], 'Confirmed.');
    const without = (await ask({ inputResponses: sure })).json['result'] ?? {};
    assert.equal(String(without['resultType']), 'input_required');
    for (const [params, headers] of [
      [{ inputResponses: sure, requestState: `${String(requestState)}x` }, {}],
      [{ inputResponses: sure, requestState, arguments: { limit: 7 } }, {}],
      [{ inputResponses: sure, requestState: 7 }, {}],
      [{ inputResponses: sure, requestState }, { authorization: 'Bearer victor' }],
      [{ inputResponses: null }, {}],
      [{ inputResponses: { sure: 'yes' } }, {}],
    ] as const) {
      const answer = await ask(params, headers);
      assert.deepEqual([answer.status, rpcCode(answer)], [400, -32602], JSON.stringify(params).slice(0, 80));
    }
  });

  test('asks only what the client said it can be asked', async () => {
    for (const capabilities of [{}, { sampling: {} }, { elicitation: true }]) {
      const answer = await ask({}, {}, capabilities);
      assert.deepEqual([answer.status, rpcCode(answer)], [400, -32021]);
      assert.deepEqual(answer.json['error']?.['data'], { requiredCapabilities: { elicitation: {} } });
    }
    assert.equal(codeOf(await world.post('/mcp', call(name), { 'x-tenant-id': tenantA })), 'input_unsupported');
  });
});
