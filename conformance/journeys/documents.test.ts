import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createWorld, type Json, type World } from '@steward/conformance/world';

describe('invoices, bills and payments through every door', () => {
  let world: World;
  let tenant: string;
  let token: string;
  let approver: string;
  before(async () => {
    world = await createWorld();
    ({ tenant, token } = await world.signUp('books@example.com', 'Fjord Bikes'));
    approver = await world.token({ user: 'books@example.com', approver: true });
  });
  after(async () => world[Symbol.asyncDispose]());

  const use = async (name: string, args: Record<string, unknown>): Promise<Json> => {
    const { body } = await world.call(`${world.server.addresses.mcp}/p/accounting`, {
      token,
      tenant,
      body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } },
    });
    const result = body['result']?.['structuredContent'];
    assert.ok(result !== undefined, JSON.stringify(body));
    return result;
  };
  const ok = async (name: string, args: Record<string, unknown>): Promise<Json> => {
    const result = await use(name, args);
    assert.equal(result['status'], 'ok', `${name}: ${JSON.stringify(result)}`);
    return result['data'] as Json;
  };
  /** Asked for by the agent, approved by the person; what the tool answered then. */
  const approved = async (name: string, args: Record<string, unknown>): Promise<Json> => {
    const asked = await use(name, args);
    if (String(asked['status']) === 'ok') return asked['data'] as Json;
    assert.equal(String(asked['status']), 'pending_approval', `${name}: ${JSON.stringify(asked)}`);
    const at = `${world.server.addresses.portal}/api/pending-actions/${String(asked['pending_action_id'])}`;
    const { body: shown } = await world.call(at, { token: approver, tenant });
    const body = { previewHash: shown['previewHash'] };
    const decided = await world.call(`${at}/approve`, { token: approver, tenant, body });
    assert.equal(decided.body['state'], 'executed', JSON.stringify(decided.body));
    return decided.body['result']?.['data'] as Json;
  };
  const graph = async (query: string, variables: Record<string, unknown> = {}, by = token): Promise<Json> => {
    const { body } = await world.call(`${world.server.addresses.accounting}/graphql`, {
      token: by,
      tenant,
      body: { query, variables },
    });
    return body;
  };
  const invoiceFor = async (party: string, unit_price: string): Promise<Json> =>
    (
      await ok('service_create_invoice', {
        party_id: party,
        issue_date: '2026-03-02',
        lines: [{ description: 'Bicycle', unit_price, account: '4000' }],
      })
    )['document'] as Json;

  test('an agent bills a customer, is shown what issuing and paying would do, and does it', async () => {
    const { party } = await ok('service_create_party', { name: 'Ada Lovelace', email: 'ada@example.com' });
    const draft = await invoiceFor(String(party?.['id']), '100');
    const rehearsed = await use('service_issue_document', { document_id: draft['id'], preview: true });
    assert.equal(rehearsed['status'], 'preview');
    const balances = rehearsed['preview']?.['balances'] as unknown as Json[];
    assert.deepEqual(
      balances.map((one) => [one['code'], one['before']?.['amount'], one['after']?.['amount']]),
      [
        ['1100', '0.00', '100.00'],
        ['4000', '0.00', '-100.00'],
      ],
    );
    const { document } = await approved('service_issue_document', { document_id: draft['id'], version: 1 });
    assert.deepEqual([document?.['number'], document?.['status']], ['INV-00001', 'issued']);
    const payment = {
      direction: 'received',
      party_id: party?.['id'],
      account: '1000',
      date: '2026-03-10',
      currency: String(document?.['currency']),
      amount: '130.00',
      allocations: [{ document_id: draft['id'], amount: '100.00' }],
      idempotency_key: 'statement-7-line-3',
    };
    const [one, again] = [
      await approved('service_record_payment', payment),
      await approved('service_record_payment', payment),
    ];
    assert.deepEqual(one, again);
    assert.equal(one['payment']?.['open']?.['amount'], '30.00');
    const next = await invoiceFor(String(party?.['id']), '50');
    await approved('service_issue_document', { document_id: next['id'] });
    const allocated = await approved('service_allocate_payment', {
      credit_id: one['payment']?.['id'],
      date: '2026-03-12',
      allocations: [{ document_id: next['id'], amount: '30.00' }],
    });
    const aged = await ok('service_get_aged_report', { side: 'receivable', as_of: '2026-03-31' });
    assert.equal(aged['total']?.['amount'], '20.00');
    const paid = await ok('service_list_documents', { status: 'paid' });
    assert.deepEqual(
      (paid['documents'] as unknown as Json[]).map((each) => each['number']),
      ['INV-00001'],
    );
    const lines = (each: Json): unknown => each['lines'];
    assert.deepEqual((paid['documents'] as unknown as Json[]).map(lines), [undefined]);
    const whole = await ok('service_list_documents', { status: 'paid', include_lines: true });
    assert.equal((lines((whole['documents'] as unknown as Json[])[0] ?? {}) as unknown[]).length > 0, true);
    const [first] = allocated['allocations'] as unknown as Json[];
    await approved('service_unallocate_payment', { allocation_id: first?.['id'], date: '2026-03-13' });
    await approved('service_void_document', { document_id: next['id'], date: '2026-03-14' });
    const refused = await use('service_post_journal_entry', {
      date: '2026-03-14',
      currency: String(document?.['currency']),
      narration: 'By hand',
      lines: [
        { account: '1100', debit: '1.00' },
        { account: '4000', credit: '1.00' },
      ],
    });
    assert.equal(refused['error_code'], 'control_account');
  });

  test('a supplier’s number that comes twice is told with the first', async () => {
    const { party } = await ok('service_create_party', { name: 'Steel GmbH', supplier: true });
    const { tax_rate } = await ok('service_create_tax_rate', { name: 'VAT 20', percentage: '20' });
    const bill = {
      party_id: party?.['id'],
      issue_date: '2026-03-02',
      supplier_number: 'R-1',
      lines: [{ description: 'Steel', unit_price: '10', account: '5000', tax_id: tax_rate?.['id'] }],
    };
    const { document } = await ok('service_create_bill', bill);
    assert.equal(document?.['total']?.['amount'], '12.00');
    const { lines, taxes } = (document ?? {}) as unknown as Record<'lines' | 'taxes', Json[]>;
    const told = [tax_rate, lines[0], taxes[0]].map((one) => String(one?.['percentage']));
    assert.deepEqual(told, ['20', '20', '20'], 'one form everywhere');
    const again = await use('service_create_bill', bill);
    assert.equal(again['error_code'], 'duplicate_document');
    const words = `A draft bill of Steel GmbH of 2026-03-02 already has the supplier number R-1: change that document (${String(document?.['id'])}), or void it first.`;
    assert.equal(String(again['summary']), words);
    assert.deepEqual(again['data']?.['errors'], [{ pointer: '/supplier_number', code: 'duplicate', detail: words }]);
    const twin = await use('service_create_party', { name: 'STEEL GMBH' });
    assert.match(
      String(twin['warning']),
      new RegExp(`^Steel GmbH \\(${String(party?.['id'])}\\) has the same name\\. `),
    );
  });

  test('a day whose year is probably mistyped is asked about, in the preview, the result and the approval, and taken', async () => {
    const { party } = await ok('service_create_party', { name: 'Nils', customer: true });
    const year = new Date().getUTCFullYear();
    const invoice = (issue_date: string): Record<string, unknown> => ({
      party_id: party?.['id'],
      issue_date,
      lines: [{ description: 'Bicycle', unit_price: '5', account: '4000' }],
    });
    for (const [day, where] of [
      [`${year + 40}-03-02`, 'more than a year ahead'],
      [`${year - 90}-03-02`, 'more than ten years back'],
    ] as const) {
      const asked = `The issue date, ${day}, is ${where}: check the year.`;
      const preview = await use('service_create_invoice', { ...invoice(day), preview: true });
      assert.ok(String(preview['summary']).includes(asked), JSON.stringify(preview));
      const made = await use('service_create_invoice', invoice(day));
      assert.deepEqual([made['status'], String(made['warning']).includes(asked)], ['ok', true], JSON.stringify(made));
      const waits = await use('service_issue_document', { document_id: made['data']?.['document']?.['id'] });
      assert.equal(String(waits['status']), 'pending_approval', JSON.stringify(waits));
      assert.ok(String(waits['summary']).includes(asked), JSON.stringify(waits));
    }
    const usual = await use('service_create_invoice', invoice(`${year}-03-02`));
    assert.deepEqual([usual['status'], usual['warning']], ['ok', undefined]);
  });

  test('what does not fit is refused with the way that does', async () => {
    const made = async (name: string, more: Record<string, unknown>): Promise<string> =>
      String((await ok('service_create_party', { name, ...more }))['party']?.['id']);
    const [customer, supplier] = [await made('Cleo', { customer: true }), await made('Sam', { supplier: true })];
    const line = { description: 'Bicycle', unit_price: '5', account: '4000' };
    const invoice = { party_id: customer, issue_date: '2026-03-02', lines: [line] };
    const payment = { account: '1000', date: '2026-03-05', currency: 'USD', amount: '5.00' };
    const { document } = await ok('service_create_invoice', invoice);
    const document_id = document?.['id'];
    assert.equal(
      String((await use('service_void_document', { document_id, preview: true }))['summary']),
      'Would discard the draft: invoice over 5.00 USD, Cleo.',
    );
    const { document: issued } = await approved('service_issue_document', { document_id });
    await ok('service_create_invoice', { ...invoice, kind: 'credit_note', credits: document_id });
    assert.match(
      String((await use('service_void_document', { document_id, preview: true }))['summary']),
      /Would void invoice INV-\d+ .* A draft credits it and stays: void that too, or the same is taken back twice\./,
    );
    const { payment: paid } = await approved('service_record_payment', {
      ...payment,
      direction: 'received',
      party_id: customer,
    });
    const content = 'Date,Amount,Description\n2026-03-05,-5.00,Fee\n';
    await ok('service_import_bank_statement', { account: '1000', format: 'csv', content });
    const { lines } = await ok('service_list_bank_lines', { account: '1000' });
    const line_id = (lines as unknown as Json[])[0]?.['id'];
    const entries = [{ entry_id: paid?.['entry_id'] }];
    const reversal = { date: '2026-03-06', narration: 'Wrong' };
    for (const [name, args, told] of [
      [
        'service_record_payment',
        { ...payment, direction: 'made', party_id: customer },
        /customer and no supplier: give refund: true for a refund to a customer, or mark it as a supplier first/,
      ],
      [
        'service_record_payment',
        { ...payment, direction: 'received', party_id: supplier },
        /supplier and no customer: give refund: true for a refund from a supplier/,
      ],
      [
        'service_record_payment',
        { ...payment, direction: 'made', refund: true, party_id: supplier },
        /leave refund out/,
      ],
      ['service_match_bank_line', { line_id, entries }, /line moves 5.00 out of the account, but the entry 5.00 into/],
      [
        'service_create_invoice',
        { ...invoice, lines: [{ ...line, unit_price: '-5' }] },
        /below zero: draft a credit note/,
      ],
      [
        'service_create_invoice',
        { ...invoice, lines: [{ ...line, account: '1100' }] },
        /choose the account of what is sold/,
      ],
      ['service_reverse_journal_entry', { ...reversal, entry_id: issued?.['entry_id'] }, /an invoice: void that/],
      ['service_reverse_journal_entry', { ...reversal, entry_id: paid?.['entry_id'] }, /a payment: void that/],
    ] as const) {
      const refused = await use(name, args);
      assert.equal(String(refused['status']), 'error', JSON.stringify(refused));
      assert.match(String(refused['summary']), told, name);
    }
  });

  test('GraphQL answers the same, with the party loaded once for all', async () => {
    const made = await graph(
      `mutation ($party: PartyInput!) { createParty(input: $party) { id termsDays taxIdLast4 } }`,
      { party: { name: 'Grace', termsDays: 7, taxIdLast4: '1234' } },
    );
    const party = made['data']?.['createParty']?.['id'];
    const drafted = await graph(
      `mutation ($input: DocumentInput!) { createDocument(kind: invoice, input: $input, idempotencyKey: "a") { id dueDate version } }`,
      {
        input: {
          partyId: party,
          issueDate: '2026-03-02',
          pricing: 'inclusive',
          lines: [{ description: 'x', unitPrice: '12.5', account: '4000' }],
        },
      },
    );
    const id = drafted['data']?.['createDocument']?.['id'];
    assert.equal(drafted['data']?.['createDocument']?.['dueDate'], '2026-03-09', JSON.stringify(drafted));
    const issue = `mutation ($id: ID!) { issueDocument(id: $id, version: 1) { number total { amount } } }`;
    const agent = await world.token({ user: 'books@example.com', agent: 'bookkeeper' });
    for (const [by, code] of [
      [agent, 'approval_required'],
      [token, 'client_not_approver'],
    ] as const) {
      const refused = await graph(issue, { id }, by);
      assert.equal(
        (refused['errors'] as unknown as Json[])[0]?.['extensions']?.['code'],
        code,
        JSON.stringify(refused),
      );
    }
    const policy = async (tools: Readonly<Record<string, unknown>>): Promise<void> => {
      const at = `${world.server.addresses.portal}/api/approval-policy`;
      const { body: held } = await world.call(at, { token: approver, tenant });
      const { status } = await world.call(at, { method: 'PUT', token: approver, tenant, body: { ...held, tools } });
      assert.equal(status, 200);
    };
    await policy({ service_issue_document: { fourEyes: true } });
    const alone = await graph(issue, { id }, approver);
    assert.equal(
      (alone['errors'] as unknown as Json[])[0]?.['extensions']?.['code'],
      'approval_required',
      JSON.stringify(alone),
    );
    await policy({});
    const issued = await graph(issue, { id }, approver);
    assert.equal(issued['data']?.['issueDocument']?.['total']?.['amount'], '12.50', JSON.stringify(issued));
    const read = await graph(
      `query ($party: ID!) {
        documents(partyId: $party, status: issued, limit: 5) { items { number open { amount currency } party { name } lines { unitPrice } } nextCursor }
        agedReport(side: receivable, asOf: "2026-03-31") { total { amount } parties { name total { amount } items { number days } } }
        payments(limit: 5) { items { number allocations { amount { amount } } party { name } } }
        taxRates { name percentage }
        parties(name: "grace") { items { name } }
      }`,
      { party },
    );
    assert.equal(read['errors'], undefined, JSON.stringify(read['errors']));
    const items = (read['data']?.['documents']?.['items'] ?? []) as unknown as Json[];
    const [document] = items;
    assert.deepEqual([document?.['open']?.['amount'], document?.['party']?.['name']], ['12.50', 'Grace']);
    const hostile = await graph(`mutation ($input: PartyInput!) { createParty(input: $input) { id } }`, {
      input: { name: 'a\u0000b' },
    });
    assert.equal((hostile['errors'] as unknown as Json[])[0]?.['extensions']?.['code'], 'invalid_request');
    const lost = await graph(`{ document(id: "0190d3f4-0000-7000-8000-000000000000") { id } }`);
    assert.equal((lost['errors'] as unknown as Json[])[0]?.['extensions']?.['code'], 'not_found');
  });

  test('an account is read by its number as by its id, through every door', async () => {
    const byNumber = (await ok('service_get_account', { account_id: '1000' }))['account'] as Json;
    assert.equal(byNumber['code'], '1000');
    const byId = await ok('service_get_account', { account_id: byNumber['id'] });
    assert.deepEqual(byId['account'], byNumber);
    const shown = await graph('{ account(id: "1000") { id code } }');
    assert.deepEqual(shown['data'], { account: { id: byNumber['id'], code: '1000' } });
    const url = `${world.server.addresses.accounting}/api/accounts/1000`;
    assert.deepEqual((await world.call(url, { token, tenant })).body, byNumber);
    assert.equal((await world.call(url.replace('1000', '1%00'), { token, tenant })).status, 404);
  });

  test('an invoice is had as PDF by its members, and by nobody else', async () => {
    const listed = await ok('service_list_documents', { kind: 'invoice', limit: 1 });
    const [document] = listed['documents'] as unknown as Json[];
    const url = `${world.server.addresses.accounting}/api/invoices/${String(document?.['id'])}/pdf`;
    const headers = { authorization: `Bearer ${token}`, 'x-tenant-id': tenant };
    const answer = await fetch(url, { headers });
    assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, 'application/pdf']);
    const bytes = Buffer.from(await answer.arrayBuffer());
    assert.equal(bytes.toString('latin1', 0, 5), '%PDF-');
    assert.ok(bytes.equals(Buffer.from(await (await fetch(url, { headers })).arrayBuffer())), 'the same bytes again');
    const head = await fetch(url, { headers, method: 'HEAD' });
    assert.deepEqual([head.status, head.headers.get('content-length')], [200, String(bytes.length)]);
    const other = await world.signUp('other@example.com');
    const foreign = await world.call(url, { token: other.token, tenant: other.tenant });
    assert.deepEqual([foreign.status, foreign.body['code']], [404, 'not_found']);
    const bills = await ok('service_list_documents', { kind: 'bill', limit: 1 });
    const [bill] = bills['documents'] as unknown as Json[];
    const none = await world.call(url.replace(String(document?.['id']), String(bill?.['id'])), { token, tenant });
    assert.deepEqual([none.status, none.body['code']], [404, 'not_found']);
    assert.match(String(none.body['detail']), /A bill has no PDF here, because its supplier wrote it/);
    assert.equal((await fetch(url)).status, 401);
  });
});
