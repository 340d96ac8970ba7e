import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import { z } from 'zod';
import { components } from '@steward/server/components';
import { openPool, sql } from '@steward/sql';
import { createWorld, sample, type Answer, type Schema, type World } from '../world/index.ts';

const snakeName = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const code = ({ body }: Answer): string => String(body['code'] ?? 'none');

/** What no command does, so that no policy has two people for it; and what narrows, or finishes what two decided, reviewed one by one. */
const theirs = [
  'DELETE /accounting/api/audit/hold',
  'DELETE /portal/api/agent-grants/{agentId}',
  'DELETE /portal/api/brands/{brandId}',
  'DELETE /portal/api/invitations/{invitationId}',
  'DELETE /portal/api/standing-rules/{id}',
  'PATCH /portal/api/brands/{brandId}',
  'POST /accounting/api/audit/erasures',
  'POST /accounting/api/audit/events',
  'POST /accounting/api/parties/{partyId}/w9/reveal',
  'POST /commerce/api/channels/{channelId}/data-requests/{requestId}/answered',
  'POST /commerce/api/contacts/search',
  'POST /commerce/api/stock/levels',
  'POST /portal/api/agent-grants',
  'POST /portal/api/billing/checkout',
  'POST /portal/api/billing/portal',
  'POST /portal/api/brands',
  'POST /portal/api/external-agent/signup',
  'POST /portal/api/invitations/accept',
  'POST /portal/api/invitations/{invitationId}/secret',
  'POST /portal/api/pending-actions',
  'POST /portal/api/pending-actions/approve',
  'POST /portal/api/pending-actions/{id}/approve',
  'POST /portal/api/pending-actions/{id}/edit',
  'POST /portal/api/pending-actions/{id}/reject',
  'POST /portal/api/pending-actions/{id}/withdraw',
  'POST /portal/api/standing-rules',
  'POST /portal/api/suspensions/restore',
  'PUT /accounting/api/audit/hold',
  'PUT /commerce/api/agent-feeds/{feedId}/token',
  'PUT /portal/api/approval-policy',
  'PUT /portal/api/connections/{connectionId}/secrets',
  'PUT /portal/api/tool-policy',
  'PUT /portal/api/webhooks/{webhookId}/secret',
];

/** What is not proposed with the address and the body of the route: files, a look, and what the tool calls otherwise. */
const otherwise = [
  'DELETE /accounting/api/attachments/{attachmentId}',
  'PATCH /commerce/api/contact-schema',
  'POST /accounting/api/attachments',
  'POST /commerce/api/orders/{orderId}/edits/preview',
  'POST /commerce/api/products/{productId}/media',
  'POST /portal/api/members',
  'PUT /accounting/api/parties/{partyId}/w9',
  'PUT /commerce/api/brands/{brandId}/logo',
];

interface Described {
  readonly 'x-tool'?: string;
  readonly parameters?: readonly { readonly in: string; readonly name: string; readonly schema: Schema }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}

const byName = new Map(components.flatMap((one) => (one.tools ?? []).map((tool) => [tool.name, tool] as const)));

/** What a tool takes, as it spells it: `lines[].quantity` too, and what must be there. */
function argumentsOf(name: string): { readonly paths: ReadonlySet<string>; readonly required: readonly string[] } {
  const tool = byName.get(name);
  assert.ok(tool !== undefined, name);
  const schema = z.toJSONSchema(tool.input, { io: 'input', unrepresentable: 'any' });
  return {
    paths: new Set(pathsIn(schema as Nested, schema as Nested)),
    required: (schema.required ?? []).map(snakeName),
  };
}

interface Nested extends Schema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Nested>>;
  readonly allOf?: readonly Nested[];
}

function pathsIn(schema: Nested, whole: Nested, at = '', depth = 0): string[] {
  if (depth > 12) return [];
  const { $ref, anyOf = [], oneOf = [], allOf = [], properties = {}, items } = schema;
  const below = (one: Nested, place: string): string[] => pathsIn(one, whole, place, depth + 1);
  const referred = $ref === undefined ? undefined : whole.$defs?.[$ref.replace('#/$defs/', '')];
  return [
    ...(referred === undefined ? [] : below(referred, at)),
    ...[...anyOf, ...oneOf, ...allOf].flatMap((one) => below(one, at)),
    ...Object.entries(properties).flatMap(([name, one]) => {
      const place = at === '' ? snakeName(name) : `${at}.${snakeName(name)}`;
      return [place, ...below(one, place)];
    }),
    ...(items === undefined ? [] : below(items, `${at}[]`)),
  ];
}

describe('where two people decide', () => {
  let world: World;
  let tenant: string;
  const user = 'alice@example.com';
  let alice: string;
  let bob: string;
  let carol: string;

  const portal = async (token: string, method: string, path: string, body?: unknown): Promise<Answer> =>
    world.call(`${world.server.addresses.portal}/api${path}`, {
      token,
      tenant,
      method,
      ...(body === undefined ? {} : { body }),
    });
  const accept = async (email: string, secret: unknown): Promise<Answer> =>
    world.call(`${world.server.addresses.portal}/api/invitations/accept`, {
      token: await world.token({ user: email }),
      body: { secret },
    });
  const secretOf = async (token: string, invitation: unknown): Promise<Answer> =>
    portal(token, 'POST', `/invitations/${String(invitation)}/secret`);
  /** An agent of Alice's asks, she and Bob approve. @returns the id of the invitation */
  const invited = async (email: string): Promise<string> => {
    const agent = await world.token({ user, agent: 'assistant-1' });
    const { body } = await world.call(`${world.server.addresses.mcp}/p/portal`, {
      token: agent,
      tenant,
      body: {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'service_invite_member', arguments: { email, role: 'viewer' } },
      },
    });
    const id = String(body['result']?.['structuredContent']?.['pending_action_id']);
    const { previewHash } = (await portal(alice, 'GET', `/pending-actions/${id}`)).body;
    const first = await portal(alice, 'POST', `/pending-actions/${id}/approve`, { previewHash });
    assert.equal(String(first.body['state']), 'pending', JSON.stringify(first.body));
    const second = await portal(bob, 'POST', `/pending-actions/${id}/approve`, { previewHash });
    assert.equal(String(second.body['state']), 'executed', JSON.stringify(second.body));
    return String(second.body['result']?.['data']?.['invitation_id']);
  };
  const ends = async (invitation: string): Promise<string> => {
    const items = (await portal(alice, 'GET', '/invitations')).body['items'] as unknown as Record<string, string>[];
    return String(items.find(({ id }) => id === invitation)?.['expiresAt']);
  };

  before(async () => {
    world = await createWorld();
    ({ tenant } = await world.signUp(user, 'Alice and sons'));
    alice = await world.token({ user, approver: true });
    for (const [email, role] of [
      ['bob@example.com', 'admin'],
      ['carol@example.com', 'owner'],
    ] as const) {
      const { body } = await portal(alice, 'POST', '/invitations', { email, role });
      assert.equal(code(await accept(email, body['secret'])), 'none');
    }
    bob = await world.token({ user: 'bob@example.com', approver: true });
    carol = await world.token({ user: 'carol@example.com', approver: true });
    const policy = (await portal(alice, 'GET', '/approval-policy')).body;
    const tools = { service_invite_member: { fourEyes: true } };
    assert.equal((await portal(alice, 'PUT', '/approval-policy', { ...policy, tools })).status, 200);
  });
  after(async () => world[Symbol.asyncDispose]());

  test('about invitations, one whom the action names makes the secret, once, and the person it is for comes in', async () => {
    const invitation = await invited('dave@example.com');
    const before = await ends(invitation);
    const named = 'insufficient_role';
    assert.equal(code(await secretOf(carol, invitation)), named, 'she neither asked nor approved');
    assert.equal(code(await secretOf(await world.token({ user }), invitation)), 'client_not_approver');
    assert.equal(code(await secretOf(await world.token({ user, agent: 'assistant-1' }), invitation)), 'not_human');
    const made = await secretOf(bob, invitation);
    assert.equal(made.status, 201, JSON.stringify(made.body));
    assert.equal(await ends(invitation), before, 'its time goes on as it was decided');
    for (const token of [alice, bob, carol]) assert.equal(code(await secretOf(token, invitation)), 'conflict');
    assert.equal(code(await accept('dave@example.com', made.body['secret'])), 'none');
    assert.equal(code(await secretOf(bob, invitation)), 'not_found');
  });

  test('about invitations, nobody revives one alone that expired, or was made otherwise; without the policy they do', async () => {
    const invitation = await invited('erin@example.com');
    const url = new URL(world.db.adminUrl);
    url.searchParams.set('options', '-c session_replication_role=replica');
    await using admin = openPool({ url: url.href, size: 1 });
    const expire = sql`
      update portal.invitation set expires_at = clock_timestamp() - interval '1 second' where invitation_id = ${invitation}::uuid`;
    const forge = sql`
      update portal.invitation set action_id = '01900000-0000-7000-8000-000000000000' where invitation_id = ${invitation}::uuid`;
    const { code: whole, out } = await world.command(['audit', 'verify', '--tenant', tenant]);
    assert.equal(whole, 0, out);
    await admin.query(forge);
    assert.equal(code(await secretOf(bob, invitation)), 'insufficient_role', 'a forged action names nobody');
    const told = await world.command(['audit', 'verify', '--tenant', tenant]);
    assert.notEqual(told.code, 0, 'and verification tells of it');
    await admin.query(expire);
    for (const token of [alice, bob, carol]) assert.equal(code(await secretOf(token, invitation)), 'conflict');
    const policy = (await portal(alice, 'GET', '/approval-policy')).body;
    assert.equal((await portal(alice, 'PUT', '/approval-policy', { ...policy, tools: {} })).status, 200);
    const revived = await secretOf(carol, invitation);
    assert.equal(revived.status, 201, JSON.stringify(revived.body));
    assert.equal(code(await accept('erin@example.com', revived.body['secret'])), 'none');
  });

  test('about everything, no route does alone what a tool does, an agent is let in by nobody alone, and any person narrows', async () => {
    const grant = { agentId: 'narrowed', tools: ['service_list_brands'] };
    assert.equal((await portal(alice, 'POST', '/agent-grants', grant)).status, 201);
    const policy = (await portal(alice, 'GET', '/approval-policy')).body;
    const tools = Object.fromEntries(
      components.flatMap((one) =>
        (one.tools ?? [])
          .filter(({ kind, name }) => kind === 'command' && name !== 'service_withdraw_pending_action')
          .map(({ name }) => [name, { tier: 'approval', fourEyes: true }]),
      ),
    );
    assert.equal((await portal(alice, 'PUT', '/approval-policy', { ...policy, tools })).status, 200);
    const wider = { ...grant, tools: ['service_list_brands', 'service_invite_member'] };
    for (const body of [{ agentId: 'newcomer' }, wider])
      assert.equal(code(await portal(alice, 'POST', '/agent-grants', body)), 'approval_required', JSON.stringify(body));
    assert.equal((await portal(alice, 'POST', '/agent-grants', { ...grant, tools: [] })).status, 201);
    assert.equal((await portal(alice, 'DELETE', '/agent-grants/narrowed')).status, 204);

    const reference = await readFile(new URL('../../docs/reference/openapi.json', import.meta.url), 'utf8');
    const { paths } = JSON.parse(reference) as {
      paths: Record<string, Record<string, Described>>;
    };
    const { origin } = new URL(world.server.addresses.portal);
    const done: string[] = [];
    const apart: string[] = [];
    const wrong: string[] = [];
    for (const [path, operations] of Object.entries(paths))
      for (const [method, { requestBody, parameters = [], 'x-tool': tool = '' }] of Object.entries(operations)) {
        if (method === 'get' || !path.includes('/api/')) continue;
        const schema = requestBody?.content['application/json']?.schema;
        const answer = await world.call(origin + path.replaceAll(/\{\w+\}/g, '01900000-0000-7000-8000-000000000000'), {
          token: alice,
          tenant,
          method: method.toUpperCase(),
          ...(schema === undefined ? {} : { body: sample(schema) }),
        });
        const name = `${method.toUpperCase()} ${path}`;
        if (code(answer) !== 'approval_required') {
          done.push(name);
          continue;
        }
        assert.equal(answer.body['tool'], tool, name);
        const named = answer.body['arguments'] as Readonly<Record<string, unknown>> | undefined;
        if (named === undefined) {
          apart.push(name);
          continue;
        }
        const queried = parameters.filter((one) => one.in === 'query');
        const sent = [
          ...queried.map((one) => snakeName(one.name)),
          ...(schema === undefined ? [] : pathsIn(schema, schema)),
        ];
        // A look at what would be is not proposed.
        const given = new Set([...Object.keys(named), ...sent].filter((one) => one !== 'dry_run'));
        const { paths: taken, required } = argumentsOf(tool);
        wrong.push(
          ...[...given].filter((one) => !taken.has(one)).map((one) => `${name}: ${tool} takes no ${one}`),
          ...required.filter((one) => !given.has(one)).map((one) => `${name}: ${tool} needs ${one}`),
        );
      }
    assert.deepEqual(done.toSorted(), theirs.toSorted());
    assert.deepEqual(wrong, []);
    assert.deepEqual(apart.toSorted(), otherwise.toSorted());
  });
});
