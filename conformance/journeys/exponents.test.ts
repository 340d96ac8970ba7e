import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createWorld, type Json, type World } from '@steward/conformance/world';

// 9007199254740993 is the first whole number that a double cannot hold. Written with the digits of ISO 4217, not of `Intl`.
const amounts = {
  JPY: '9007199254740993',
  USD: '90071992547409.93',
  HUF: '90071992547409.93',
  KWD: '9007199254740.993',
  IQD: '9007199254740.993',
  CLF: '900719925474.0993',
} as const;
type Currency = keyof typeof amounts;
const currencies = Object.keys(amounts) as Currency[];

describe('9007199254740993 minor units of every exponent, through every door', () => {
  let world: World;
  let tenant: string;
  let token: string;
  let approver: string;
  let customer: string;
  before(async () => {
    world = await createWorld();
    ({ tenant, token } = await world.signUp('digits@example.com', 'Digits'));
    approver = await world.token({ user: 'digits@example.com', approver: true });
    for (const currency of currencies)
      if (currency !== 'USD') await approved('service_set_exchange_rate', { currency, day: '2026-01-01', rate: '1' });
    customer = String((await use('service_create_party', { name: 'Ada' }))['data']?.['party']?.['id']);
    const chart = currencies.map((currency, index) => `18${index}0,Bank in ${currency},bank,${currency}`);
    await approved('service_import_chart_of_accounts', { content: ['code,name,type,currency', ...chart].join('\n') });
  });
  after(async () => world[Symbol.asyncDispose]());

  const addresses = () => world.server.addresses;
  const use = async (name: string, args: Record<string, unknown>): Promise<Json> => {
    const params = { name, arguments: args };
    const { body } = await world.call(`${addresses().mcp}/p/accounting`, {
      token,
      tenant,
      body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
    });
    const result = body['result']?.['structuredContent'];
    assert.ok(result !== undefined, JSON.stringify(body));
    return result;
  };
  const data = async (name: string, args: Record<string, unknown>): Promise<Json> => {
    const result = await use(name, args);
    assert.equal(String(result['status']), 'ok', `${name}: ${JSON.stringify(result)}`);
    return result['data'] as Json;
  };
  /** What the person was shown, as text, and what came of it. */
  const approved = async (name: string, args: Record<string, unknown>): Promise<{ shown: string; made: Json }> => {
    const asked = await use(name, args);
    if (String(asked['status']) === 'ok') return { shown: '', made: asked['data'] as Json };
    assert.equal(String(asked['status']), 'pending_approval', `${name}: ${JSON.stringify(asked)}`);
    const at = `${addresses().portal}/api/pending-actions/${String(asked['pending_action_id'])}`;
    const { body: shown } = await world.call(at, { token: approver, tenant });
    const body = { previewHash: shown['previewHash'] };
    const decided = await world.call(`${at}/approve`, { token: approver, tenant, body });
    assert.equal(String(decided.body['state']), 'executed', JSON.stringify(decided.body));
    return { shown: JSON.stringify(shown), made: decided.body['result']?.['data'] as Json };
  };
  const graph = async (query: string, variables: object = {}): Promise<Json> => {
    const { body } = await world.call(`${addresses().accounting}/graphql`, {
      token: approver,
      tenant,
      body: { query, variables },
    });
    assert.equal(body['errors'], undefined, JSON.stringify(body['errors']));
    return body['data'] as Json;
  };
  const file = async (path: string): Promise<string> => {
    const answer = await fetch(`${addresses().accounting}/api/${path}`, {
      headers: { authorization: `Bearer ${token}`, 'x-tenant-id': tenant },
    });
    assert.equal(answer.status, 200, path);
    return answer.text();
  };
  const list = (json: Json | undefined): readonly Json[] => json as unknown as readonly Json[];

  test('as an invoice and its payment by an agent: drafted, shown to a person, issued, paid, exported', async () => {
    for (const currency of currencies) {
      const amount = amounts[currency];
      const { document } = await data('service_create_invoice', {
        party_id: customer,
        issue_date: '2026-03-02',
        currency,
        lines: [{ description: `Digits of ${currency}`, quantity: '1', unit_price: amount, account: '4000' }],
      });
      assert.equal(String(document?.['total']?.['amount']), amount);
      const issued = await approved('service_issue_document', { document_id: document?.['id'] });
      assert.ok(issued.shown.includes(`"${amount}"`), `the person sees ${amount} ${currency}`);
      assert.equal(String(issued.made['document']?.['open']?.['amount']), amount);
      const { made, shown } = await approved('service_record_payment', {
        direction: 'received',
        party_id: customer,
        account: '1000',
        date: '2026-03-10',
        currency,
        amount,
        allocations: [{ document_id: document?.['id'], amount }],
      });
      assert.match(shown, /invoice INV-\d{5}/, 'people see the number that is on the paper');
      assert.equal(String(made['payment']?.['amount']?.['amount']), amount);
      assert.equal(
        String(made['payment']?.['open']?.['amount']),
        amount.replaceAll(/\d/g, '0').replace(/^0+(?=0)/, ''),
      );
      const { accountingDocument } = await graph(
        `query ($id: ID!) { accountingDocument: document(id: $id) { status total { amount currency } lines { unitPrice net { amount } } } }`,
        { id: document?.['id'] },
      );
      assert.deepEqual([accountingDocument?.['status'], accountingDocument?.['total']?.['amount']].map(String), [
        'paid',
        amount,
      ]);
    }
    const [documents, payments, allocations] = [
      await file('export/documents.csv'),
      await file('export/payments.csv'),
      await file('export/allocations.csv'),
    ];
    for (const currency of currencies) {
      assert.ok(documents.includes(`,${currency},${amounts[currency]},`), `documents.csv: ${currency}`);
      assert.ok(payments.includes(`,${currency},${amounts[currency]},`), `payments.csv: ${currency}`);
      assert.ok(allocations.includes(`,${currency},${amounts[currency]},`), `allocations.csv: ${currency}`);
    }
  });

  test('as a journal entry in GraphQL, read again there, by an agent, and in the journal as CSV', async () => {
    for (const currency of currencies) {
      const amount = amounts[currency];
      const { postJournalEntry: made } = await graph(
        `mutation ($input: JournalEntryInput!) { postJournalEntry(input: $input) { id number lines { debit { amount } credit { amount } } } }`,
        {
          input: {
            date: '2026-04-01',
            currency,
            narration: `Digits of ${currency}`,
            lines: [
              { account: '1050', debit: amount },
              { account: '3000', credit: amount },
            ],
          },
        },
      );
      assert.deepEqual(
        list(made?.['lines']).map((line) => String(line['debit']?.['amount'] ?? line['credit']?.['amount'])),
        [amount, amount],
      );
      const { entry } = await data('service_get_journal_entry', { entry_id: made?.['id'] });
      assert.equal(String(list(entry?.['lines'])[0]?.['debit']?.['amount']), amount);
      const shorter = amount.includes('.') ? amount.slice(0, -1) : `${amount}.0`;
      const lines = [
        { account: '1050', debit: shorter },
        { account: '3000', credit: shorter },
      ];
      const refused = await use('service_post_journal_entry', { date: '2026-04-01', currency, narration: 'x', lines });
      assert.equal(String(refused['error_code']), 'invalid_amount', `${shorter} ${currency}`);
    }
    const journal = await file('reports/journal.csv?from=2026-04-01&to=2026-04-30');
    for (const currency of currencies)
      assert.ok(
        journal.split('\n').some((line) => line.includes(currency) && line.includes(`,${amounts[currency]},`)),
        currency,
      );
  });

  test('as a line of a bank’s file, in each format that banks write', async () => {
    const camt = (currency: Currency): string => `<?xml version="1.0" encoding="UTF-8"?>
      <Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><Stmt><Id>1</Id><Acct><Ccy>${currency}</Ccy></Acct>
      <Ntry><Amt Ccy="${currency}">${amounts[currency]}</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts>
      <BookgDt><Dt>2026-05-03</Dt></BookgDt></Ntry></Stmt></BkToCstmrStmt></Document>`;
    const ofx = (
      currency: Currency,
    ): string => `OFXHEADER:100\n\n<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>${currency}
      <BANKTRANLIST><STMTTRN><TRNTYPE>CREDIT<DTPOSTED>20260502<TRNAMT>${amounts[currency]}<FITID>7<NAME>Ofx</STMTTRN></BANKTRANLIST>
      </STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>`;
    const csv = (currency: Currency): string => `Date,Amount,Description\n2026-05-01,${amounts[currency]},Csv\n`;
    for (const [index, currency] of currencies.entries()) {
      const account = `18${index}0`;
      for (const [format, content] of [
        ['csv', csv(currency)],
        ['ofx', ofx(currency)],
        ['camt053', camt(currency)],
      ])
        assert.equal(Number((await data('service_import_bank_statement', { account, format, content }))['added']), 1);
      const { lines } = await data('service_list_bank_lines', { account });
      assert.deepEqual(
        list(lines).map((line) => [String(line['amount']?.['amount']), String(line['amount']?.['currency'])]),
        [
          [amounts[currency], currency],
          [amounts[currency], currency],
          [`-${amounts[currency]}`, currency],
        ],
      );
      const more = `Date,Amount,Description\n2026-05-09,${'9'.repeat(20)},Beyond\n`;
      const beyond = await use('service_import_bank_statement', { account, format: 'csv', content: more });
      assert.equal(String(beyond['error_code']), 'invalid_statement', JSON.stringify(beyond));
      const { made } = await approved('service_post_bank_line', { line_id: list(lines)[0]?.['id'], account: '4900' });
      assert.equal(String(list(made['entry']?.['lines'])[0]?.['debit']?.['amount']), amounts[currency]);
    }
    const exported = await file('export/bank-lines.csv');
    for (const currency of currencies) assert.ok(exported.includes(`,${currency},-${amounts[currency]},`), currency);
  });

  test('as opening balances from CSV, and in every report', async () => {
    const { tenant: other, token: owner } = await world.signUp('yen@example.com', 'Yen', { defaultCurrency: 'JPY' });
    const own = { tenant, token, approver };
    [tenant, token, approver] = [other, owner, await world.token({ user: 'yen@example.com', approver: true })];
    const content = `account,debit,credit\n1000,${amounts.JPY},\n3000,,${amounts.JPY}\n`;
    const { shown } = await approved('service_import_opening_balances', { date: '2025-12-31', content });
    assert.ok(shown.includes(`"${amounts.JPY}"`));
    const { accounts: ledger } = await graph(
      `{ accounts: trialBalance(asOf: "2026-01-31") { debit { amount } rows { code debit { amount } } } }`,
    );
    assert.equal(String(ledger?.['debit']?.['amount']), amounts.JPY);
    const sheet = await data('service_get_balance_sheet', { as_of: '2026-01-31' });
    assert.equal(String(list(sheet['sections'])[0]?.['total']?.['amount']), amounts.JPY);
    for (const path of [
      'trial-balance.csv?asOf=2026-01-31',
      'balance-sheet.csv?asOf=2026-01-31',
      'journal.csv?from=2025-12-01&to=2025-12-31',
    ])
      assert.ok((await file(`reports/${path}`)).includes(amounts.JPY), path);
    const unsaid = await world.call(`${addresses().accounting}/api/reports/1099-summary.csv`, { token, tenant });
    assert.deepEqual(
      list(unsaid.body['errors']).map(({ pointer, code }) => [pointer, code]),
      [['?year', 'required']],
    );
    ({ tenant, token, approver } = own);
  });
});
