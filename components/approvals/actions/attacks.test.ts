import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { newId } from '@steward/kernel';
import { sql } from '@steward/sql';
import { agent, code, approvalsApi, list, members, openSuite, text, type Suite } from '../fixtures/suite.ts';

describe('an approval cannot be had', () => {
  let suite: Suite;
  let tenant: string;
  let at: ReturnType<typeof approvalsApi>;
  before(async () => {
    suite = await openSuite();
  });
  after(async () => suite[Symbol.asyncDispose]());
  beforeEach(async () => {
    tenant = await suite.server.tenant({ ...members, 'ci-bot': 'admin' });
    at = approvalsApi(suite.server, tenant);
  });
  const funds = { payee: 'acme', amount: '10.00' };
  const ask = async (): Promise<{ id: string; hash: string }> => {
    const id = await at.ask('service_move_funds', funds);
    return { id, hash: text((await at.get(id))['previewHash']) };
  };
  const untouched = async (id: string): Promise<void> => {
    assert.deepEqual(await suite.look.payments(tenant), []);
    assert.equal(await at.state(id), 'pending');
  };

  test('by the agent, a machine, a token made for something else, or an old login', async () => {
    const { id, hash } = await ask();
    for (const [token, ...expected] of [
      ['agent:alice', 403, 'not_human'],
      ['agent:bob:other', 403, 'not_human'],
      ['machine:ci-bot', 403, 'not_human'],
      ['signup:alice', 403, 'client_not_approver'],
      ['elsewhere:alice', 403, 'client_not_approver'],
      ['unscoped:alice', 403, 'insufficient_scope'],
      ['old:alice', 401, 'login_too_old'],
    ] as const) {
      for (const [verb, body] of [
        ['approve', { previewHash: hash }],
        ['edit', { previewHash: hash, arguments: funds, approve: true }],
        ['reject', { reason: 'no' }],
      ] as const)
        assert.deepEqual(code(await at.post(id, verb, body, token)), expected, `${token} ${verb}`);
      const batch = { actions: [{ id, previewHash: hash }] };
      assert.deepEqual(
        code(await suite.server.rest(token, tenant, 'POST', '/pending-actions/approve', batch)),
        expected,
        `${token} batch`,
      );
    }
    await untouched(id);
  });

  test('by a tool: none of them approves', async () => {
    const { id, hash } = await ask();
    for (const args of [{ pending_action_id: id }, { pending_action_id: id, previewHash: hash, approve: true }])
      for (const name of ['service_approve_pending_action', 'service_get_pending_action'])
        await suite.server.call(agent, tenant, name, args);
    await untouched(id);
  });

  test('by a role that may not decide, or may not use the tool', async () => {
    const { id, hash } = await ask();
    for (const who of ['dave', 'vera'])
      assert.deepEqual(code(await at.approve(id, `person:${who}`, hash)), [403, 'insufficient_role'], who);
    await untouched(id);
  });

  test('after the approver has lost the role, or left', async () => {
    const { id, hash } = await ask();
    await suite.server.setRole(tenant, 'bob', 'viewer');
    assert.deepEqual(code(await at.approve(id, 'person:bob', hash)), [403, 'insufficient_role']);
    await suite.server.setRole(tenant, 'bob', undefined);
    assert.deepEqual(code(await at.approve(id, 'person:bob', hash)), [403, 'tenant_forbidden']);
    await untouched(id);
  });

  test('for somebody who has lost the role to ask, or left', async () => {
    const id = await at.ask('service_move_funds', funds, 'agent:dave');
    const { previewHash } = (await at.get(id)) as unknown as { previewHash: string };
    await suite.server.setRole(tenant, 'dave', 'viewer');
    const refused = await at.approve(id, 'person:alice', previewHash);
    assert.deepEqual(code(refused), [409, 'stale_preview']);
    assert.equal(text(list(refused.body['errors'])[0]?.['code']), 'insufficient_role');
    await suite.server.setRole(tenant, 'dave', undefined);
    assert.deepEqual(code(await at.approve(id, 'person:alice', previewHash)), [409, 'stale_preview']);
    await untouched(id);
  });

  test('with another preview hash than the one shown', async () => {
    const { id, hash } = await ask();
    const tampered = `${hash.startsWith('A') ? 'B' : 'A'}${hash.slice(1)}`;
    assert.deepEqual(code(await at.approve(id, 'person:alice', tampered)), [409, 'stale_preview']);
    assert.deepEqual(code(await at.post(id, 'approve', {})), [400, 'invalid_request']);
    assert.deepEqual(code(await at.post(id, 'approve', { previewHash: 'x' })), [400, 'invalid_request']);
    await untouched(id);
  });

  test('with a made-up preview hash, which shows nothing anew and is told as what it is', async () => {
    const { id } = await ask();
    const before = await at.get(id);
    const madeUp = 'A'.repeat(43);
    const refused = await at.approve(id, 'person:alice', madeUp);
    assert.deepEqual(code(refused), [409, 'stale_preview']);
    assert.match(text(refused.body['detail']), /previewHash is not that of what the action shows/);
    const batch = { actions: [{ id, previewHash: madeUp }] };
    const { body } = await suite.server.rest('person:alice', tenant, 'POST', '/pending-actions/approve', batch);
    assert.match(text(list(body['errors'])[0]?.['detail']), /previewHash is not that of what the action shows/);
    assert.deepEqual(await at.get(id), before, 'nor is it shown as of another time');
    const types = (await suite.look.events(tenant)).map(({ type }) => text(type));
    assert.ok(types.includes('approvals.action.requested'));
    assert.ok(!types.includes('approvals.action.renewed'));
    await untouched(id);
  });

  test('for arguments that were changed after it was shown', async () => {
    const { id, hash } = await ask();
    const edited = await at.post(id, 'edit', { previewHash: hash, arguments: { ...funds, amount: '900.00' } });
    assert.deepEqual([edited.status, text(edited.body['state'])], [200, 'pending']);
    assert.deepEqual(code(await at.approve(id, 'person:bob', hash)), [409, 'stale_preview']);
    // Somebody who can write to the table changes the arguments under the same hash.
    const again = await ask();
    await suite.look.admin.query(
      sql`update approvals.action set arguments = replace(arguments, '10.00', '900.00') where action_id = ${again.id}`,
    );
    for (let vote = 0; vote < 2; vote += 1)
      assert.deepEqual(code(await at.approve(again.id, 'person:bob')), [409, 'conflict']);
    assert.deepEqual(await suite.look.payments(tenant), []);
  });

  test('after it expired, by the clock of the database', async () => {
    const { id, hash } = await ask();
    await suite.look.admin.query(
      sql`update approvals.action set expires_at = clock_timestamp() where action_id = ${id}`,
    );
    const late = await at.approve(id, 'person:alice', hash);
    assert.deepEqual([...code(late), text(late.body['state'])], [409, 'not_pending', 'expired']);
    assert.deepEqual(code(await at.post(id, 'reject', { reason: 'late' })), [409, 'not_pending']);
    assert.deepEqual(await suite.look.payments(tenant), []);
  });

  test('after the policy has changed: it is shown anew first', async () => {
    const { id, hash } = await ask();
    await at.setPolicy({ tools: { service_move_funds: { fourEyes: true } } });
    const refused = await at.approve(id, 'person:alice', hash);
    assert.deepEqual(code(refused), [409, 'stale_preview']);
    assert.equal(refused.body['action']?.['approvalsNeeded'] as unknown, 2);
    await untouched(id);
    await at.approve(id);
    assert.equal(await at.state(id), 'pending');
    assert.equal(text((await at.approve(id, 'person:carol')).body['state']), 'executed');
  });

  test('in another tenant: its actions answer like those that do not exist', async () => {
    const { id, hash } = await ask();
    const other = await suite.server.tenant({ eve: 'owner' });
    const theirs = approvalsApi(suite.server, other);
    const unknown = newId();
    for (const [verb, body] of [
      ['approve', { previewHash: hash }],
      ['reject', { reason: 'x' }],
      ['edit', { previewHash: hash, arguments: funds }],
      ['withdraw', undefined],
    ] as const) {
      const foreign = await theirs.post(id, verb, body, 'person:eve');
      const missing = await theirs.post(unknown, verb, body, 'person:eve');
      assert.deepEqual(code(foreign), [404, 'not_found'], verb);
      assert.equal(text(foreign.body['detail']), text(missing.body['detail']));
    }
    assert.equal((await suite.server.rest('person:eve', other, 'GET', `/pending-actions/${id}`)).status, 404);
    assert.deepEqual(code(await at.approve(id, 'person:eve', hash)), [403, 'tenant_forbidden']);
    await untouched(id);
  });

  test('by the application login itself: it cannot rewrite what was asked, by whom and when', async () => {
    const { id } = await ask();
    const [row] = await suite.look.admin.query<{ refused: boolean }>(sql`
      select not has_column_privilege(r.rolname, 'approvals.action', 'chain', 'update')
        and not has_column_privilege(r.rolname, 'approvals.action', 'expires_at', 'update')
        and not has_column_privilege(r.rolname, 'approvals.action', 'requester', 'update')
        and not has_table_privilege(r.rolname, 'approvals.action', 'delete')
        and not has_table_privilege(r.rolname, 'approvals.vote', 'update, delete') as refused
      from pg_roles r where r.rolname = current_database() || '_app'`);
    assert.equal(row?.refused, true);
    await untouched(id);
  });

  test('while it is being withdrawn: one of the two happens, and the other is told', async () => {
    for (let round = 0; round < 8; round += 1) {
      const { id, hash } = await ask();
      const before = (await suite.look.payments(tenant)).length;
      const [approved, withdrawn] = await Promise.all([
        at.approve(id, 'person:bob', hash),
        at.post(id, 'withdraw', undefined, agent),
      ]);
      assert.deepEqual([approved.status, withdrawn.status].toSorted(), [200, 409]);
      const state = await at.state(id);
      assert.equal(state, approved.status === 200 ? 'executed' : 'withdrawn');
      assert.equal((await suite.look.payments(tenant)).length - before, state === 'executed' ? 1 : 0);
    }
  });
});
