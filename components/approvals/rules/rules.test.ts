import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { sql } from '@steward/sql';
import { agent, code, approvalsApi, members, openSuite, text, type Suite } from '../fixtures/suite.ts';
import type { Answer, Json } from '../fixtures/world.ts';

describe('a standing rule', () => {
  let suite: Suite;
  let tenant: string;
  let at: ReturnType<typeof approvalsApi>;
  before(async () => {
    suite = await openSuite({ poolSize: 12 });
  });
  after(async () => suite[Symbol.asyncDispose]());
  beforeEach(async () => {
    suite.server.hooks.effect = () => undefined;
    tenant = await suite.server.tenant(members);
    at = approvalsApi(suite.server, tenant);
  });
  const euro = (amount: string) => ({ amount, currency: 'EUR' });
  const soon = (milliseconds = 3_600_000): string => new Date(Date.now() + milliseconds).toISOString();
  const make = async (rule: object, token = 'person:carol'): Promise<Answer> =>
    suite.server.rest(token, tenant, 'POST', '/standing-rules', {
      tool: 'service_move_funds',
      validUntil: soon(),
      ...rule,
    });
  const call = async (amount: string, token = agent, name = 'service_move_funds'): Promise<Json> =>
    suite.server.call(token, tenant, name, { payee: 'acme', amount });
  const statusOf = async (...args: Parameters<typeof call>): Promise<string> => text((await call(...args))['status']);

  test('approves what it covers, and says so in the log; what it does not cover waits', async () => {
    const rule = (await make({ upTo: euro('10.00') })).body;
    const done = await call('10.00');
    assert.deepEqual([text(done['status']), text(done['summary'])], ['ok', 'Paid 10.00 EUR to acme.']);
    assert.equal(await statusOf('10.01'), 'pending_approval');
    const events = await suite.look.events(tenant);
    const executed = events.find((event) => text(event['type']) === 'approvals.action.executed');
    assert.deepEqual(executed?.['payload']?.['rule_id'], rule['id']);
    assert.deepEqual(executed?.['payload']?.['approvers'], []);
  });

  test('has what it covers done in one transaction, where the log tells the decision before the effect that it caused', async () => {
    await make({ upTo: euro('10.00') });
    const before = (await suite.look.events(tenant)).length;
    assert.equal(await statusOf('10.00'), 'ok');
    const events = (await suite.look.events(tenant)).slice(before);
    assert.deepEqual(
      events.map((event) => text(event['type'])),
      ['approvals.action.requested', 'approvals.action.approved', 'payments.payment.made', 'approvals.action.executed'],
    );
    const ids = events.map((event) => text(event['id']));
    assert.deepEqual(
      events.map((event) => (event['causalId'] === undefined ? undefined : text(event['causalId']))),
      [undefined, ids[0], ids[1], ids[1]],
    );
    const written = await suite.look.admin.query(
      sql`select distinct xmin::text from audit.event where tenant_id = ${tenant} and event::json ->> 'id' = any (${ids}::text[])`,
    );
    assert.equal(written.length, 1);
  });

  test('has what it covers done once, without a rehearsal, and nothing of it where the tool fails or it came to more', async () => {
    await make({ tool: 'service_book_funds', upTo: euro('10.00') });
    let times = 0;
    suite.server.hooks.effect = () => {
      times += 1;
      return undefined;
    };
    assert.equal(await statusOf('2.00', agent, 'service_book_funds'), 'ok');
    assert.deepEqual([times, (await suite.look.payments(tenant)).length], [1, 1]);
    assert.equal(await statusOf('10.01', agent, 'service_book_funds'), 'pending_approval');
    suite.server.hooks.effect = () => Promise.reject(new Error('no'));
    assert.equal(await statusOf('4.00', agent, 'service_book_funds'), 'error');
    assert.equal((await suite.look.payments(tenant)).length, 1);
    const stored = await suite.look.admin.query(
      sql`select state from approvals.action where tenant_id = ${tenant} order by action_id`,
    );
    assert.deepEqual(
      stored.map(({ state }) => state),
      ['executed', 'pending'],
    );
  });

  test('of one agent covers no other', async () => {
    await make({ upTo: euro('10.00'), agentId: 'bot' });
    assert.equal(await statusOf('1.00', 'agent:alice:other'), 'pending_approval');
    assert.equal(await statusOf('1.00', 'agent:bob:bot'), 'ok');
  });

  test('covers nothing that takes two people', async () => {
    await make({ tool: 'service_pay_supplier', upTo: euro('1000.00') });
    assert.equal(await statusOf('1.00', agent, 'service_pay_supplier'), 'pending_approval');
  });

  test('is made and revoked by people who may approve the tool themselves, for a bounded time and amount', async () => {
    for (const [token, ...expected] of [
      [agent, 403, 'not_human'],
      ['signup:alice', 403, 'client_not_approver'],
      ['person:dave', 403, 'insufficient_role'],
      ['person:vera', 403, 'insufficient_role'],
    ] as const)
      assert.deepEqual(code(await make({ upTo: euro('1.00') }, token)), expected, token);
    for (const wrong of [
      {},
      { upTo: euro('1.00'), validUntil: soon(-1000) },
      { upTo: euro('1.00'), validUntil: soon(32 * 86_400_000) },
      { upTo: euro('1.00'), upToDaily: { amount: '1.00', currency: 'USD' } },
      { upTo: euro('1.00'), tool: 'service_none' },
      { upTo: euro('1.00'), tool: 'service_close_book' },
    ])
      assert.deepEqual(code(await make(wrong)), [400, 'invalid_request'], JSON.stringify(wrong));
    const reading = (await make({ tool: 'service_list_pending_actions' })).body['errors'] as unknown as Json[];
    assert.match(text(reading[0]?.['detail']), /only reads/);
    const short = (await make({ upTo: euro('1') })).body['errors'] as unknown as Json[];
    assert.deepEqual(
      [text(short[0]?.['pointer']), text(short[0]?.['detail'])],
      ['/upTo/amount', 'An amount in EUR has exactly 2 digits after the point: write 1.00.'],
    );
    const { id } = (await make({ upTo: euro('1.00') })).body;
    const gone = await suite.server.rest('person:alice', tenant, 'DELETE', `/standing-rules/${text(id)}`);
    assert.equal(gone.status, 200);
    assert.equal(await statusOf('1.00'), 'pending_approval');
    const listed = await suite.server.rest('person:alice', tenant, 'GET', '/standing-rules');
    assert.equal((listed.body['items'] as unknown as Json[]).length, 1);
  });

  test('said again is the same rule, also at the same time, and another in any word is another', async () => {
    const rule = { upTo: euro('10.00'), upToDaily: euro('20.00'), agentId: 'bot', validUntil: soon() };
    const events = async (): Promise<number> =>
      (await suite.look.events(tenant)).filter((event) => text(event['type']) === 'approvals.standing_rule.created')
        .length;
    const made = await Promise.all([1, 2, 3].map(async () => make(rule)));
    assert.deepEqual(made.map(({ status }) => status).toSorted(), [200, 200, 201]);
    for (const { body } of made) assert.deepEqual(body, made[0]?.body);
    assert.equal(await events(), 1);
    for (const [other, token] of [
      [{ upTo: euro('10.01') }],
      [{ upToDaily: euro('20.01') }],
      [{ upToDaily: undefined }],
      [{ agentId: 'other' }],
      [{ agentId: undefined }],
      [{ validUntil: soon(7_200_000) }],
      [{ tool: 'service_pay_supplier' }],
      [{}, 'person:alice'],
    ] as const)
      assert.equal((await make({ ...rule, ...other }, token)).status, 201, JSON.stringify(other));
    assert.equal(await events(), 9);
    const { id } = made[0]?.body ?? {};
    await suite.server.rest('person:alice', tenant, 'DELETE', `/standing-rules/${text(id)}`);
    assert.equal((await make(rule)).status, 201, 'a revoked one is not brought back');
  });

  test('ends with its time, and with its maker’s right to approve', async () => {
    await make({ upTo: euro('10.00') });
    await suite.server.setRole(tenant, 'carol', 'viewer');
    assert.equal(await statusOf('1.00'), 'pending_approval');
    await suite.server.setRole(tenant, 'carol', 'accountant');
    assert.equal(await statusOf('1.00'), 'ok');
    await suite.look.admin.query(
      sql`update approvals.standing_rule set valid_until = clock_timestamp() where tenant_id = ${tenant}`,
    );
    assert.equal(await statusOf('1.00'), 'pending_approval');
  });

  test('that ends between the approval and the act approves nothing: people are asked', async () => {
    for (const end of [
      sql`update approvals.standing_rule set revoked_at = clock_timestamp() where tenant_id = ${tenant}`,
      sql`update approvals.standing_rule set valid_until = clock_timestamp() where tenant_id = ${tenant}`,
    ]) {
      const id = text((await call('1.00'))['pending_action_id']);
      const { id: rule } = (await make({ upTo: euro('10.00') })).body;
      // An action as it stands after a crash between the two transactions.
      await suite.look.admin.query(sql`
        update approvals.action set state = 'approved', rule_id = ${text(rule)}, decided_at = clock_timestamp(), lease_until = clock_timestamp()
        where action_id = ${id}`);
      const paid = (await suite.look.payments(tenant)).length;
      await suite.look.admin.query(end);
      await using _worker = await suite.worker();
      await until(async () => (await at.state(id)) === 'pending');
      assert.equal((await suite.look.payments(tenant)).length, paid);
      assert.equal((await suite.look.events(tenant)).at(-1)?.['payload']?.['cause'] as unknown, 'rule_ended');
    }
  });

  test('never exceeds its sum of the day, whatever comes at once', async () => {
    await make({ upTo: euro('10.00'), upToDaily: euro('75.00') });
    const results = await Promise.all(Array.from({ length: 40 }, async () => statusOf('10.00')));
    assert.equal(results.filter((status) => status === 'ok').length, 7);
    assert.equal(results.filter((status) => status === 'pending_approval').length, 33);
    assert.equal((await suite.look.payments(tenant)).length, 7);
  });
});

async function until(met: () => Promise<boolean>): Promise<void> {
  for (let round = 0; !(await met()); round += 1) {
    assert.ok(round < 1_200, 'it never came');
    await new Promise((resolve) => {
      setTimeout(resolve, 25);
    });
  }
}
