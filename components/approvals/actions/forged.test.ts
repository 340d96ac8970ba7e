import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { after, before, beforeEach, describe, test } from 'node:test';
import { newId } from '@steward/kernel';
import { agent, approvalsApi, members, openSuite, text, type Suite } from '../fixtures/suite.ts';

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

  test('are no words: nobody approves what somebody else had an action say, and it is shown as it is', async () => {
    const forgeries = [
      `summary = 'Would pay 1.00 EUR to Acme.'`,
      `preview = '{"payee":"Acme"}'`,
      `facts = '[{"noun":"party","id":"acme","name":"Acme","before":{"iban":"DE89370400440532013000"}}]'`,
      `amount = 100`,
      `currency = 'USD'`,
      `seal = (select seal from approvals.action other where other.action_id <> a.action_id limit 1)`,
      `seal = null`,
    ];
    await at.setPolicy({ newPayeeFourEyes: false, fourEyesAbove: [{ amount: '100.00', currency: 'EUR' }] });
    await at.ask('service_pay_supplier', payment);
    for (const forgery of forgeries) {
      const id = await at.ask('service_pay_supplier', payment);
      const before = await at.get(id);
      await commit(`update approvals.action a set ${forgery} where action_id = '${id}'`);
      const refused = await at.approve(id, 'person:alice');
      assert.equal(text(refused.body['code']), 'stale_preview', forgery);
      const after = await at.get(id);
      for (const member of ['summary', 'preview', 'facts', 'amount', 'previewHash'])
        assert.deepEqual(after[member], before[member], `${forgery}: ${member}`);
      assert.equal(text((await at.approve(id, 'person:alice')).body['state']), 'executed', forgery);
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
    assert.deepEqual(await causes(), ['rule_ended']);
    assert.deepEqual(await suite.look.payments(tenant), []);
  });

  test('stands beside what is cast as it was: two people still decide', async () => {
    const { pending_action_id: id } = await suite.server.call(agent, tenant, 'service_pay_supplier', payment);
    await at.approve(text(id), 'person:alice');
    assert.equal(text((await at.approve(text(id), 'person:bob')).body['state']), 'executed');
  });
});
