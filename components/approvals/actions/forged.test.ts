import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { after, before, beforeEach, describe, test } from 'node:test';
import { newId } from '@steward/kernel';
import { sql, statement } from '@steward/sql';
import { createSeals } from '../seal.ts';
import { agent, approvalsApi, code, list, members, openSuite, text, type Suite } from '../fixtures/suite.ts';
import { actionOf, asked, ending, selectAction, type Action } from './action.ts';
import { presentAction, undecided } from './present.ts';
import { describedAction } from './schema.ts';
import { isAsAsked, isSealed, selectEdits } from './words.ts';

describe('what the application’s own login writes past the application', () => {
  let suite: Suite;
  let tenant: string;
  let at: ReturnType<typeof approvalsApi>;
  before(async () => {
    suite = await openSuite();
  });
  after(async () => suite[Symbol.asyncDispose]());
  beforeEach(async () => {
    tenant = await suite.server.tenant(members);
    at = approvalsApi(suite.server, tenant);
  });
  const commit = async (...statements: readonly string[]): Promise<void> =>
    suite.server.pool.withClient(async (client) => {
      await client.query(
        ['begin', `set local app.tenant_id = '${tenant}'`, ...statements, 'commit'].map((one) => `${one};`).join(' '),
      );
    });
  const payment = { payee: 'acme', amount: '10.00', currency: 'EUR' };
  const rule = (id: string): string =>
    `insert into approvals.standing_rule (tenant_id, rule_id, tool, currency, most, valid_until, created_by)
      values ('${tenant}', '${id}', 'service_move_funds', 'EUR', 100000, clock_timestamp() + interval '1 day', 'alice')`;
  /** The state an approved action comes to once a worker has taken it up. */
  const takenUp = async (id: string): Promise<string> => {
    await using _worker = await suite.worker();
    for (;;) {
      const state = await at.state(id);
      if (state !== 'approved') return state;
      await sleep(20);
    }
  };
  const causes = async (): Promise<unknown[]> =>
    (await suite.look.events(tenant)).flatMap(({ type, payload }) =>
      text(type) === 'approvals.action.returned' ? [payload?.['cause']] : [],
    );

  test('are no votes: an action that they approved is shown anew and not carried out', async () => {
    const id = await at.ask('service_pay_supplier', payment);
    const vote = (by: string, seal: string): string =>
      `insert into approvals.vote (tenant_id, action_id, preview_hash, approver_id, seal)
        select tenant_id, action_id, preview_hash, '${by}', ${seal} from approvals.action where action_id = '${id}'`;
    await at.approve(id, 'person:alice');
    await commit(
      // The seal of a vote that was cast is of that vote alone.
      vote('bob', `(select seal from approvals.vote v where v.action_id = '${id}' and v.approver_id = 'alice')`),
      vote('carol', `''`),
      `update approvals.action set state = 'approved', decided_at = clock_timestamp(), lease_until = clock_timestamp() where action_id = '${id}'`,
    );
    assert.equal(await takenUp(id), 'pending');
    assert.deepEqual(await causes(), ['votes_missing']);
    assert.deepEqual(await suite.look.payments(tenant), []);
    // Nor are they beside one that is cast.
    assert.equal(text((await at.approve(id, 'person:alice')).body['code']), 'already_approved');
    assert.equal(await at.state(id), 'pending');
  });

  test('are no votes that anybody is shown, nor who decided it, whenever they say they were cast', async () => {
    await at.setPolicy({ newPayeeFourEyes: false, fourEyesAbove: [{ amount: '100.00', currency: 'EUR' }] });
    const id = await at.ask('service_pay_supplier', payment);
    await commit(
      `insert into approvals.vote (tenant_id, action_id, preview_hash, approver_id, voted_at)
        select tenant_id, action_id, preview_hash, 'bob', clock_timestamp() + interval '30 seconds' from approvals.action where action_id = '${id}'`,
    );
    const shown = await at.get(id);
    assert.deepEqual(list(shown['approvals']), []);
    assert.equal(shown['names']?.['bob'], undefined);
    const { body } = await at.approve(id, 'person:alice');
    assert.deepEqual([body['state'], body['decidedBy']] as unknown, ['executed', 'alice']);
    assert.deepEqual(
      list(body['approvals']).map(({ approver }) => approver),
      ['alice'],
    );
    const events = await suite.look.events(tenant);
    const approvers = events.flatMap(({ type, payload }) =>
      text(type) === 'approvals.action.executed' ? [payload?.['approvers']] : [],
    );
    assert.deepEqual(approvers, [['alice']]);
  });

  test('are no words: nobody approves what somebody else had an action say, and it is shown as it is', async () => {
    const forgeries = [
      `summary = 'Would pay 1.00 EUR to Acme.'`,
      `preview = '{"payee":"Acme"}'`,
      `facts = '[{"noun":"party","id":"acme","name":"Acme","before":{"iban":"DE89370400440532013000"}}]'`,
      `amount = 100`,
      `currency = 'USD'`,
      `drift = '[{"pointer":"/payee","before":"Beta","after":"Acme"}]'`,
      `reasons = '{four_eyes_always}'`,
      `shown_at = shown_at - interval '1 day'`,
      `seal = (select seal from approvals.action other where other.action_id <> a.action_id limit 1)`,
      `seal = null`,
    ];
    await at.setPolicy({ newPayeeFourEyes: false, fourEyesAbove: [{ amount: '1000.00', currency: 'EUR' }] });
    await at.ask('service_pay_supplier', payment);
    for (const forgery of forgeries) {
      const id = await at.ask('service_pay_supplier', payment);
      const before = await at.get(id);
      await commit(`update approvals.action a set ${forgery} where action_id = '${id}'`);
      const refused = await at.approve(id, 'person:alice');
      assert.equal(text(refused.body['code']), 'stale_preview', forgery);
      const after = await at.get(id);
      for (const member of ['summary', 'preview', 'facts', 'amount', 'previewHash', 'reasons'])
        assert.deepEqual(after[member], before[member], `${forgery}: ${member}`);
      assert.equal(text((await at.approve(id, 'person:alice')).body['state']), 'executed', forgery);
    }
  });

  test('hides no reason why two people decide: the first of them is shown it again', async () => {
    const id = await at.ask('service_pay_supplier', payment);
    const { reasons } = await at.get(id);
    assert.deepEqual(reasons as unknown, ['no_limit_for_currency', 'new_payee']);
    await commit(`update approvals.action set reasons = '{no_limit_for_currency}' where action_id = '${id}'`);
    assert.equal(text((await at.approve(id, 'person:alice')).body['code']), 'stale_preview');
    assert.deepEqual((await at.get(id))['reasons'], reasons);
  });

  const columnsOf = async (): Promise<string[]> =>
    (
      await suite.look.admin.query<{ name: string }>(
        statement(
          `select column_name as name from information_schema.columns where table_schema = 'approvals' and table_name = 'action'`,
          [],
        ),
      )
    ).map(({ name }) => name);

  test('puts nobody in the place of who asked: what was asked otherwise is refused each time and never carried out', async () => {
    await at.setPolicy({ newPayeeFourEyes: false, fourEyesAbove: [{ amount: '100.00', currency: 'EUR' }] });
    const id = await at.ask('service_pay_supplier', payment);
    const forgeries: Readonly<Record<string, string>>[] = [
      { chain: `'[{"type":"user","id":"bob"},{"type":"agent","id":"assistant-1"}]'`, subject_id: `'bob'` },
      { chain: `'[{"type":"user","id":"bob"}]'`, subject_id: `'bob'`, agent_id: 'null', client_id: 'null' },
      { agent_id: `'another'` },
      { client_id: `'another'` },
      { expires_at: `expires_at + interval '1 day'` },
      { requested_at: `requested_at - interval '10 seconds'` },
      { correlation_id: `'another'` },
      { asked_digest: `'another'` },
      { asked_seal: 'null' },
      { asked_seal: 'null', seal: 'null' },
      // Its very words, under another id.
      {},
    ];
    for (const forgery of forgeries) {
      const copied = newId();
      const copy = async (): Promise<void> => {
        const changed: Readonly<Record<string, string>> = { ...forgery, action_id: `'${copied}'` };
        const all = await columnsOf();
        await commit(
          `insert into approvals.action (${all.join(', ')}) select ${all.map((name) => changed[name] ?? name).join(', ')}
            from approvals.action where action_id = '${id}'`,
        );
      };
      await copy();
      for (let vote = 0; vote < 2; vote += 1) {
        const { status, body } = await at.approve(copied, 'person:alice');
        assert.deepEqual([status, body['code']] as unknown, [409, 'conflict'], JSON.stringify(forgery));
      }
      assert.equal(await at.state(copied), 'pending');
    }
    assert.deepEqual(await suite.look.payments(tenant), []);
    assert.equal(text((await at.approve(id, 'person:alice')).body['state']), 'executed', 'and what was asked is');
  });

  test('rewrites no arguments either: without a seal, what was asked is refused each time and never carried out', async () => {
    await at.setPolicy({ newPayeeFourEyes: false, fourEyesAbove: [{ amount: '1000.00', currency: 'EUR' }] });
    const id = await at.ask('service_pay_supplier', payment);
    await suite.look.admin.query(sql`
      with forged as (select replace(arguments, '10.00', '900.00') as arguments from approvals.action where action_id = ${id})
      update approvals.action a set arguments = f.arguments, asked_seal = null, seal = null,
        preview_hash = approvals.preview_hash(tool, f.arguments, effect_digest, versions, policy_version, approvals_needed)
      from forged f where action_id = ${id}`);
    for (let vote = 0; vote < 2; vote += 1)
      assert.deepEqual(code(await at.approve(id, 'person:alice')), [409, 'conflict']);
    const { previewHash } = await at.get(id);
    assert.deepEqual(code(await at.post(id, 'edit', { previewHash, arguments: payment })), [409, 'conflict']);
    assert.deepEqual(await suite.look.payments(tenant), []);
    assert.equal(text((await at.post(id, 'reject', { reason: 'forged' })).body['state']), 'rejected');
  });

  test('acts as nobody else either where a standing rule decided', async () => {
    const id = await at.ask('service_move_funds', { payee: 'acme', amount: '10.00' });
    const { body } = await suite.server.rest('person:alice', tenant, 'POST', '/standing-rules', {
      tool: 'service_move_funds',
      upTo: { amount: '100.00', currency: 'EUR' },
      validUntil: new Date(Date.now() + 86_400_000).toISOString(),
    });
    await suite.look.admin.query(sql`
      update approvals.action set chain = '[{"type":"user","id":"bob"}]', subject_id = 'bob', agent_id = null, client_id = null, state = 'approved',
        rule_id = ${text(body['id'])}, decided_at = clock_timestamp(), lease_until = clock_timestamp() where action_id = ${id}`);
    assert.equal(await takenUp(id), 'pending');
    assert.equal(text((await at.approve(id, 'person:carol')).body['code']), 'conflict');
    assert.deepEqual(await suite.look.payments(tenant), []);
  });

  test('changes nothing of what people changed: an edit that nobody made, or another one, is refused', async () => {
    await at.setPolicy({ newPayeeFourEyes: false, fourEyesAbove: [{ amount: '100.00', currency: 'EUR' }] });
    const edit = (id: string): string =>
      `insert into approvals.edit (tenant_id, action_id, number, editor_id, difference)
        select '${tenant}', '${id}', count(*) + 1, 'bob', '[]' from approvals.edit where action_id = '${id}'`;
    for (const edited of [false, true]) {
      const id = await at.ask('service_pay_supplier', payment);
      if (edited) {
        const { previewHash } = await at.get(id);
        const changed = await at.post(id, 'edit', { previewHash, arguments: { ...payment, amount: '11.00' } });
        assert.equal(changed.status, 200, JSON.stringify(changed.body));
      }
      await commit(edit(id));
      for (let vote = 0; vote < 2; vote += 1)
        assert.equal(text((await at.approve(id, 'person:alice')).body['code']), 'conflict');
      const { previewHash } = await at.get(id);
      const again = await at.post(id, 'edit', { previewHash, arguments: payment });
      assert.equal(text(again.body['code']), 'conflict');
      assert.equal(text((await at.post(id, 'reject', { reason: 'forged' })).body['state']), 'rejected');
    }
  });

  test('is in nothing that people are shown of an action: each member has a seal, or follows from what has', async () => {
    const id = await at.ask('service_pay_supplier', payment);
    const [row] = await suite.look.admin.query(selectAction(tenant, id));
    const [edits] = await suite.look.admin.query(selectEdits(tenant, id));
    assert.ok(row !== undefined);
    const deps = { seals: createSeals(new Uint8Array(32).fill(9)), portal: 'https://portal.example' };
    const action = actionOf(row);
    const holds = (one: Action, made = edits): boolean =>
      isSealed(deps, tenant, one) && isAsAsked(deps, tenant, one, made);
    assert.ok(holds(action));
    const otherwise: Readonly<Record<string, string>> = {
      state: 'what is not pending is not decided, and what comes of that is held to its events',
      approvals: 'each has the seal of its vote, or it is not shown',
      argumentsDigest: 'made of the arguments',
      url: 'made of the id',
      title: 'the tool’s own',
      final: 'the tool’s own',
      names: 'of members, which are behind a wall and held to their events',
      agentNames: 'of clients, which no row has, beside their ids, which are sealed',
      available: 'of members and of the policy, which has a seal',
    };
    const told = presentAction(deps, tenant, {
      ...row,
      approvals: [],
      edits: [],
      decided_by: 'bob',
      reason: 'fine',
      error_code: 'none',
      result: '{"summary":"Paid."}',
      rule_id: newId(),
      decided_at: new Date(),
      settled_at: new Date(),
    });
    for (const member of Object.keys(describedAction.shape)) {
      if (member in otherwise) continue;
      if (member in undecided) assert.equal(told[member as keyof typeof told], null, member);
      else if (member === 'edits') assert.ok(!holds(action, { edits: [{ editor: 'bob' }] }), member);
      else {
        assert.ok(member in asked.answer.shape || member in ending.answer.shape, `${member}: is it sealed?`);
        assert.ok(!holds({ ...action, [member]: 'another' }), `${member} can be rewritten`);
      }
    }
  });

  test('is no policy: the strictest holds until an owner sets one', async () => {
    const document = JSON.stringify({
      soleApprover: true,
      newPayeeFourEyes: false,
      fourEyesAbove: [{ amount: '1000000.00', currency: 'EUR' }],
    });
    await commit(`insert into approvals.policy (tenant_id, version, document) values ('${tenant}', 1, '${document}')`);
    const { body } = await suite.server.rest('person:alice', tenant, 'GET', '/approval-policy');
    assert.deepEqual([body['soleApprover'], body['newPayeeFourEyes'], body['version']] as unknown, [false, true, 1]);
    const id = await at.ask('service_pay_supplier', payment);
    assert.equal((await at.get(id))['approvalsNeeded'] as unknown, 2);
    await at.setPolicy({ newPayeeFourEyes: false, fourEyesAbove: [{ amount: '100.00', currency: 'EUR' }] });
    const small = await at.ask('service_pay_supplier', payment);
    assert.equal((await at.get(small))['approvalsNeeded'] as unknown, 1, 'what an owner set holds again');
    const set = `update approvals.policy set version = version + 1, document = '${document}'`;
    await commit(set);
    const large = await at.ask('service_pay_supplier', { ...payment, amount: '500.00' });
    assert.equal((await at.get(large))['approvalsNeeded'] as unknown, 2, 'nor is one by the seal of another');
  });

  test('is no policy: what two people were wanted for is not for one, nor for nobody, once its seal is broken', async () => {
    await at.setPolicy({
      tools: { service_note_funds: { tier: 'approval', fourEyes: true }, service_move_funds: { fourEyes: true } },
    });
    await commit('update approvals.policy set version = version + 1');
    for (const tool of ['service_note_funds', 'service_move_funds']) {
      const id = await at.ask(tool, { payee: 'acme', amount: '2.00', currency: 'EUR' });
      assert.equal((await at.get(id))['approvalsNeeded'] as unknown, 2, tool);
    }
  });

  test('is no decision: of several people who may approve, one vote is not enough where the policy lets an only approver decide', async () => {
    await at.setPolicy({ soleApprover: true });
    const id = await at.ask('service_pay_supplier', payment);
    assert.equal(String((await at.approve(id, 'person:bob')).body['state']), 'pending');
    await commit(
      `update approvals.action set state = 'approved', decided_at = clock_timestamp(), lease_until = clock_timestamp() where action_id = '${id}'`,
    );
    assert.equal(await takenUp(id), 'pending');
    assert.deepEqual(await causes(), ['votes_missing']);
    assert.deepEqual(await suite.look.payments(tenant), []);
  });

  test('are no standing rules: nothing begins approved by them, and what somebody says did is shown to people', async () => {
    const forged = newId();
    await commit(rule(forged));
    const id = await at.ask('service_move_funds', { payee: 'acme', amount: '10.00' });
    const copied = newId();
    await commit(
      `insert into approvals.action (tenant_id, action_id, tool, tier, arguments, asked_digest, chain, subject_type, subject_id, agent_id,
          requester, summary, preview, effect_digest, versions, policy_version, preview_hash, approvals_needed, reasons, currency, amount,
          payee, state, rule_id, correlation_id, last_event_id, expires_at, decided_at, lease_until)
        select tenant_id, '${copied}', tool, tier, arguments, asked_digest, chain, subject_type, subject_id, agent_id, requester, summary,
          preview, effect_digest, versions, policy_version, preview_hash, approvals_needed, reasons, currency, amount, payee, 'approved',
          '${forged}', correlation_id, last_event_id, expires_at, clock_timestamp(), clock_timestamp()
        from approvals.action where action_id = '${id}'`,
    );
    assert.equal(await takenUp(copied), 'pending');
    assert.deepEqual(await causes(), ['stale_preview']);
    assert.deepEqual(await suite.look.payments(tenant), []);
  });

  test('stands beside what is cast as it was: two people still decide', async () => {
    const { pending_action_id: id } = await suite.server.call(agent, tenant, 'service_pay_supplier', payment);
    await at.approve(text(id), 'person:alice');
    assert.equal(text((await at.approve(text(id), 'person:bob')).body['state']), 'executed');
  });
});
