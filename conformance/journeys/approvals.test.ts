import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createWorld, type Answer, type Json, type World } from '@steward/conformance/world';

describe('approvals over the whole server', () => {
  let world: World;
  let tenant: string;
  let owner: string;
  let agent: string;
  let approver: string;
  before(async () => {
    world = await createWorld();
    ({ tenant, token: owner } = await world.signUp('owner@example.com', 'Approving'));
    agent = await world.token({ user: 'owner@example.com', agent: 'assistant-1' });
    approver = await world.token({ user: 'owner@example.com', approver: true });
  });
  after(async () => world[Symbol.asyncDispose]());

  const rest = async (token: string, method: string, path: string, body?: unknown): Promise<Answer> =>
    world.call(`${world.server.addresses.portal}/api${path}`, {
      token,
      tenant,
      method,
      ...(body === undefined ? {} : { body }),
    });
  const rename = async (name: string, token = agent): Promise<Json> => {
    const params = { name: 'service_update_organization', arguments: { name } };
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
    const answer = await world.call(world.server.addresses.mcp, { token, tenant, body });
    return answer.body['result']?.['structuredContent'] as Json;
  };
  const nameNow = async (): Promise<string> => String((await rest(owner, 'GET', '/organization')).body['name']);
  const code = (answer: Answer): unknown[] => [answer.status, answer.body['code']];

  test('an agent asks, cannot approve itself by any token it may hold, and its owner decides', async () => {
    const { body: policy } = await rest(approver, 'GET', '/approval-policy');
    const gated = { ...policy, tools: { service_update_organization: { tier: 'approval' } } };
    assert.deepEqual(code(await rest(agent, 'PUT', '/approval-policy', gated)), [403, 'not_human']);
    assert.deepEqual(code(await rest(owner, 'PUT', '/approval-policy', gated)), [403, 'client_not_approver']);
    assert.equal((await rest(approver, 'PUT', '/approval-policy', gated)).status, 200);

    const asked = await rename('Renamed');
    assert.equal(String(asked['status']), 'pending_approval', JSON.stringify(asked));
    const id = String(asked['pending_action_id']);
    const shown = (await rest(approver, 'GET', `/pending-actions/${id}`)).body;
    const decision = { previewHash: shown['previewHash'] };
    const machine = await world.token({ client: 'ci-bot' });
    for (const [token, ...expected] of [
      [agent, 403, 'not_human'],
      [owner, 403, 'client_not_approver'],
      [machine, 403, 'not_human'],
    ] as const)
      assert.deepEqual(code(await rest(token, 'POST', `/pending-actions/${id}/approve`, decision)), expected);
    assert.equal(await nameNow(), 'Approving');

    const approved = await rest(approver, 'POST', `/pending-actions/${id}/approve`, decision);
    assert.deepEqual(
      [approved.status, String(approved.body['state'])],
      [200, 'executed'],
      JSON.stringify(approved.body),
    );
    assert.equal(await nameNow(), 'Renamed');

    const audit = await world.call(`${world.server.addresses.accounting}/api/audit/events?limit=50`, {
      token: owner,
      tenant,
    });
    const events = (audit.body['items'] as unknown as Json[]).map((event) => String(event['type']));
    for (const type of [
      'tools.call.denied',
      'approvals.action.requested',
      'approvals.action.approved',
      'approvals.action.executed',
    ])
      assert.ok(events.includes(type), `${type} in ${events.join()}`);
  });

  test('a list in short has the same actions, and of each what a list shows', async () => {
    await rename('In short');
    const listed = async (path: string): Promise<Json> =>
      (await rest(owner, 'GET', `/pending-actions${path}?state=pending&limit=1`)).body;
    const [whole, short] = [await listed(''), await listed('/summaries')];
    const [[action = {}], [summary = {}]] = [whole, short].map(({ items }) => items as unknown as Json[]) as [
      Json[],
      Json[],
    ];
    assert.deepEqual(short['nextCursor'], whole['nextCursor']);
    assert.deepEqual(summary, Object.fromEntries(Object.keys(summary).map((name) => [name, action[name]])));
    assert.ok(['id', 'summary', 'amount', 'names', 'available'].every((name) => name in summary));
    assert.ok(!['arguments', 'preview', 'facts', 'result'].some((name) => name in summary));
    assert.equal((await rest(agent, 'GET', '/pending-actions/summaries')).status, 200);
  });

  test('who asks stands by the id that nobody chose, and beside it by the name that the client registered with', async () => {
    const { body: client } = await world.call(`${world.server.addresses.issuer}/register`, {
      body: { client_name: 'owner@example.com', redirect_uris: ['https://assistant.example/back'] },
    });
    const id = String(client['client_id']);
    const asked = await rename('Asked by name', await world.token({ user: 'owner@example.com', agent: id }));
    const { body: action } = await rest(approver, 'GET', `/pending-actions/${String(asked['pending_action_id'])}`);
    const asking = (action['requestedBy'] as unknown as Json[]).map((one) => String(one['id']));
    assert.equal(asking.at(-1), id);
    assert.deepEqual(action['agentNames'], { [id]: 'owner@example.com' });
    assert.ok(!Object.hasOwn(action['names'] ?? {}, id), 'among members it has no name');
    const [unnamed] = (await rest(approver, 'GET', '/pending-actions?state=executed&limit=1')).body[
      'items'
    ] as unknown as Json[];
    assert.deepEqual(unnamed?.['agentNames'], {});
  });

  test('what its page says is the same for whoever opens it, and decides nothing', async () => {
    const id = String((await rename('Opened'))['pending_action_id']);
    const pages = await Promise.all(
      [id, '0190a0a0-0000-7000-8000-00000000000a'].map(async (one) => {
        const answer = await fetch(`${world.server.addresses.portal}/approvals/${one}`);
        assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, 'text/html; charset=utf-8']);
        assert.match(answer.headers.get('content-security-policy') ?? '', /default-src 'none'/);
        return (await answer.text()).replaceAll(one, 'ID');
      }),
    );
    assert.equal(pages[0], pages[1]);
    assert.equal((await fetch(`${world.server.addresses.portal}/approvals/<script>`)).status, 404);
    assert.equal(await nameNow(), 'Renamed');
  });

  test('is said in another server too, and a changed policy counts there within a second', async () => {
    await using other = await world.beside();
    const token = await world.token({ user: 'owner@example.com', agent: 'assistant-1' }, other);
    const there = async (): Promise<string> => {
      const params = { name: 'service_update_organization', arguments: { name: 'Renamed elsewhere' } };
      const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
      const answer = await world.call(other.addresses.mcp, { token, tenant, body });
      return String(answer.body['result']?.['structuredContent']?.['status']);
    };
    assert.equal(await there(), 'pending_approval');
    const { body: policy } = await rest(approver, 'GET', '/approval-policy');
    assert.equal((await rest(approver, 'PUT', '/approval-policy', { ...policy, tools: {} })).status, 200);
    assert.equal(String((await rename('Renamed'))['status']), 'ok');
    const until = performance.now() + 1_500;
    while ((await there()) !== 'ok') assert.ok(performance.now() < until, 'the other server still waits for approval');
  });
});
