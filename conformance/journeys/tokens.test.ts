import assert from 'node:assert/strict';
import { request } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { makeServiceToken } from '@steward/identity';
import { createWorld, signed, waysIn, type Answer, type Json, type World } from '../world/index.ts';

const list = (json: Json | undefined): Json[] => (json ?? []) as unknown as Json[];

/** The code of a refusal by either kind of door; `none` where it was done. */
const code = ({ body }: Answer): string =>
  String(body['code'] ?? list(body['errors'])[0]?.['extensions']?.['code'] ?? 'none');

describe('what a token does not prove, it does not open', () => {
  let world: World;
  let tenant: string;
  let owner: string;
  const user = 'owner@example.com';
  const service = makeServiceToken('jobs');
  before(async () => {
    world = await createWorld({ SERVICE_TOKENS: service.entry });
    ({ tenant, token: owner } = await world.signUp(user));
  });
  after(async () => world[Symbol.asyncDispose]());

  const portal = async (path: string, token: string, options: object = {}): Promise<Answer> =>
    world.call(`${world.server.addresses.portal}/api${path}`, { token, tenant, ...options });
  const tool = async (token: string, name: string, args: object = {}, at?: string): Promise<Json> => {
    const params = { name, arguments: args };
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
    const named = at === undefined ? {} : { tenant: at };
    const answer = await world.call(world.server.addresses.mcp, { token, body, ...named });
    return answer.body['result']?.['structuredContent'] ?? answer.body;
  };
  const toolNames = async (token: string): Promise<string[]> => {
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    const answer = await world.call(world.server.addresses.mcp, { token, tenant, body });
    return list(answer.body['result']?.['tools']).map(({ name }) => String(name));
  };

  test('a token without a client acts as the agent `unknown`, which is granted, narrowed and shut out like any', async () => {
    const nameless = await signed(world, owner, { client_id: undefined });
    const approver = await world.token({ user, approver: true });
    const grant = async (terms: object): Promise<void> =>
      assert.equal(code(await portal('/agent-grants', approver, { body: { agentId: 'unknown', ...terms } })), 'none');
    assert.ok((await toolNames(nameless)).length > 20);
    const policy = async (): Promise<Json> => (await portal('/tool-policy', approver)).body;
    const need = { method: 'PUT', body: { ...(await policy()), agentsNeedGrant: true } };
    assert.equal(code(await portal('/tool-policy', approver, need)), 'none');
    assert.equal(code(await portal('/members', nameless)), 'none', 'a person, over REST');
    const bootstrap = await toolNames(nameless);
    assert.deepEqual(bootstrap.toSorted(), ['service_list_orgs', 'service_set_org', 'service_whoami']);
    await grant({ tools: ['service_list_accounts'] });
    assert.deepEqual((await toolNames(nameless)).toSorted(), ['service_list_accounts', ...bootstrap].toSorted());
    assert.equal(code(await portal('/members', nameless)), 'not_human');
    const shut = await portal('/agent-grants/unknown', owner, { method: 'DELETE' });
    assert.equal(shut.status, 204);
    assert.deepEqual((await toolNames(nameless)).toSorted(), bootstrap);
    assert.equal(code(await portal('/members', nameless)), 'tenant_forbidden');
    const loose = { method: 'PUT', body: { ...(await policy()), agentsNeedGrant: false } };
    assert.equal(code(await portal('/tool-policy', approver, loose)), 'none');
    assert.deepEqual((await toolNames(nameless)).toSorted(), bootstrap, 'and stays so');
  });

  test('a token that names two clients is refused', async () => {
    const approver = await world.token({ user, approver: true });
    for (const [base, changes] of [
      [owner, { azp: 'steward-console' }],
      [approver, { azp: 'steward-cli' }],
      [approver, { client_id: undefined, azp: 'steward-cli', cid: 'steward-console' }],
    ] as const)
      assert.equal((await portal('/members', await signed(world, base, changes))).status, 401);
  });

  test('a token bound to a tenant lists that one alone, and leads into no other', async () => {
    const second = await world.signUp(user, 'The second');
    const bound = await world.token({ user, tenant });
    const ids = (found: Json | undefined): string[] => list(found).map(({ id }) => String(id));
    assert.deepEqual(ids((await portal('/organizations', bound)).body['items']), [tenant]);
    assert.deepEqual(
      ids((await portal('/organizations', owner)).body['items']).toSorted(),
      [tenant, second.tenant].toSorted(),
    );
    const listed = await tool(bound, 'service_list_orgs');
    assert.deepEqual(ids(listed['data']?.['organizations']), [tenant]);
    assert.equal(
      String((await tool(bound, 'service_set_org', { tenant_id: second.tenant }))['error_code']),
      'tenant_mismatch',
    );
    assert.equal(String((await tool(bound, 'service_whoami'))['data']?.['organization']?.['id']), tenant);
    const elsewhere = { tenant: second.tenant };
    assert.equal(code(await portal('/organization', bound, elsewhere)), 'tenant_mismatch');
    const graph = `${world.server.addresses.accounting}/graphql`;
    const asked = await world.call(graph, { token: bound, ...elsewhere, body: { query: '{ __typename }' } });
    assert.equal(code(asked), 'tenant_mismatch');
    const signup = await world.call(`${world.server.addresses.portal}/api/external-agent/signup`, {
      token: bound,
      body: { organizationName: 'The second' },
      headers: { 'idempotency-key': `world-${user}-The second` },
    });
    assert.deepEqual([signup.status, code(signup)], [403, 'signup_not_allowed']);
  });

  test('a service token ingests audit events on the public listener, and does nothing else there', async () => {
    const ways = await waysIn(world, owner, tenant);
    const done: string[] = [];
    for (const way of ways) {
      const answer = await way.go(service.token);
      const refused = ['insufficient_role', 'not_human', 'tenant_forbidden'].includes(code(answer));
      if (!refused) done.push(way.name);
      else assert.equal(answer.status === 403 || way.name.includes('.'), true, way.name);
    }
    assert.deepEqual(done.toSorted(), ['Mutation.ingestAuditEvent', 'POST /accounting/api/audit/events']);
    assert.deepEqual((await portal('/organizations', service.token)).body, { items: [] });
    const signup = await world.call(`${world.server.addresses.portal}/api/external-agent/signup`, {
      token: service.token,
      body: { organizationName: 'Machines' },
      headers: { 'idempotency-key': 'service-signs-up' },
    });
    assert.equal(code(signup), 'machine_principal');
    assert.deepEqual((await toolNames(service.token)).toSorted(), [
      'service_list_orgs',
      'service_set_org',
      'service_whoami',
    ]);
  });

  test('metrics are for programs of this machine: another name that leads there is refused', async () => {
    const { port } = new URL(world.server.internalUrl);
    const as = async (host: string): Promise<number | undefined> =>
      new Promise((resolve, reject) => {
        request({ port, host: '127.0.0.1', path: '/metrics', headers: { host } }, (answer) => {
          answer.resume();
          resolve(answer.statusCode);
        })
          .on('error', reject)
          .end();
      });
    assert.deepEqual(
      await Promise.all([`127.0.0.1:${port}`, 'localhost:9090', `evil.example:${port}`].map(as)),
      [200, 200, 421],
    );
  });
});
