import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Client as ClientV2, StreamableHTTPClientTransport as TransportV2 } from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { agent, approvalsApi, members, openSuite, text, type Suite } from '../fixtures/suite.ts';
import type { Json } from '../fixtures/world.ts';

const self = { name: 'test', version: '1.0.0' };

interface Hands extends AsyncDisposable {
  list(): Promise<unknown>;
  call(name: string, args?: Record<string, unknown>): Promise<Json>;
}

type Answered = { structuredContent?: unknown };

describe('official SDK clients', () => {
  let suite: Suite;
  let tenant: string;
  let at: ReturnType<typeof approvalsApi>;
  before(async () => {
    suite = await openSuite();
    tenant = await suite.server.tenant(members);
    at = approvalsApi(suite.server, tenant);
  });
  after(async () => suite[Symbol.asyncDispose]());

  const init = () => ({ requestInit: { headers: { authorization: `Bearer ${agent}`, 'x-tenant-id': tenant } } });

  const v1 = async (): Promise<Hands> => {
    const client = new Client(self);
    const transport = new StreamableHTTPClientTransport(new URL(suite.server.mcp), init());
    await client.connect(transport as Parameters<Client['connect']>[0]);
    return {
      list: async () => client.listTools(),
      call: async (name, args = {}) =>
        ((await client.callTool({ name, arguments: args })) as Answered).structuredContent as Json,
      [Symbol.asyncDispose]: async () => client.close(),
    };
  };

  const v2 = (mode: 'legacy' | { pin: string }, opens?: (url: string) => Promise<void>) => async (): Promise<Hands> => {
    const client = new ClientV2(self, {
      versionNegotiation: { mode },
      ...(opens === undefined ? {} : { capabilities: { elicitation: { url: {} } } }),
    });
    if (opens !== undefined) {
      client.setRequestHandler('elicitation/create', async (request) => {
        const { mode: asked, url } = request.params as { mode?: string; url?: string };
        assert.equal(asked, 'url');
        await opens(url ?? '');
        return { action: 'accept' };
      });
    }
    await client.connect(new TransportV2(new URL(suite.server.mcp), init()));
    return {
      list: async () => client.listTools(),
      call: async (name, args = {}) =>
        ((await client.callTool({ name, arguments: args })) as Answered).structuredContent as Json,
      [Symbol.asyncDispose]: async () => client.close(),
    };
  };

  for (const [title, connect] of Object.entries({
    'version 1': v1,
    'version 2, legacy': v2('legacy'),
    'version 2, pinned to 2026-07-28': v2({ pin: '2026-07-28' }),
  })) {
    test(`${title}: asks, is told that people must approve, follows it and takes it back`, async () => {
      await using hands = await connect();
      await hands.list();
      const asked = await hands.call('service_move_funds', { payee: 'acme', amount: '1.00' });
      assert.equal(text(asked['status']), 'pending_approval');
      const id = text(asked['pending_action_id']);
      const listed = await hands.call('service_list_pending_actions', { state: 'pending' });
      assert.match(JSON.stringify(listed), new RegExp(id));
      await at.approve(id);
      const read = await hands.call('service_get_pending_action', { pending_action_id: id });
      assert.deepEqual(
        [text(read['data']?.['state']), text(read['data']?.['result']?.['summary'])],
        ['executed', 'Paid 1.00 EUR to acme.'],
      );
      const other = await hands.call('service_move_funds', { payee: 'acme', amount: '2.00' });
      const gone = await hands.call('service_withdraw_pending_action', {
        pending_action_id: other['pending_action_id'],
      });
      assert.equal(text(gone['data']?.['state']), 'withdrawn');
      const again = await hands.call('service_withdraw_pending_action', {
        pending_action_id: other['pending_action_id'],
      });
      assert.deepEqual([text(again['status']), text(again['data']?.['state'])], ['ok', 'withdrawn']);
      const late = await hands.call('service_withdraw_pending_action', {
        pending_action_id: asked['pending_action_id'],
      });
      assert.equal(text(late['error_code']), 'not_pending');
    });
  }

  test('a client that opens addresses is sent to the page, and gets the result of what was approved there', async () => {
    const opened: string[] = [];
    const connect = v2({ pin: '2026-07-28' }, async (url) => {
      opened.push(url);
      const id = url.split('/').at(-1) ?? '';
      if (opened.length === 1) assert.equal((await at.approve(id)).status, 200);
    });
    await using hands = await connect();
    await hands.list();
    const done = await hands.call('service_move_funds', { payee: 'opened', amount: '1.00' });
    assert.deepEqual([text(done['status']), text(done['summary'])], ['ok', 'Paid 1.00 EUR to opened.']);
    assert.match(opened[0] ?? '', /\/portal\/approvals\/[0-9a-f-]{36}$/);
    const waiting = await hands.call('service_move_funds', { payee: 'opened', amount: '2.00' });
    assert.equal(text(waiting['status']), 'pending_approval');
    assert.equal(await at.state(text(waiting['pending_action_id'])), 'pending');
  });

  test('what the page was opened for is continued once, by the same caller, with the same arguments', async () => {
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': { elicitation: { url: {} } },
    };
    const send = async (params: object, token = agent): Promise<Json> => {
      const name = 'service_move_funds';
      const answer = await fetch(suite.server.mcp, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${token}`,
          'x-tenant-id': tenant,
          'content-type': 'application/json',
          'mcp-protocol-version': '2026-07-28',
          'mcp-method': 'tools/call',
          'mcp-name': name,
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, _meta: meta, ...params } }),
      });
      return (await answer.json()) as Json;
    };
    const args = { arguments: { payee: 'acme', amount: '3.00' } };
    const asked = await send(args);
    assert.equal(text(asked['result']?.['resultType']), 'input_required');
    const requestState = text(asked['result']?.['requestState']);
    const answers = { requestState, inputResponses: { approval: { action: 'accept' } } };
    const count = async (): Promise<number> =>
      (
        (await suite.server.rest('person:alice', tenant, 'GET', '/pending-actions?limit=200')).body[
          'items'
        ] as unknown as Json[]
      ).length;
    const before = await count();
    for (const refused of [
      await send({ ...args, ...answers }, 'agent:bob'),
      await send({ arguments: { payee: 'acme', amount: '4.00' }, ...answers }),
      await send({ ...args, ...answers, requestState: `${requestState.slice(0, -2)}xx` }),
    ])
      assert.equal(refused['error']?.['code'] as unknown, -32602);
    const first = await send({ ...args, ...answers });
    assert.equal(text(first['result']?.['structuredContent']?.['status']), 'pending_approval');
    const again = await send({ ...args, ...answers });
    assert.equal(text(again['result']?.['structuredContent']?.['error_code']), 'invalid_arguments');
    assert.equal(await count(), before);
  });
});
