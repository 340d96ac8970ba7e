import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createWorld, type Answer, type Json, type World } from '../world/index.ts';

const user = 'lone@example.com';
const post = `mutation ($input: JournalEntryInput!) { postJournalEntry(input: $input) { id number } }`;

describe('an organization of one pays out without asking itself', () => {
  let world: World;
  let tenant: string;
  let agent: string;
  let person: string;
  before(async () => {
    world = await createWorld();
    ({ tenant } = await world.signUp(user, 'Lone', { defaultCurrency: 'USD' }));
    agent = await world.token({ user, agent: 'bookkeeper' });
    person = await world.token({ user, approver: true });
    const first = await out(person, { debit: '1000', credit: '3000', amount: '500.00' });
    assert.equal(first.code, 'done', first.said);
  });
  after(async () => world[Symbol.asyncDispose]());

  const portal = async (method: string, path: string, body?: unknown, token = person): Promise<Answer> =>
    world.call(`${world.server.addresses.portal}/api${path}`, {
      token,
      tenant,
      method,
      ...(body === undefined ? {} : { body }),
    });
  const setPolicy = async (changes: object): Promise<void> => {
    const { body } = await portal('GET', '/approval-policy');
    const answer = await portal('PUT', '/approval-policy', { ...body, ...changes });
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
  };
  /** A bank fee of the amount, or what is given. */
  const out = async (
    token: string,
    { debit = '6900', credit = '1000', amount = '10.00' } = {},
  ): Promise<{ readonly code: string; readonly said: string; readonly more: Json }> => {
    const input = {
      date: '2026-03-01',
      currency: 'USD',
      narration: 'Fee',
      lines: [
        { account: debit, debit: amount },
        { account: credit, credit: amount },
      ],
    };
    const { body } = await world.call(`${world.server.addresses.accounting}/graphql`, {
      token,
      tenant,
      body: { query: post, variables: { input } },
    });
    const [refused] = (body['errors'] ?? []) as unknown as readonly Json[];
    const more = (refused?.['extensions'] ?? {}) as Json;
    return {
      code: refused === undefined ? 'done' : String(more['code']),
      said: String(refused?.['message']),
      more,
    };
  };
  const events = async (): Promise<readonly Json[]> => {
    const { body } = await world.call(
      `${world.server.addresses.accounting}/api/audit/events?type=approvals.outflow.decided_alone`,
      { token: person, tenant },
    );
    return body['items'] as unknown as readonly Json[];
  };

  test('before the policy lets them, the refusal says that nobody else could approve and what an owner may do about it', async () => {
    const refused = await out(person);
    assert.equal(refused.code, 'approval_required');
    assert.deepEqual([refused.more['tool'], refused.more['approvers']] as unknown, ['service_post_journal_entry', 1]);
    assert.match(refused.said, /Only one member of the organization may approve this\..* soleApprover/);
    assert.deepEqual(await events(), []);
  });

  test('the only approver lets money out at once, and the log says so', async () => {
    await setPolicy({ soleApprover: true });
    const done = await out(person);
    assert.equal(done.code, 'done', done.said);
    const [one, ...others] = await events();
    assert.equal(others.length, 0);
    assert.deepEqual(one?.['payload'] as unknown, {
      tool: 'service_post_journal_entry',
      reasons: ['no_limit_for_currency', 'unnamed_payee'],
    });
    const entry = await world.call(
      `${world.server.addresses.accounting}/api/audit/events?correlation_id=${String(one?.['correlation_id'])}`,
      { token: person, tenant },
    );
    const posted = (entry.body['items'] as unknown as readonly Json[]).find(({ id }) => id === one?.['causal_id']);
    assert.match(String(posted?.['type']), /entry/, JSON.stringify(entry.body));
  });

  test('an agent of theirs, and a client that may not decide, do not', async () => {
    assert.equal((await out(agent)).code, 'approval_required');
    assert.equal((await out(await world.token({ user }))).code, 'client_not_approver');
  });

  test('with a second person who may approve, two decide again; not with one who may not', async () => {
    for (const [email, role, found] of [
      ['viewer@example.com', 'viewer', 'done'],
      ['second@example.com', 'accountant', 'approval_required'],
    ] as const) {
      const invited = await portal('POST', '/invitations', { email, role });
      assert.equal(invited.status, 201, JSON.stringify(invited.body));
      const token = await world.token({ user: email, approver: true });
      const { secret } = invited.body;
      const accepted = await portal('POST', '/invitations/accept', { secret }, token);
      assert.equal(accepted.status, 200, JSON.stringify(accepted.body));
      const answer = await out(person, { amount: '11.00' });
      assert.equal(answer.code, found, answer.said);
      if (found === 'approval_required') {
        assert.equal(Number(answer.more['approvers']), 2);
        assert.doesNotMatch(answer.said, /Only one member/);
      }
    }
  });

  test('the log is verified', async () => {
    const { code, out: said } = await world.command(['audit', 'verify']);
    assert.equal(code, 0, said);
  });
});
