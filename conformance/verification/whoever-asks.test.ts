import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createWorld, type World } from '@steward/conformance/world';
import { openPool, sql, statement } from '@steward/sql';

describe('verification of a log that nobody touched', () => {
  let world: World;
  before(async () => {
    world = await createWorld();
  });
  after(async () => world[Symbol.asyncDispose]());

  const ways = {
    'a person at the tool endpoint': {},
    'an agent of a person': { agent: 'assistant-1' },
  } as const;
  for (const [who, options] of Object.entries(ways))
    test(`finds nothing after ${who} proposed an action`, async () => {
      const user = `${who.replaceAll(' ', '-')}@example.com`;
      const { tenant } = await world.signUp(user);
      const token = await world.token({ user, ...options });
      const { body } = await world.call(world.server.addresses.mcp, {
        token,
        tenant,
        body: {
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name: 'service_invite_member', arguments: { email: 'bob@example.com', role: 'accountant' } },
        },
      });
      assert.equal(String(body['result']?.['structuredContent']?.['status']), 'pending_approval', JSON.stringify(body));
      const { code, out } = await world.command(['audit', 'verify', '--tenant', tenant]);
      assert.equal(code, 0, out);
    });

  test('finds nothing after a person proposed an action over REST', async () => {
    const { tenant, token } = await world.signUp('rest@example.com');
    const { status, body } = await world.call(`${world.server.addresses.portal}/api/pending-actions`, {
      token,
      tenant,
      body: { tool: 'service_invite_member', arguments: { email: 'bob@example.com', role: 'accountant' } },
    });
    assert.equal(status, 201, JSON.stringify(body));
    const { code, out } = await world.command(['audit', 'verify', '--tenant', tenant]);
    assert.equal(code, 0, out);
  });

  test('finds nothing after an action was shown anew, and tells of what nobody was shown', async () => {
    const user = 'renewed@example.com';
    const { tenant } = await world.signUp(user);
    const token = await world.token({ user, approver: true });
    const portal = async (method: string, path: string, body?: unknown) =>
      world.call(`${world.server.addresses.portal}/api${path}`, {
        token,
        tenant,
        method,
        ...(body === undefined ? {} : { body }),
      });
    const asked = await portal('POST', '/pending-actions', {
      tool: 'service_invite_member',
      arguments: { email: 'bob@example.com', role: 'accountant' },
    });
    const { id, previewHash } = asked.body;
    const policy = (await portal('GET', '/approval-policy')).body;
    const set = await portal('PUT', '/approval-policy', { ...policy, expiryHours: 24 });
    assert.equal(set.status, 200, JSON.stringify(set.body));
    const refused = await portal('POST', `/pending-actions/${String(id)}/approve`, { previewHash });
    assert.equal(String(refused.body['code']), 'stale_preview', JSON.stringify(refused.body));
    const verified = await world.command(['audit', 'verify', '--tenant', tenant]);
    assert.equal(verified.code, 0, verified.out);
    await using admin = openPool({ url: world.db.adminUrl, size: 1 });
    for (const change of [
      `currency = 'USD', amount = 100`,
      `summary = 'Would invite carol.'`,
      `payee = 'carol'`,
      `arguments = '{}', effect_digest = 'another', preview_hash = approvals.preview_hash(tool, '{}', 'another', versions, policy_version, approvals_needed)`,
    ]) {
      const [row] = await admin.query<{ kept: string }>(
        sql`select to_json(a)::text as kept from approvals.action a where action_id = ${String(id)}`,
      );
      await admin.query(statement(`update approvals.action set ${change} where action_id = '${String(id)}'`));
      const { code, out } = await world.command(['audit', 'verify', '--tenant', tenant]);
      assert.notEqual(code, 0, change);
      assert.match(out, /what people were shown of action/, change);
      await admin.query(sql`
        update approvals.action a set (currency, amount, summary, payee, arguments, effect_digest, preview_hash)
          = (k.currency, k.amount, k.summary, k.payee, k.arguments, k.effect_digest, k.preview_hash)
        from json_populate_record(null::approvals.action, ${String(row?.kept)}::json) k where a.action_id = ${String(id)}`);
    }
    assert.equal((await world.command(['audit', 'verify', '--tenant', tenant])).code, 0, 'as it was shown');
    const shown = await portal('GET', `/pending-actions/${String(id)}`);
    const approved = await portal('POST', `/pending-actions/${String(id)}/approve`, {
      previewHash: shown.body['previewHash'],
    });
    assert.equal(String(approved.body['state']), 'executed', JSON.stringify(approved.body));
    assert.equal((await world.command(['audit', 'verify', '--tenant', tenant])).code, 0, 'as it was carried out');
    await admin.query(sql`set session_replication_role = replica`);
    await admin.query(
      sql`update approvals.action set arguments = replace(arguments, 'bob', 'carol') where action_id = ${String(id)}`,
    );
    const { code, out } = await world.command(['audit', 'verify', '--tenant', tenant]);
    assert.notEqual(code, 0);
    assert.match(out, /arguments of action \S+: it says/);
    await admin.query(sql`
      update approvals.action set arguments = '{}', summary = 'Erased.', preview = 'null', result = null, payee = null where action_id = ${String(id)}`);
    const hidden = await world.command(['audit', 'verify', '--tenant', tenant]);
    assert.notEqual(hidden.code, 0, 'nobody was erased');
    assert.match(hidden.out, /erasure of action/);
  });

  test('tells what was made of an action that people refused, and of the facts that they were shown', async () => {
    const user = 'refuses@example.com';
    const { tenant } = await world.signUp(user);
    const token = await world.token({ user, approver: true });
    const portal = async (path: string, body: unknown) =>
      world.call(`${world.server.addresses.portal}/api/pending-actions${path}`, { token, tenant, body });
    const contact = async (name: string): Promise<unknown> => {
      const url = `${world.server.addresses.commerce}/api/contacts`;
      const { body } = await world.call(url, { token, tenant, body: { name } });
      return body['contact']?.['id'];
    };
    const [keep, merge] = [await contact('Bob'), await contact('Rob')];
    const { body: asked } = await portal('', {
      tool: 'service_merge_contacts',
      arguments: { contact_id: keep, duplicate_id: merge },
    });
    const id = String(asked['id']);
    const rejected = await portal(`/${id}/reject`, { reason: 'Not now.' });
    assert.equal(rejected.body['state'], 'rejected', JSON.stringify(rejected.body));
    const verify = async () => world.command(['audit', 'verify', '--tenant', tenant]);
    assert.equal((await verify()).code, 0, 'as it was refused');
    await using admin = openPool({ url: world.db.adminUrl, size: 1 });
    await admin.query(sql`set session_replication_role = replica`);
    const [row] = await admin.query<{ kept: string }>(
      sql`select to_json(a)::text as kept from approvals.action a where action_id = ${id}`,
    );
    for (const change of [
      `summary = 'Would pay 1,000,000 to carol.'`,
      `preview = '{}'`,
      `result = '{}'`,
      `currency = 'USD', amount = 100`,
      `facts = '[]'`,
      `facts = replace(facts, 'Rob', 'Eve')`,
    ]) {
      await admin.query(statement(`update approvals.action set ${change} where action_id = '${id}'`));
      const { code, out } = await verify();
      assert.notEqual(code, 0, change);
      assert.match(out, /what people were shown of action/, change);
      await admin.query(sql`
        update approvals.action a set (currency, amount, summary, preview, result, facts) = (k.currency, k.amount, k.summary, k.preview, k.result, k.facts)
        from json_populate_record(null::approvals.action, ${String(row?.kept)}::json) k where a.action_id = ${id}`);
    }
    assert.equal((await verify()).code, 0, 'as it was refused');
  });
});
