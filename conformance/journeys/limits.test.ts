import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createWorld, type Answer, type Json, type World } from '@steward/conformance/world';

describe('what a policy limits binds every door and every way to move money', () => {
  let world: World;
  let tenant: string;
  let owner: string;
  let agent: string;
  let approver: string;
  before(async () => {
    world = await createWorld();
    ({ tenant, token: owner } = await world.signUp('owner@example.com', 'Limited'));
    agent = await world.token({ user: 'owner@example.com', agent: 'bookkeeper' });
    approver = await world.token({ user: 'owner@example.com', approver: true });
  });
  after(async () => world[Symbol.asyncDispose]());

  const portal = async (method: string, path: string, body?: unknown): Promise<Answer> =>
    world.call(`${world.server.addresses.portal}/api${path}`, {
      token: approver,
      tenant,
      method,
      ...(body === undefined ? {} : { body }),
    });
  const setPolicy = async (changes: object): Promise<void> => {
    const { body } = await portal('GET', '/approval-policy');
    const answer = await portal('PUT', '/approval-policy', { ...body, ...changes });
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
  };
  const rpc = async (token: string, method: string, params: unknown, address = '/p/accounting'): Promise<Json> =>
    (
      await world.call(`${world.server.addresses.mcp}${address}`, {
        token,
        tenant,
        body: { jsonrpc: '2.0', id: 1, method, params },
      })
    ).body['result'] as Json;
  const use = async (name: string, args: unknown, token = agent): Promise<Json> =>
    (await rpc(token, 'tools/call', { name, arguments: args }))?.['structuredContent'] as Json;
  const graph = async (token: string, query: string, variables: object = {}): Promise<Json> =>
    (await world.call(`${world.server.addresses.accounting}/graphql`, { token, tenant, body: { query, variables } }))
      .body;
  const code = (answer: Json): string =>
    String((answer['errors'] as unknown as Json[] | undefined)?.[0]?.['extensions']?.['code']);
  /** Asks for a command: how many people must approve, why, and what amount was judged. */
  const judged = async (name: string, args: unknown): Promise<unknown[]> => {
    const asked = await use(name, args);
    assert.equal(String(asked['status']), 'pending_approval', JSON.stringify(asked));
    const { body } = await portal('GET', `/pending-actions/${String(asked['pending_action_id'])}`);
    const { approvalsNeeded, reasons, amount } = body;
    return [
      approvalsNeeded,
      reasons,
      amount === null ? null : `${String(amount?.['amount'])} ${String(amount?.['currency'])}`,
    ];
  };
  const entry = (debit: string, credit: string, amount: string) => ({
    date: '2026-03-01',
    currency: 'USD',
    narration: `${debit} from ${credit}`,
    lines: [
      { account: debit, debit: amount },
      { account: credit, credit: amount },
    ],
  });

  test('an entry that takes money from the bank takes two people, as the payment does that it could stand for', async () => {
    const out = entry('6900', '1000', '75.00');
    assert.deepEqual(await judged('service_post_journal_entry', out), [
      2,
      ['no_limit_for_currency', 'new_destination'],
      '75.00 USD',
    ]);
    assert.deepEqual(await judged('service_post_journal_entry', entry('1000', '3000', '75.00')), [1, [], '75.00 USD']);
    assert.deepEqual(
      await judged('service_post_journal_entry', entry('1050', '1000', '75.00')),
      [1, [], '75.00 USD'],
      'a transfer between accounts of money',
    );
    const post = `mutation ($input: JournalEntryInput!) { postJournalEntry(input: $input) { id number } }`;
    assert.equal(code(await graph(approver, post, { input: out })), 'approval_required');
    const inside = await graph(approver, post, { input: entry('1000', '3000', '75.00') });
    assert.equal(String(inside['data']?.['postJournalEntry']?.['number']), '1', JSON.stringify(inside));
    const entry_id = String(inside['data']?.['postJournalEntry']?.['id']);
    const back = { entry_id, date: '2026-03-01', narration: 'Not ours' };
    const reversal = await judged('service_reverse_journal_entry', back);
    assert.deepEqual(
      reversal,
      [2, ['no_limit_for_currency', 'new_destination'], '75.00 USD'],
      'it pays nobody who is named',
    );
    // Nor by the name of an opening, which may be of any day.
    const opening = (rows: string) => ({ date: '2026-03-05', content: `account,debit,credit\n${rows}` });
    const taken = opening('6900,75.00,\n1000,,75.00\n');
    assert.deepEqual(await judged('service_import_opening_balances', taken), [
      2,
      ['no_limit_for_currency', 'new_destination'],
      '75.00 USD',
    ]);
    const held = opening('1000,75.00,\n3000,,75.00\n');
    assert.deepEqual(await judged('service_import_opening_balances', held), [1, [], '75.00 USD']);
    const open = `mutation ($date: String!, $content: String!) { importOpeningBalances(date: $date, content: $content) { number } }`;
    assert.equal(code(await graph(approver, open, taken)), 'approval_required');
  });

  test('a limit by amount and its sum of the day bind entries, documents and bank lines', async () => {
    const limit = (amount: string) => [{ amount, currency: 'USD' }];
    await setPolicy({
      newPayeeFourEyes: false,
      tools: {
        service_post_journal_entry: { fourEyesAboveDaily: limit('250.00') },
        service_issue_document: { fourEyesAbove: limit('100.00') },
        service_post_bank_line: { fourEyesAbove: limit('30.00') },
      },
    });
    // 75 and 75 are open from before, 75 of the transfer: what one person may approve of this tool today is nearly used up.
    assert.deepEqual(await judged('service_post_journal_entry', entry('1500', '3000', '25.00')), [1, [], '25.00 USD']);
    assert.deepEqual(await judged('service_post_journal_entry', entry('1500', '3000', '0.01')), [
      2,
      ['daily_sum_above_limit'],
      '0.01 USD',
    ]);
    const { data } = await use('service_create_party', { name: 'Ada', supplier: true });
    for (const [unit_price, needed] of [
      ['100.00', 1],
      ['100.01', 2],
    ] as const) {
      const bill = await use('service_create_bill', {
        party_id: data?.['party']?.['id'],
        issue_date: '2026-03-02',
        supplier_number: `B-${unit_price}`,
        currency: 'USD',
        lines: [{ description: 'x', unit_price, account: '5000' }],
      });
      const [people, , amount] = await judged('service_issue_document', {
        document_id: bill['data']?.['document']?.['id'],
      });
      assert.deepEqual([people, amount], [needed, `${unit_price} USD`]);
    }
    await use('service_import_bank_statement', {
      account: '1000',
      format: 'csv',
      content: 'date,amount,description\n2026-03-03,-30.01,Fee\n2026-03-03,-30.00,Other fee\n',
    });
    const lines = (await use('service_list_bank_lines', { account: '1000' }))['data']?.['lines'] as unknown as Json[];
    const needs: string[] = [];
    for (const line of lines.toSorted((a, b) => (String(a['description']) < String(b['description']) ? 1 : -1))) {
      const [people, , amount] = await judged('service_post_bank_line', { line_id: line['id'], account: '6900' });
      needs.push(`${String(amount)}: ${String(people)}`);
    }
    assert.deepEqual(needs, ['30.00 USD: 1', '30.01 USD: 2']);
  });

  test('a draft that the policy makes wait waits in GraphQL and REST too', async () => {
    const create = `mutation { createParty(input: { name: "By GraphQL" }) { id } }`;
    assert.equal(code(await graph(agent, create)), 'undefined');
    await setPolicy({
      tools: { service_create_party: { tier: 'approval' }, service_attach_file: { tier: 'approval' } },
    });
    assert.equal(code(await graph(agent, create)), 'approval_required');
    assert.equal(code(await graph(owner, create)), 'client_not_approver');
    assert.equal(code(await graph(approver, create)), 'undefined');
    const url = `${world.server.addresses.accounting}/api/attachments?targetKind=entry&targetId=0190a0a0-0000-7000-8000-00000000000a&fileName=a.txt`;
    const upload = await world.call(url, {
      token: owner,
      tenant,
      body: 'x',
      headers: { 'content-type': 'text/plain' },
    });
    assert.deepEqual([upload.status, upload.body['code']], [403, 'client_not_approver']);
  });

  test('what waits can be followed where it was asked for, with a token for that pillar alone', async () => {
    const narrow = await world.token({
      user: 'owner@example.com',
      agent: 'bookkeeper',
      scope: 'mcp:read mcp:write mcp:accounting',
    });
    const asked = await use('service_create_party', { name: 'Waits' }, narrow);
    const id = asked['pending_action_id'];
    assert.equal(String(asked['status']), 'pending_approval', JSON.stringify(asked));
    const listed = (await rpc(narrow, 'tools/list', {}))?.['tools'] as unknown as Json[];
    const names = listed.map(({ name }) => String(name));
    for (const name of [
      'service_list_pending_actions',
      'service_get_pending_action',
      'service_withdraw_pending_action',
    ])
      assert.ok(names.includes(name), `${name} in ${names.join()}`);
    assert.ok(names.length <= 60);
    const manifest = await world.call(`${world.server.addresses.mcp}/p/accounting/manifest`, { token: narrow, tenant });
    assert.deepEqual(
      (manifest.body['tools'] as unknown as Json[]).map(({ name }) => String(name)).toSorted(),
      names.toSorted(),
    );
    const read = await use('service_get_pending_action', { pending_action_id: id }, narrow);
    assert.equal(String(read['data']?.['state']), 'pending', JSON.stringify(read));
    const withdrawn = await use('service_withdraw_pending_action', { pending_action_id: id }, narrow);
    assert.equal(String(withdrawn['data']?.['state']), 'withdrawn', JSON.stringify(withdrawn));
  });

  test('whoever decides about a supplier reads which others may be taken for it, and what is added meanwhile takes another look', async () => {
    const named = async (name: string): Promise<string> => {
      const { data } = await use('service_create_party', { name, supplier: true });
      return String(data?.['party']?.['id']);
    };
    await setPolicy({ tools: {} });
    const party_id = await named('N\u043erdlicht UG');
    await named('Nordlicht GmbH');
    const bill = await use('service_create_bill', {
      party_id,
      issue_date: '2026-03-02',
      supplier_number: 'N-1',
      currency: 'USD',
      lines: [{ description: 'x', unit_price: '5.00', account: '5000' }],
    });
    const asked = await use('service_issue_document', { document_id: bill['data']?.['document']?.['id'] });
    const at = `/pending-actions/${String(asked['pending_action_id'])}`;
    const alike = (action: Json): unknown =>
      (action['facts'] as unknown as Json[]).find(({ id }) => String(id) === party_id)?.['before']?.[
        'others_named_alike'
      ];
    const { body } = await portal('GET', at);
    assert.deepEqual(alike(body), ['Nordlicht GmbH']);
    await named('NORDLICHT');
    const late = await portal('POST', `${at}/approve`, { previewHash: body['previewHash'] });
    assert.deepEqual([late.status, String(late.body['code'])], [409, 'stale_preview']);
    const { body: now } = await portal('GET', at);
    assert.deepEqual(alike(now), ['Nordlicht GmbH', 'NORDLICHT']);
    const done = await portal('POST', `${at}/approve`, { previewHash: now['previewHash'] });
    assert.equal(String(done.body['state']), 'executed', JSON.stringify(done.body));
  });
});
