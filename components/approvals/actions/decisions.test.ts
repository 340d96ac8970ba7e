import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { agent, code, approvalsApi, list, members, openSuite, text, type Suite } from '../fixtures/suite.ts';

describe('what was decided', () => {
  let suite: Suite;
  let tenant: string;
  let at: ReturnType<typeof approvalsApi>;
  before(async () => {
    suite = await openSuite();
    tenant = await suite.server.tenant(members);
    at = approvalsApi(suite.server, tenant);
  });
  after(async () => suite[Symbol.asyncDispose]());

  test('is told to whoever asked: rejected with the reason, or withdrawn', async () => {
    const keyed = { payee: 'acme', amount: '10.00', idempotency_key: 'rejected-1' };
    const id = await at.ask('service_move_funds', keyed);
    assert.deepEqual(code(await at.post(id, 'reject', { reason: ' ' })), [400, 'invalid_request']);
    assert.equal((await at.post(id, 'reject', { reason: 'Paid already.' }, 'person:carol')).status, 200);
    const told = await suite.server.call(agent, tenant, 'service_move_funds', keyed);
    assert.deepEqual([text(told['status']), text(told['error_code'])], ['error', 'action_rejected']);
    assert.match(text(told['summary']), /Paid already\./);
    const other = await at.ask('service_move_funds', { payee: 'acme', amount: '10.00' });
    const taken = await suite.server.call(agent, tenant, 'service_withdraw_pending_action', {
      pending_action_id: other,
    });
    assert.equal(text(taken['data']?.['state']), 'withdrawn', JSON.stringify(taken));
    assert.deepEqual(await suite.look.payments(tenant), []);
  });

  test('with edits is carried out as edited, with the difference on record', async () => {
    const id = await at.ask('service_move_funds', { payee: 'acme', amount: '10.00' });
    const { previewHash } = (await at.get(id)) as unknown as { previewHash: string };
    const wrong = await at.post(id, 'edit', { previewHash, arguments: { payee: 'acme', amount: 'much' } });
    assert.deepEqual(
      [...code(wrong), text(list(wrong.body['errors'])[0]?.['pointer'])],
      [400, 'invalid_arguments', '/arguments/amount'],
    );
    // What a tool takes beside its own arguments means nothing here, and is not dropped in silence.
    for (const name of ['tenant_id', 'preview', 'idempotency_key', '__proto__', 'foo']) {
      const given = { payee: 'acme', amount: '8.50', [name]: 'something' };
      const strange = await at.post(id, 'edit', { previewHash, arguments: given });
      assert.deepEqual(
        [strange.status, list(strange.body['errors']).map((one) => [text(one['pointer']), text(one['code'])])],
        [400, [[`/arguments/${name}`, 'unknown_field']]],
      );
    }
    const body = { previewHash, arguments: { payee: 'acme', amount: '8.50' }, approve: true };
    const edited = await at.post(id, 'edit', body, 'person:carol');
    assert.deepEqual([edited.status, text(edited.body['state'])], [200, 'executed'], JSON.stringify(edited.body));
    assert.deepEqual(await suite.look.payments(tenant), ['acme 850']);
    const [edit] = list(edited.body['edits']);
    assert.deepEqual(edit?.['changed'], [{ pointer: '/amount', before: '10.00', after: '8.50' }]);
    const types = (await suite.look.events(tenant)).map((event) => text(event['type']));
    assert.deepEqual(types.slice(-5), [
      'approvals.action.requested',
      'approvals.action.edited',
      'approvals.action.approved',
      'payments.payment.made',
      'approvals.action.executed',
    ]);
  });

  test('is told alike by every door; agents are not told what only a decision names', async () => {
    const id = await at.ask('service_move_funds', { payee: 'acme', amount: '10.00' });
    const read = await at.get(id);
    const { data = {} } = await suite.server.call(agent, tenant, 'service_get_pending_action', {
      pending_action_id: id,
    });
    const camel = (name: string): string => name.replace(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase());
    const own = new Map([
      ['pending_action_id', 'id'],
      ['as_of', 'shownAt'],
    ]);
    const told = Object.keys(data).map((name) => own.get(name) ?? camel(name));
    const others = ['approvalsGiven', 'edited'];
    assert.deepEqual(
      [
        ...told.filter((name) => !others.includes(name)),
        'agentNames',
        'argumentsDigest',
        'previewHash',
        'policyVersion',
        'versions',
      ].toSorted(),
      Object.keys(read).toSorted(),
    );
    for (const [at, name] of Object.keys(data).entries())
      if (!others.includes(told[at] ?? '')) assert.deepEqual(spelled(data[name]), spelled(read[told[at] ?? '']), name);
    const approved = await at.approve(id);
    assert.deepEqual(Object.keys(approved.body), Object.keys(read));
    assert.deepEqual(approved.body, await at.get(id));
  });

  test('about a batch is all or nothing, and names what is stale', async () => {
    const ids = [];
    for (const payee of ['b1', 'b2']) ids.push(await at.ask('service_move_funds', { payee, amount: '1.00' }));
    const bound = await at.ask('service_book_funds', { payee: 'b3', amount: '1.00' });
    const decisions = await Promise.all(
      [...ids, bound].map(async (id) => ({ id, previewHash: text((await at.get(id))['previewHash']) })),
    );
    await at.approve(await at.ask('service_move_funds', { payee: 'between', amount: '1.00' }));
    const batch = async (actions: object[]) =>
      suite.server.rest('person:alice', tenant, 'POST', '/pending-actions/approve', { actions });
    const before = await suite.look.payments(tenant);
    const refused = await batch(decisions);
    assert.deepEqual(code(refused), [409, 'batch_refused']);
    assert.deepEqual(
      list(refused.body['errors']).map((one) => [text(one['pointer']), text(one['code'])]),
      [['/actions/2', 'stale_preview']],
    );
    assert.deepEqual(await suite.look.payments(tenant), before);
    assert.deepEqual(await Promise.all(ids.map(at.state)), ['pending', 'pending']);
    const approved = await batch(decisions.slice(0, 2));
    assert.deepEqual(
      list(approved.body['items']).map((item) => text(item['state'])),
      ['executed', 'executed'],
    );
    assert.deepEqual(code(await batch(decisions.slice(0, 1))), [409, 'batch_refused']);
    assert.deepEqual(code(await batch([decisions[2] as object, decisions[2] as object])), [400, 'invalid_request']);
  });

  test('is seen by those who oversee, and by others where it is their own', async () => {
    const mine = await at.ask('service_move_funds', { payee: 'd', amount: '1.00' }, 'agent:dave');
    const all = list(
      (await suite.server.rest('person:carol', tenant, 'GET', '/pending-actions?limit=200')).body['items'],
    );
    assert.ok(all.length > 5);
    const own = list((await suite.server.rest('person:dave', tenant, 'GET', '/pending-actions')).body['items']);
    assert.deepEqual(
      own.map((item) => text(item['id'])),
      [mine],
    );
    const agents = await suite.server.call('agent:dave', tenant, 'service_list_pending_actions', {});
    assert.equal(list(agents['data']?.['actions']).length, 1);
    assert.deepEqual(code(await suite.server.rest('person:vera', tenant, 'GET', `/pending-actions/${mine}`)), [
      404,
      'not_found',
    ]);
    assert.deepEqual(code(await at.post(mine, 'withdraw', undefined, 'agent:dave:other')), [404, 'not_found']);
    assert.deepEqual(code(await at.post(mine, 'withdraw', undefined, 'person:alice')), [403, 'insufficient_role']);
    assert.equal((await at.post(mine, 'withdraw', undefined, 'person:dave')).status, 200);
    const pages: string[] = [];
    let cursor = '';
    do {
      const page = await suite.server.rest(
        'person:alice',
        tenant,
        'GET',
        `/pending-actions?limit=2&state=executed${cursor}`,
      );
      pages.push(...list(page.body['items']).map((item) => text(item['id'])));
      cursor = page.body['nextCursor'] === null ? '' : `&cursor=${text(page.body['nextCursor'])}`;
    } while (cursor !== '');
    assert.equal(new Set(pages).size, all.filter((item) => text(item['state']) === 'executed').length);
    assert.equal(pages.length, new Set(pages).size);
  });
});

/** Keys in one spelling. */
const spelled = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value).replaceAll(
      /"([a-z]+(?:_[a-z]+)+)":/g,
      (_all, name: string) => `"${name.replace(/_([a-z])/g, (_one, letter: string) => letter.toUpperCase())}":`,
    ),
  );
