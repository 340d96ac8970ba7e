import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { sql } from '@steward/sql';
import { actionOf, selectAction } from '../actions/action.ts';
import { askingOf } from '../actions/words.ts';
import { createSeals } from '../seal.ts';
import { agent, code, approvalsApi, members, openSuite, text, type Suite } from '../fixtures/suite.ts';

describe('the approval policy', () => {
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
  const euro = (amount: string) => [{ amount, currency: 'EUR' }];
  const supplier = (payee: string, amount: string, currency = 'EUR') => ({ payee, amount, currency });
  const payments = async (): Promise<string[]> => suite.look.payments(tenant);
  const shape = async (id: string): Promise<unknown[]> => {
    const { approvalsNeeded, reasons } = await at.get(id);
    return [approvalsNeeded, reasons];
  };
  /** Pays once with two people, so that the payee is known. */
  const acquaint = async (payee: string, amount = '0.01'): Promise<void> => {
    const id = await at.ask('service_pay_supplier', supplier(payee, amount));
    await at.approve(id, 'person:alice');
    assert.equal(text((await at.approve(id, 'person:bob')).body['state']), 'executed');
  };

  test('with nothing set: money going out takes two different people, anything else one', async () => {
    const out = await at.ask('service_pay_supplier', supplier('acme', '1.00'));
    assert.deepEqual(await shape(out), [2, ['no_limit_for_currency', 'new_payee']]);
    const first = await at.approve(out, 'person:alice');
    assert.deepEqual([first.status, text(first.body['state'])], [200, 'pending']);
    assert.deepEqual(code(await at.approve(out, 'person:alice')), [409, 'already_approved']);
    assert.deepEqual(await payments(), []);
    assert.equal(text((await at.approve(out, 'person:bob')).body['state']), 'executed');
    const inside = await at.ask('service_move_funds', supplier('acme', '99999.00'));
    assert.deepEqual(await shape(inside), [1, []]);
    assert.equal(text((await at.approve(inside, 'person:alice')).body['state']), 'executed');
  });

  test('below its limit one person is enough, above it, in another currency or for a new payee two', async () => {
    await at.setPolicy({ fourEyesAbove: euro('100.00') });
    await acquaint('acme');
    for (const [args, needed, reasons] of [
      [supplier('acme', '99.99'), 1, []],
      [supplier('acme', '100.01'), 2, ['amount_above_limit', 'daily_sum_above_limit']],
      [supplier('acme', '1.00', 'USD'), 2, ['no_limit_for_currency']],
      [supplier('new', '0.01'), 2, ['daily_sum_above_limit', 'new_payee']],
    ] as const)
      assert.deepEqual(
        await shape(await at.ask('service_pay_supplier', args)),
        [needed, reasons],
        JSON.stringify(args),
      );
  });

  test('counts nobody who has lost the right to approve since they did', async () => {
    const id = await at.ask('service_pay_supplier', supplier('acme', '1.00'));
    await at.approve(id, 'person:bob');
    await suite.server.setRole(tenant, 'bob', 'viewer');
    assert.equal(text((await at.approve(id, 'person:alice')).body['state']), 'pending');
    assert.equal(text((await at.approve(id, 'person:carol')).body['state']), 'executed');
  });

  test('knows a payee only from what two people approved', async () => {
    await at.setPolicy({ fourEyesAbove: euro('100.00') });
    await at.approve(await at.ask('service_move_funds', supplier('mallory', '1.00')), 'person:alice');
    assert.deepEqual(await shape(await at.ask('service_pay_supplier', supplier('mallory', '1.00'))), [
      2,
      ['new_payee'],
    ]);
  });

  test('is not evaded by splitting: the sum of the day counts, pending ones too', async () => {
    await at.setPolicy({ fourEyesAbove: euro('100.00'), newPayeeFourEyes: false });
    const ids = [];
    for (let part = 0; part < 6; part += 1)
      ids.push(await at.ask('service_pay_supplier', supplier(`p${part}`, '30.00')));
    for (const id of ids) await at.approve(id, 'person:alice');
    assert.equal((await payments()).length, 3);
    // Withdrawing makes room for what is asked for afterwards only: what was once asked to need two still does.
    await at.post(ids[5] as string, 'withdraw', undefined, agent);
    assert.deepEqual(code(await at.approve(ids[3] as string, 'person:alice')), [409, 'already_approved']);
    assert.equal(text((await at.approve(ids[3] as string, 'person:bob')).body['state']), 'executed');
  });

  test('is not evaded by asking for parts at the same time, on different days, or by editing them up', async () => {
    await at.setPolicy({ fourEyesAbove: euro('100.00'), newPayeeFourEyes: false });
    const ids = await Promise.all(
      Array.from({ length: 10 }, async (_, part) => at.ask('service_pay_supplier', supplier(`p${part}`, '30.00'))),
    );
    // As if asked for on ten different days: then it is the day of the approvals that counts.
    const seals = createSeals(new Uint8Array(32).fill(9));
    for (const [days, id] of ids.entries()) {
      await suite.look.admin.query(
        sql`update approvals.action set requested_at = requested_at - make_interval(days => ${days + 1}) where action_id = ${id}`,
      );
      const [row] = await suite.look.admin.query(selectAction(tenant, id));
      assert.ok(row !== undefined);
      const seal = seals.of('asking', askingOf(tenant, actionOf(row), []));
      await suite.look.admin.query(sql`update approvals.action set asked_seal = ${seal} where action_id = ${id}`);
    }
    for (const id of ids) for (let twice = 0; twice < 2; twice += 1) await at.approve(id, 'person:alice');
    assert.equal((await payments()).length, 3);
    const small = await at.ask('service_pay_supplier', supplier('up', '1.00', 'EUR'));
    const { previewHash } = await at.get(small);
    const edited = await at.post(small, 'edit', { previewHash, arguments: supplier('up', '5000.00'), approve: true });
    assert.deepEqual([text(edited.body['state']), edited.body['approvalsNeeded'] as unknown], ['pending', 2]);
    assert.equal((await payments()).length, 3);
  });

  test('takes two people where a limit was set for a tool that names no amount', async () => {
    await at.setPolicy({ tools: { service_close_book: { fourEyesAbove: euro('100.00') } } });
    assert.deepEqual(await shape(await at.ask('service_close_book', { day: '2026-03-31' })), [2, ['no_amount']]);
  });

  test('makes a tool of tier write wait, and lets it go again', async () => {
    const call = async () => suite.server.call(agent, tenant, 'service_note_funds', supplier('acme', '1.00'));
    assert.equal(text((await call())['status']), 'ok');
    await at.setPolicy({ tools: { service_note_funds: { tier: 'approval' } } });
    const waiting = await call();
    assert.deepEqual([text(waiting['status']), text(waiting['tier'])], ['pending_approval', 'approval']);
    assert.equal(text((await at.approve(text(waiting['pending_action_id']))).body['state']), 'executed');
    // Two people are asked for: nobody does it alone.
    for (const rule of [{ fourEyes: true }, { fourEyesAbove: euro('100.00') }]) {
      await at.setPolicy({ tools: { service_note_funds: rule } });
      assert.equal(text((await call())['status']), 'pending_approval', JSON.stringify(rule));
    }
    await at.setPolicy({ tools: { service_note_funds: { fourEyes: false } } });
    assert.equal(text((await call())['status']), 'ok');
    await at.setPolicy({ tools: {} });
    assert.equal(text((await call())['status']), 'ok');
    assert.equal((await payments()).length, 4);
  });

  test('in an organization of one leaves no dead end: its owner may decide alone once the policy says so', async () => {
    tenant = await suite.server.tenant({ alice: 'owner', dave: 'developer' });
    at = approvalsApi(suite.server, tenant);
    const pay = { ...supplier('acme', '1.00'), idempotency_key: 'sole-approver' };
    const asked = async (): Promise<string> =>
      text((await suite.server.call(agent, tenant, 'service_pay_supplier', pay))['summary']);
    // Where the person hits it, and whoever asked: in the answer, its repeat, the tool and the page's API.
    const dead =
      /Only one member of the organization may approve this\. It waits until an owner invites another .* soleApprover/;
    assert.match(await asked(), dead);
    assert.match(await asked(), dead);
    const { body: page } = await suite.server.rest('person:alice', tenant, 'GET', '/pending-actions');
    const counted = ({ shortage, ...counts }: { readonly shortage?: string | null }): unknown[] => [
      counts,
      shortage === null
        ? null
        : (dead.exec(shortage ?? '') ?? /the policy lets that person decide alone/.exec(shortage ?? ''))?.[0],
    ];
    const [waiting] = page['items'] as unknown as { id: string; available: object }[];
    assert.ok(waiting);
    const { id } = waiting;
    const [, said] = counted(waiting.available);
    assert.match(String(said), dead);
    assert.deepEqual(counted(waiting.available), [{ approvers: 1, counting: 0, alone: false }, said]);
    const told = async (): Promise<string> =>
      text(
        (await suite.server.call(agent, tenant, 'service_get_pending_action', { pending_action_id: id }))['summary'],
      );
    assert.match(await told(), dead);
    assert.equal(text((await at.approve(id)).body['state']), 'pending');
    await at.setPolicy({ soleApprover: true });
    assert.match(await told(), /the policy lets that person decide alone/);
    assert.deepEqual(counted((await at.get(id))['available'] as object), [
      { approvers: 1, counting: 1, alone: true },
      'the policy lets that person decide alone',
    ]);
    assert.deepEqual(code(await at.approve(id)), [409, 'stale_preview']);
    assert.equal(text((await at.approve(id)).body['state']), 'executed');
    const events = await suite.look.events(tenant);
    assert.equal(events.at(-3)?.['payload']?.['sole_approver'] as unknown, true);
    await suite.server.setRole(tenant, 'dave', 'accountant');
    const next = await at.ask('service_pay_supplier', supplier('acme', '1.00'));
    assert.deepEqual(counted((await at.get(next))['available'] as object), [
      { approvers: 2, counting: 0, alone: false },
      null,
    ]);
    assert.equal(text((await at.approve(next)).body['state']), 'pending', 'with a second approver it takes two again');
    await suite.server.setRole(tenant, 'dave', 'admin');
    const lost = await at.ask('service_pay_supplier', supplier('acme', '2.00'));
    await at.approve(lost, 'person:dave');
    assert.deepEqual(counted((await at.get(lost))['available'] as object), [
      { approvers: 2, counting: 1, alone: false },
      null,
    ]);
    await suite.server.setRole(tenant, 'dave', 'developer');
    assert.deepEqual(counted((await at.get(lost))['available'] as object), [
      { approvers: 1, counting: 0, alone: true },
      'the policy lets that person decide alone',
    ]);
  });

  test('is changed by an owner who has just logged in, from the version read, and for commands that exist', async () => {
    const { body: policy } = await suite.server.rest('person:alice', tenant, 'GET', '/approval-policy');
    const put = async (token: string, body: unknown) =>
      code(await suite.server.rest(token, tenant, 'PUT', '/approval-policy', body));
    const fault = async (body: unknown) => {
      const answer = await suite.server.rest('person:alice', tenant, 'PUT', '/approval-policy', body);
      const [first] = answer.body['errors'] as unknown as { pointer: string; code: string; detail: string }[];
      return [first?.pointer, first?.code, first?.detail];
    };
    for (const [token, ...expected] of [
      [agent, 403, 'not_human'],
      ['signup:alice', 403, 'client_not_approver'],
      ['old:alice', 401, 'login_too_old'],
      ['person:bob', 403, 'insufficient_role'],
    ] as const)
      assert.deepEqual(await put(token, policy), expected, token);
    assert.deepEqual(await put('person:alice', { ...policy, tools: { service_none: {} } }), [400, 'invalid_request']);
    // All of it is replaced, so all of it is given: each field that is missing is named.
    const lacking = await suite.server.rest('person:alice', tenant, 'PUT', '/approval-policy', { version: 0 });
    assert.deepEqual(
      (lacking.body['errors'] as unknown as { pointer: string; code: string }[]).map((one) => [one.pointer, one.code]),
      ['expiryHours', 'fourEyesAbove', 'fourEyesAboveDaily', 'newPayeeFourEyes', 'soleApprover', 'tools'].map(
        (name) => [`/${name}`, 'required'],
      ),
    );
    for (const amount of ['1', '1.000', '-1.00', '1e3', '', '99999999999999999999.00'])
      assert.deepEqual(
        await put('person:alice', { ...policy, fourEyesAbove: euro(amount) }),
        [400, 'invalid_request'],
        amount,
      );
    for (const [money, ...told] of [
      [
        { amount: '1000', currency: 'NOK' },
        '/fourEyesAbove/0/amount',
        'invalid_amount',
        'An amount in NOK has exactly 2 digits after the point: write 1000.00.',
      ],
      [
        { amount: '-1.00', currency: 'EUR' },
        '/fourEyesAbove/0/amount',
        'invalid_amount',
        'Give an amount of zero or more, without a sign.',
      ],
      [
        { amount: '99999999999999999999', currency: 'JPY' },
        '/fourEyesAbove/0/amount',
        'invalid_amount',
        'Give at most 9223372036854775807.',
      ],
      [
        { amount: '1.00', currency: 'XXX' },
        '/fourEyesAbove/0/currency',
        'invalid_value',
        'XXX is no currency of ISO 4217 with a minor unit: give a code such as EUR.',
      ],
    ] as const)
      assert.deepEqual(await fault({ ...policy, fourEyesAbove: [money] }), told);
    for (const [tool, detail] of [
      [
        'service_list_pending_actions',
        'This tool only reads, so it needs no approval: name a command, or leave it out.',
      ],
      ['service_none', 'There is no such command: take a name of the list of tools.'],
    ] as const)
      assert.deepEqual(await fault({ ...policy, tools: { [tool]: {} } }), [`/tools/${tool}`, 'unknown_tool', detail]);
    assert.deepEqual(await put('person:alice', { ...policy, tools: { service_move_funds: { tier: 'write' } } }), [
      400,
      'invalid_request',
    ]);
    const raced = await Promise.all(
      [1, 2, 3, 4].map(async (hours) => put('person:alice', { ...policy, expiryHours: hours })),
    );
    assert.deepEqual(raced.map(([status]) => status).toSorted(), [200, 409, 409, 409]);
    const last = (await suite.look.events(tenant)).at(-1);
    assert.deepEqual([last?.['type'], last?.['payload']?.['fields']], ['approvals.policy.changed', ['expiryHours']]);
  });
});
