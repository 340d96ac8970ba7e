import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { agent, code, approvalsApi, list, members, openSuite, text, type Suite } from '../fixtures/suite.ts';

describe('an action that awaits approval', () => {
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
  const payments = async (): Promise<string[]> => suite.look.payments(tenant);
  const funds = { payee: 'acme', amount: '10.00' };

  test('changes nothing when asked for, shows what it would do, and happens when a person approves', async () => {
    const asked = await suite.server.call(agent, tenant, 'service_move_funds', funds);
    assert.equal(text(asked['status']), 'pending_approval');
    assert.equal(text(asked['tier']), 'approval');
    assert.deepEqual(asked['data'], { ...funds, currency: 'EUR', spent_before: '0', spent_after: '1000' });
    assert.match(text(asked['summary']), /owner, admin, or accountant .*\/portal\/approvals\/[0-9a-f-]{36}/);
    const id = text(asked['pending_action_id']);
    assert.deepEqual(await payments(), []);
    assert.equal(await at.state(id), 'pending');

    const approved = await at.approve(id);
    assert.deepEqual([approved.status, text(approved.body['state'])], [200, 'executed'], JSON.stringify(approved.body));
    assert.deepEqual(await payments(), ['acme 1000']);
    assert.equal(text(approved.body['result']?.['summary']), 'Paid 10.00 EUR to acme.');
    const read = await suite.server.call(agent, tenant, 'service_get_pending_action', { pending_action_id: id });
    assert.equal(text(read['data']?.['state']), 'executed');
  });

  test('leaves one correlated trail: requested, approved, the effect and executed, each caused by the one before', async () => {
    const id = await at.ask('service_move_funds', funds);
    await at.approve(id, 'person:bob');
    const events = (await suite.look.events(tenant)).slice(1);
    assert.deepEqual(
      events.map((event) => text(event['type'])),
      ['approvals.action.requested', 'approvals.action.approved', 'payments.payment.made', 'approvals.action.executed'],
    );
    assert.equal(new Set(events.map((event) => text(event['correlationId']))).size, 1);
    const [requested, approved, made, executed] = events;
    assert.equal(text(approved?.['causalId']), text(requested?.['id']));
    assert.equal(text(made?.['causalId']), text(approved?.['id']));
    assert.equal(text(executed?.['causalId']), text(approved?.['id']));
    const chain = (event: (typeof events)[0] | undefined) =>
      list(event?.['principalChain']).map((one) => text(one['principalId']));
    assert.deepEqual(chain(requested), ['alice', 'bot']);
    assert.deepEqual(chain(approved), ['bob']);
    assert.deepEqual([chain(made), text(made?.['ingestedBy']?.['principalId'])], [['alice', 'bot'], 'bob']);
    assert.deepEqual(executed?.['payload']?.['approvers'], ['bob']);
    assert.ok(!JSON.stringify(events).includes('acme'), 'the log carries ids and no arguments');
  });

  test('is decided once: a second approval is told the present state', async () => {
    const id = await at.ask('service_move_funds', funds);
    const { previewHash } = (await at.get(id)) as unknown as { previewHash: string };
    await at.approve(id);
    for (const again of ['person:alice', 'person:bob']) {
      const second = await at.approve(id, again, previewHash);
      assert.deepEqual([...code(second), text(second.body['state'])], [409, 'not_pending', 'executed']);
    }
    assert.deepEqual(await payments(), ['acme 1000']);
  });

  test('approved by many at once happens once', async () => {
    const id = await at.ask('service_move_funds', funds);
    const { previewHash } = (await at.get(id)) as unknown as { previewHash: string };
    const answers = await Promise.all(
      Array.from({ length: 12 }, async (_, n) =>
        at.approve(id, n % 2 === 0 ? 'person:alice' : 'person:bob', previewHash),
      ),
    );
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, ...Array.from({ length: 11 }, () => 409)]);
    assert.deepEqual(await payments(), ['acme 1000']);
  });

  test('under one key is one action, whatever has become of it; other arguments are refused', async () => {
    const keyed = { ...funds, idempotency_key: 'pay-acme-1' };
    const ids = await Promise.all(Array.from({ length: 8 }, async () => at.ask('service_move_funds', keyed)));
    assert.equal(new Set(ids).size, 1);
    const conflict = await suite.server.call(agent, tenant, 'service_move_funds', { ...keyed, amount: '11.00' });
    assert.equal(text(conflict['error_code']), 'idempotency_conflict');
    await at.approve(ids[0] as string);
    const done = await suite.server.call(agent, tenant, 'service_move_funds', keyed);
    assert.deepEqual([text(done['status']), text(done['summary'])], ['ok', 'Paid 10.00 EUR to acme.']);
    assert.deepEqual(await payments(), ['acme 1000']);
  });

  test('whose rows have changed since is stale: shown anew, and approved only as shown then', async () => {
    const id = await at.ask('service_book_funds', funds);
    const { previewHash } = (await at.get(id)) as unknown as { previewHash: string };
    await at.approve(await at.ask('service_move_funds', { payee: 'other', amount: '1.00' }));
    const stale = await at.approve(id, 'person:alice', previewHash);
    assert.deepEqual(code(stale), [409, 'stale_preview']);
    const shown = stale.body['action'];
    assert.deepEqual([text(shown?.['state']), text(shown?.['preview']?.['spent_before'])], ['pending', '100']);
    assert.notEqual(text(shown?.['previewHash']), previewHash);
    assert.deepEqual(await payments(), ['other 100']);
    const anew = await at.approve(id, 'person:alice', text(shown?.['previewHash']));
    assert.equal(text(anew.body['state']), 'executed');
  });

  test('is bound to its effect, not to balances that other work moves', async () => {
    const first = await at.ask('service_move_funds', funds);
    const second = await at.ask('service_move_funds', { ...funds, payee: 'other' });
    assert.equal(text((await at.approve(first)).body['state']), 'executed');
    assert.equal(text((await at.approve(second)).body['state']), 'executed');
  });

  test('of several transactions happens as one, and not at all when the last of them fails', async () => {
    assert.equal(text((await at.approve(await at.ask('service_close_book', { day: 'd1' }))).body['state']), 'executed');
    assert.deepEqual((await payments()).toSorted(), ['close d1 1 1', 'close d1 2 1']);
    const id = await at.ask('service_close_book', { day: 'd2' });
    suite.server.hooks.effect = () => 'nobody';
    const failed = await at.approve(id);
    suite.server.hooks.effect = () => undefined;
    assert.equal(text(failed.body['state']), 'failed');
    assert.equal((await payments()).length, 2);
  });

  test('that can no longer be carried out stays pending and says why', async () => {
    const refused = await suite.server.call(agent, tenant, 'service_move_funds', { payee: 'nobody', amount: '1.00' });
    assert.deepEqual([text(refused['status']), text(refused['error_code'])], ['error', 'conflict']);
    const id = await at.ask('service_move_funds', funds);
    suite.server.switchOff('service_move_funds');
    assert.deepEqual(code(await at.approve(id)), [409, 'tool_unavailable']);
    suite.server.switchOff();
    assert.deepEqual(code(await at.approve(id)), [409, 'stale_preview']);
    assert.equal(text((await at.approve(id)).body['state']), 'executed');
  });

  test('whose tool shows another preview each time is a fault of the tool, seen when it is asked for', async () => {
    const result = await suite.server.call(agent, tenant, 'service_draw_lots', {});
    assert.equal(text(result['error_code']), 'internal_error');
  });

  test('is previewed without being stored', async () => {
    const shown = await suite.server.call(agent, tenant, 'service_move_funds', { ...funds, preview: true });
    assert.equal(text(shown['status']), 'preview');
    assert.deepEqual((await suite.server.rest('person:alice', tenant, 'GET', '/pending-actions')).body['items'], []);
  });

  test('fails for good when the tool refuses in the act, and leaves nothing behind', async () => {
    const id = await at.ask('service_move_funds', funds);
    const { fail } = await import('@steward/kernel');
    suite.server.hooks.effect = () => {
      throw fail('conflict', 'The bank is closed.');
    };
    const answer = await at.approve(id);
    suite.server.hooks.effect = () => undefined;
    assert.deepEqual([text(answer.body['state']), text(answer.body['errorCode'])], ['failed', 'conflict']);
    assert.deepEqual(await payments(), []);
    assert.equal(text((await suite.look.events(tenant)).at(-1)?.['type']), 'approvals.action.failed');
  });
});
