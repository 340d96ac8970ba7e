import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { createWorld, type Answer, type Json, type World } from '@steward/conformance/world';

/** A month of a small business, computed by hand: the figures below follow from nothing but the calls above them. */
describe('an agent keeps the books for a month, a person approves', () => {
  let world: World;
  let tenant: string;
  let approver: string;
  let agent: Client;
  before(async () => {
    world = await createWorld();
    const { token: owner, document } = await world.signUp('owner@example.com', 'Month Ltd');
    tenant = String(document['organization']?.['id']);
    approver = await world.token({ user: 'owner@example.com', approver: true });
    const token = await world.token({ user: 'owner@example.com', agent: 'bookkeeper' });
    agent = new Client({ name: 'bookkeeper', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
    const headers = { authorization: `Bearer ${token}` };
    const url = new URL(`${world.server.addresses.mcp}/t/${tenant}/p/accounting`);
    await agent.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
    assert.ok(owner);
    const { body: policy } = await portal('GET', '/approval-policy');
    const alone = { ...policy, soleApprover: true };
    assert.equal((await portal('PUT', '/approval-policy', alone)).status, 200);
  });
  after(async () => {
    await agent.close();
    await world[Symbol.asyncDispose]();
  });

  const portal = async (method: string, path: string, body?: unknown): Promise<Answer> =>
    world.call(`${world.server.addresses.portal}/api${path}`, {
      token: approver,
      tenant,
      method,
      ...(body === undefined ? {} : { body }),
    });
  const call = async (name: string, args: Record<string, unknown> = {}): Promise<Json> => {
    const result = (await agent.callTool({ name, arguments: args })).structuredContent as unknown as Json;
    assert.notEqual(String(result['status']), 'error', `${name}: ${JSON.stringify(result)}`);
    return result;
  };
  /** Asks, and has the person see the preview and approve it. */
  const approved = async (name: string, args: Record<string, unknown>): Promise<void> => {
    const asked = await call(name, args);
    assert.equal(String(asked['status']), 'pending_approval', `${name}: ${JSON.stringify(asked)}`);
    const id = String(asked['pending_action_id']);
    const { body: shown } = await portal('GET', `/pending-actions/${id}`);
    const decided = await portal('POST', `/pending-actions/${id}/approve`, { previewHash: shown['previewHash'] });
    assert.deepEqual([decided.status, String(decided.body['state'])], [200, 'executed'], JSON.stringify(decided.body));
  };
  const data = async (name: string, args: Record<string, unknown> = {}): Promise<Json> =>
    (await call(name, args))['data'] as Json;
  const list = (json: Json | undefined): readonly Json[] => json as unknown as readonly Json[];
  const draft = async (tool: string, args: Record<string, unknown>): Promise<string> =>
    String((await data(tool, args))['document']?.['id']);

  test('from the opening balances to the closed month, to the cent', async () => {
    const opening = 'account,debit,credit\n1000,5000.00,\n1500,2000.00,\n3000,,7000.00\n';
    await approved('service_import_opening_balances', { date: '2025-12-31', content: opening });
    const tax = String(
      (await data('service_create_tax_rate', { name: 'Tax 20', percentage: '20' }))['tax_rate']?.['id'],
    );
    const customer = String((await data('service_create_party', { name: 'Ada', customer: true }))['party']?.['id']);
    const supplier = String(
      (await data('service_create_party', { name: 'Paper & Co', supplier: true }))['party']?.['id'],
    );

    // Sold: 2 × 500 and tax of 200. Bought: paper for 100 and tax of 20.
    const invoice = await draft('service_create_invoice', {
      party_id: customer,
      issue_date: '2026-01-05',
      lines: [{ description: 'Consulting', quantity: '2', unit_price: '500', account: '4000', tax_id: tax }],
    });
    const bill = await draft('service_create_bill', {
      party_id: supplier,
      issue_date: '2026-01-07',
      supplier_number: 'P-17',
      lines: [{ description: 'Paper', quantity: '1', unit_price: '100', account: '6300', tax_id: tax }],
    });
    await approved('service_issue_document', { document_id: invoice });
    await approved('service_issue_document', { document_id: bill });
    await approved('service_record_payment', {
      direction: 'received',
      party_id: customer,
      account: '1000',
      date: '2026-01-20',
      currency: 'USD',
      amount: '700.00',
      allocations: [{ document_id: invoice, amount: '700.00' }],
    });
    await approved('service_record_payment', {
      direction: 'made',
      party_id: supplier,
      account: '1000',
      date: '2026-01-21',
      currency: 'USD',
      amount: '120.00',
      allocations: [{ document_id: bill, amount: '120.00' }],
    });

    // The bank: both payments, and charges of 9.50 that nobody had entered.
    const statement =
      'Date,Amount,Description\n2026-01-20,700.00,ADA\n2026-01-22,-120.00,PAPER & CO\n2026-01-31,-9.50,ACCOUNT FEE\n';
    const imported = await call('service_import_bank_statement', {
      account: '1000',
      format: 'csv',
      content: `${statement}tomorrow,-80.00,RENT\n`,
    });
    assert.equal(Number(imported['data']?.['added']), 3);
    assert.match(String(imported['summary']), /Lines of the file that were not imported: 5\./);
    const lines = list((await data('service_list_bank_lines', { account: '1000', unmatched: true }))['lines']);
    for (const line of lines.slice(0, 2)) {
      const [best] = list((await data('service_suggest_bank_matches', { line_id: line['id'] }))['suggestions']);
      assert.equal(String(best?.['kind']), 'entry', JSON.stringify(best));
      await call('service_match_bank_line', { line_id: line['id'], entries: [{ entry_id: best?.['entry_id'] }] });
    }
    await approved('service_post_bank_line', { line_id: lines[2]?.['id'], account: '6900' });
    await approved('service_reconcile_account', {
      account: '1000',
      to: '2026-01-31',
      opening: '5000.00',
      closing: '5570.50',
    });
    await approved('service_close_period', { month: '2026-01-01' });

    const balance = await data('service_get_trial_balance', { as_of: '2026-01-31' });
    const held = Object.fromEntries(
      list(balance['rows']).map((row) => [
        String(row['code']),
        row['debit'] === null ? `-${String(row['credit']?.['amount'])}` : String(row['debit']?.['amount']),
      ]),
    );
    // US sales tax on a purchase is not recovered: the paper cost 120.
    assert.deepEqual(held, {
      '1000': '5570.50',
      '1100': '500.00',
      '1500': '2000.00',
      '2200': '-200.00',
      '3000': '-7000.00',
      '4000': '-1000.00',
      '6300': '120.00',
      '6900': '9.50',
    });
    const result = await data('service_get_profit_and_loss', { from: '2026-01-01', to: '2026-01-31' });
    assert.equal(String(result['result']?.['amount']), '870.50');
    const sheet = await data('service_get_balance_sheet', { as_of: '2026-01-31' });
    assert.deepEqual(
      list(sheet['sections']).map((section) => String(section['total']?.['amount'])),
      ['8070.50', '200.00', '7870.50'],
    );
    const flow = await data('service_get_cash_flow', { from: '2026-01-01', to: '2026-01-31' });
    assert.deepEqual(
      [String(flow['opening']?.['amount']), String(flow['closing']?.['amount'])],
      ['5000.00', '5570.50'],
    );
    const late = await agent.callTool({
      name: 'service_post_journal_entry',
      arguments: {
        date: '2026-01-15',
        currency: 'USD',
        narration: 'Too late',
        lines: [
          { account: '6300', debit: '1.00' },
          { account: '1000', credit: '1.00' },
        ],
      },
    });
    assert.equal((late.structuredContent as { error_code?: string }).error_code, 'period_closed');
  });

  test('and every figure is in files that an accountant opens, and in a chain that verifies', async () => {
    const csv = await fetch(`${world.server.addresses.accounting}/api/reports/trial-balance.csv?asOf=2026-01-31`, {
      headers: { authorization: `Bearer ${await world.token({ user: 'owner@example.com' })}`, 'x-tenant-id': tenant },
    });
    assert.deepEqual([csv.status, csv.headers.get('content-type')], [200, 'text/csv; charset=utf-8']);
    assert.match(await csv.text(), /,Total,,8200\.00,8200\.00,USD\r\n$/);
    const headers = {
      authorization: `Bearer ${await world.token({ user: 'owner@example.com' })}`,
      'x-tenant-id': tenant,
    };
    for (const [name, says] of [
      ['accounts', /\r\n1000,Bank account,asset,USD,bank,cash,/],
      ['parties', /Paper & Co,,false,true,USD/],
      ['documents', /bill,BILL-00001,paid,Paper & Co,2026-01-07,.*,120\.00,0\.00,P-17,1,Paper,1,100\.00,6300,20,/],
      ['payments', /PAY-0000\d,made,Paper & Co,1000,2026-01-21,USD,120\.00,transfer/],
      ['allocations', /2026-01-2\d,USD,120\.00,PAY-0000\d,BILL-00001,/],
      ['bank-lines', /1000,2026-01-31,USD,-9\.50,ACCOUNT FEE,/],
    ] as const) {
      const answer = await fetch(`${world.server.addresses.accounting}/api/export/${name}.csv`, { headers });
      assert.match(await answer.text(), says, name);
    }
    const graph = await world.call(`${world.server.addresses.accounting}/graphql`, {
      token: approver,
      tenant,
      body: {
        query: `{ cashFlow(from: "2026-01-01", to: "2026-01-31") { closing { amount } sections { activity total { amount } } }
          taxLiability(from: "2026-01-01", to: "2026-01-31") { due { amount } rows { name salesTax { amount } } }
          form1099Summary(year: 2026) { name paid { amount } missing } accountingPeriods { month status }
          bankLines(account: "1000", limit: 1) { items { day unmatched { amount } matches { entryId } } nextCursor }
          reconciliation(input: { account: "1000", to: "2026-02-28", closing: "5570.50" }) { difference { amount } } }`,
      },
    });
    const { data } = graph.body;
    assert.equal(graph.body['errors'], undefined, JSON.stringify(graph.body['errors']));
    assert.deepEqual(
      [
        data?.['cashFlow']?.['closing']?.['amount'],
        data?.['taxLiability']?.['due']?.['amount'],
        data?.['reconciliation']?.['difference']?.['amount'],
      ].map(String),
      ['5570.50', '200.00', '0.00'],
    );
  });

  test('what a close or a revaluation does is shown before it is approved: period, counts, result and amounts', async () => {
    const shown = async (name: string, args: Record<string, unknown>): Promise<readonly [string, Json]> => {
      const asked = await call(name, args);
      const { body } = await portal('GET', `/pending-actions/${String(asked['pending_action_id'])}`);
      return [String(body['summary']), body['preview'] as Json];
    };
    const line = { description: 'Work', unit_price: '100', account: '4000' };
    await approved('service_post_journal_entry', {
      date: '2025-06-05',
      currency: 'USD',
      narration: 'Sold',
      lines: [
        { account: '1000', debit: '10.00' },
        { account: '4000', credit: '10.00' },
      ],
    });
    const party_id = String((await data('service_create_party', { name: 'Bo', customer: true }))['party']?.['id']);
    await draft('service_create_invoice', { party_id, issue_date: '2025-06-30', lines: [line] });
    await data('service_import_bank_statement', {
      account: '1050',
      format: 'csv',
      content: 'Date,Amount,Description\n2025-05-31,1.00,Before\n2025-06-05,10.00,Sold\n2025-06-30,-2.00,Fee\n',
    });
    const [month, closed] = await shown('service_close_period', { month: '2025-06-01' });
    assert.equal(month, 'Would close 2025-06, with 1 entry, 1 draft and 2 unmatched bank lines dated in it.');
    assert.deepEqual({ ...closed }, { month: '2025-06-01', changed: true, entries: 1, drafts: 1, bank_lines: 2 });
    const [year, { year: ended }] = await shown('service_close_fiscal_year', { day: '2025-06-01' });
    assert.match(
      year,
      /2025-01 to 2025-12 for good, with 2 entries, 1 draft and 3 unmatched bank lines .* a result of 10\.00 USD to retained/,
    );
    assert.deepEqual(
      { ...ended },
      {
        first_month: '2025-01-01',
        last_month: '2025-12-01',
        entries: 2,
        drafts: 1,
        bank_lines: 3,
        result: { amount: '10.00', currency: 'USD' },
      },
    );
    const rate = async (day: string, one: string): Promise<unknown> =>
      approved('service_set_exchange_rate', { currency: 'EUR', day, rate: one });
    await rate('2026-02-02', '1.10');
    const invoice = { party_id, currency: 'EUR', issue_date: '2026-02-02', lines: [line] };
    await approved('service_issue_document', { document_id: await draft('service_create_invoice', invoice) });
    await rate('2026-02-28', '1.20');
    const [valued, { currencies }] = await shown('service_revalue_open_items', { day: '2026-02-28' });
    assert.equal(valued, 'Would revalue 1 open item on 2026-02-28: 100.00 EUR by 10.00 USD.');
    const difference = { amount: '10.00', currency: 'USD' };
    assert.deepEqual(currencies, [
      { currency: 'EUR', rate: '1.2', items: 1, amount: { amount: '100.00', currency: 'EUR' }, difference },
    ]);
  });
});
