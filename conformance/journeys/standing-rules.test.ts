import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { inTransaction, openPool, sql } from '@steward/sql';
import { createWorld, type Json, toolPaths, type World } from '@steward/conformance/world';

describe('what a standing rule covers', () => {
  let world: World;
  let tenant: string;
  let agent: string;
  let approver: string;
  const tool = 'service_post_journal_entry';
  const entry = (narration: string) => ({
    date: '2026-03-15',
    currency: 'EUR',
    narration,
    lines: [
      { account: '1000', debit: '30.00' },
      { account: '4000', credit: '30.00' },
    ],
  });
  const rest = async (path: string, body?: unknown, method?: string): Promise<Json> => {
    const { status, body: answer } = await world.call(`${world.server.addresses.portal}/api${path}`, {
      token: approver,
      tenant,
      ...(body === undefined ? {} : { body }),
      ...(method === undefined ? {} : { method }),
    });
    assert.ok(status < 300, `${path}: ${status} ${JSON.stringify(answer)}`);
    return answer;
  };
  const call = async (name: string, args: unknown): Promise<Json> => {
    const params = { name, arguments: args };
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
    const answer = await world.call(`${world.server.addresses.mcp}/p/accounting`, { token: agent, tenant, body });
    return answer.body['result']?.['structuredContent'] as Json;
  };
  const allow = async (name: string, currency = 'EUR'): Promise<Json> =>
    rest('/standing-rules', {
      tool: name,
      upTo: { amount: '100.00', currency },
      validUntil: new Date(Date.now() + 3_600_000).toISOString(),
    });
  const actions = async (state: string): Promise<Json[]> =>
    (await rest(`/pending-actions?state=${state}&limit=100`))['items'] as unknown as Json[];
  const isDay = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  const rate = (one: string, day: string) => ({ currency: 'USD', day, rate: one });
  /** A person approves what the agent proposes. */
  const store = async (...args: Parameters<typeof rate>): Promise<Json> => {
    const asked = await call('service_set_exchange_rate', rate(...args));
    assert.equal(String(asked['status']), 'pending_approval', JSON.stringify(asked));
    const shown = await shownOf(String(asked['pending_action_id']));
    await rest(`/pending-actions/${String(shown['id'])}/approve`, { previewHash: shown['previewHash'] });
    return shown;
  };
  const shownOf = async (id: string): Promise<Json> => rest(`/pending-actions/${id}`);

  before(async () => {
    world = await createWorld();
    ({ tenant } = await world.signUp('owner@example.com', 'Ruled', { defaultCurrency: 'EUR' }));
    agent = await world.token({ user: 'owner@example.com', agent: 'bookkeeper' });
    approver = await world.token({ user: 'owner@example.com', approver: true });
  });
  after(async () => world[Symbol.asyncDispose]());

  test('is shown as what people decide about: the same things, as they were and as they came to be', async () => {
    const party = await call('service_create_party', { name: 'Acme', customer: true });
    const made = await call('service_create_invoice', {
      party_id: party['data']?.['party']?.['id'],
      currency: 'EUR',
      issue_date: '2026-03-15',
      lines: [{ description: 'Work', account: '4000', quantity: '1', unit_price: '30.00' }],
    });
    const issue = { document_id: made['data']?.['document']?.['id'] };
    assert.equal(typeof issue.document_id, 'string', JSON.stringify([party, made]));
    for (const [name, args] of [
      [tool, entry('Sale')],
      ['service_issue_document', issue],
    ] as const) {
      const waiting = await shownOf(String((await call(name, args))['pending_action_id']));
      await rest(`/pending-actions/${String(waiting['id'])}/withdraw`, {});
      const rule = await allow(name);
      const done = await call(name, args);
      assert.equal(String(done['status']), 'ok', JSON.stringify(done));
      const [told] = (await actions('executed')).filter(({ ruleId }) => String(ruleId) === String(rule['id']));
      const shown = await shownOf(String(told?.['id']));
      assert.ok((shown['facts'] as unknown as Json[]).length > 0);
      for (const part of ['facts', 'preview', 'versions', 'amount', 'argumentsDigest'])
        assert.deepEqual(shown[part], waiting[part], `${name}: ${part}`);
    }
  });

  test('has no limit where the tool can move no money, and covers what closes or values the books', async () => {
    await call('service_post_journal_entry', { ...entry('Sale of last year'), date: '2025-03-15' });
    const validUntil = new Date(Date.now() + 3_600_000).toISOString();
    const upTo = { amount: '1.00', currency: 'EUR' };
    for (const [name, args] of [
      ['service_close_fiscal_year', { day: '2025-03-15' }],
      ['service_revalue_open_items', { day: '2026-03-31' }],
      ['service_close_period', { month: '2026-01-01' }],
    ] as const) {
      const url = `${world.server.addresses.portal}/api/standing-rules`;
      const limited = await world.call(url, { token: approver, tenant, body: { tool: name, validUntil, upTo } });
      assert.match(String(limited.body['detail']), /moves no money: leave the limit out/, name);
      await rest('/standing-rules', { tool: name, validUntil });
      assert.equal(String((await call(name, args))['status']), 'ok', name);
    }
    const paid = { tool: 'service_void_payment', validUntil };
    const url = `${world.server.addresses.portal}/api/standing-rules`;
    const refused = await world.call(url, { token: approver, tenant, body: paid });
    assert.match(String(refused.body['detail']), /can move money: give a limit/);
  });

  test('is what an amount limits or what the books take back: every other tool of tier approval is decided call by call', async () => {
    const validUntil = new Date(Date.now() + 3_600_000).toISOString();
    const url = `${world.server.addresses.portal}/api/standing-rules`;
    const upTo = { amount: '100.00', currency: 'EUR' };
    const allowed = { limited: [] as string[], unlimited: [] as string[] };
    let decided = 0;
    for (const path of toolPaths) {
      const body = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
      const listed = await world.call(`${world.server.addresses.mcp}/p/${path}`, { token: agent, tenant, body });
      for (const { name, _meta } of (listed.body['result']?.['tools'] ?? []) as unknown as Json[]) {
        if (String(_meta?.['tier']) !== 'approval') continue;
        const answers = [];
        for (const limit of [{ upTo }, {}])
          answers.push(
            (await world.call(url, { token: approver, tenant, body: { tool: String(name), validUntil, ...limit } }))
              .status,
          );
        if (answers[0] === 201) allowed.limited.push(String(name));
        else if (answers[1] === 201) allowed.unlimited.push(String(name));
        else decided += 1;
      }
    }
    assert.deepEqual(
      [...new Set(allowed.unlimited)].toSorted(),
      [
        'service_close_fiscal_year',
        'service_close_period',
        'service_reconcile_account',
        'service_reopen_period',
        'service_revalue_open_items',
        'service_set_exchange_rate',
        'service_unallocate_payment',
        'service_undo_reconciliation',
      ],
      'a tool that says where money or data go is not among these',
    );
    assert.deepEqual([...new Set(allowed.limited)].toSorted(), [
      'service_allocate_payment',
      'service_carry_out_order_posting',
      'service_import_opening_balances',
      'service_issue_document',
      'service_post_bank_line',
      'service_post_journal_entry',
      'service_record_order_payment',
      'service_record_payment',
      'service_refund_order',
      'service_reverse_journal_entry',
      'service_settle_bank_line',
      'service_void_document',
      'service_void_order_payment',
      'service_void_payment',
    ]);
    assert.ok(decided > 20, String(decided));
    const { items } = await rest('/standing-rules?limit=200');
    for (const { id, revokedAt } of items as unknown as Json[])
      if (revokedAt === null || revokedAt === undefined)
        await rest(`/standing-rules/${String(id)}`, undefined, 'DELETE');
  });

  test('is judged in every currency of what is posted and in that of the books: whoever proposes it chooses the rate', async () => {
    const day = '2026-03-15';
    await store('0.9', day);
    await allow(tool, 'USD');
    const foreign = (rate: string) => ({ ...entry(`At ${rate}`), currency: 'USD', rate });
    assert.equal(String((await call(tool, foreign('0.9')))['status']), 'ok');
    const dear = await call(tool, foreign('999999999999'));
    assert.equal(typeof dear['pending_action_id'], 'string', JSON.stringify(dear));

    const content = 'code,name,type,currency\n1991,Dollars owed,asset,USD\n1994,Things,asset,EUR\n';
    const chart = String((await call('service_import_chart_of_accounts', { content }))['pending_action_id']);
    await rest(`/pending-actions/${chart}/approve`, { previewHash: (await shownOf(chart))['previewHash'] });
    await allow('service_import_opening_balances');
    const opening = async (content: string): Promise<Json> =>
      call('service_import_opening_balances', { date: '2026-02-01', content, balance_to: '3000' });
    const cheap = 'account,debit,credit,rate,base\n1994,0.01,,,\n1991,90000000000000.00,,0.000000000001,\n';
    const waiting = await opening(cheap);
    assert.equal(typeof waiting['pending_action_id'], 'string', JSON.stringify(waiting));

    const policy = await rest('/approval-policy');
    const limits = [
      { amount: '1000.00', currency: 'EUR' },
      { amount: '1000.00', currency: 'USD' },
    ];
    const tools = { [tool]: { fourEyesAbove: limits }, service_import_opening_balances: { fourEyesAbove: limits } };
    await rest('/approval-policy', { ...policy, tools }, 'PUT');
    for (const asked of [await opening(cheap), await call(tool, foreign('999999999998'))]) {
      const { approvalsNeeded } = await shownOf(String(asked['pending_action_id']));
      assert.equal(approvalsNeeded, 2);
    }
    await rest('/approval-policy', { ...(await rest('/approval-policy')), tools: {} }, 'PUT');
  });

  test('is of exchange rates those of each day that are near the one before: any other changes what debts are worth', async () => {
    const was = await store('0.95', isDay(-3));
    assert.deepEqual(was['preview']?.['before'] as unknown, { day: '2026-03-15', rate: '0.9' });
    const validUntil = new Date(Date.now() + 3_600_000).toISOString();
    const { id } = await rest('/standing-rules', { tool: 'service_set_exchange_rate', validUntil });
    const status = async (...args: Parameters<typeof rate>): Promise<string> =>
      String((await call('service_set_exchange_rate', rate(...args)))['status']);
    for (const [one, day] of [
      ['0.9', isDay(0)],
      ['1', isDay(0)],
      ['0.96', isDay(-3)],
      ['0.96', isDay(-2)],
      ['0.96', isDay(1)],
    ] as const)
      assert.equal(await status(one, day), 'pending_approval', `${one} ${day}`);
    assert.equal(
      String((await call('service_set_exchange_rate', { ...rate('0.96', isDay(0)), currency: 'SEK' }))['status']),
      'pending_approval',
    );
    assert.equal(await status('0.97', isDay(0)), 'ok');
    assert.equal(await status('0.98', isDay(0)), 'pending_approval', 'once a day');
    await rest(`/standing-rules/${String(id)}`, undefined, 'DELETE');
  });

  test('is done whoever else posts at the same time, and so is what people approved', async () => {
    await allow(tool);
    const results = await Promise.all(Array.from({ length: 24 }, async (_, at) => call(tool, entry(`At once ${at}`))));
    assert.deepEqual([...new Set(results.map(({ status }) => String(status)))], ['ok']);

    const { items } = await rest('/standing-rules');
    for (const { id, revokedAt } of items as unknown as Json[])
      if (revokedAt === null || revokedAt === undefined)
        await rest(`/standing-rules/${String(id)}`, undefined, 'DELETE');
    const asked = [];
    for (let at = 0; at < 12; at += 1)
      asked.push(String((await call(tool, entry(`Asked ${at}`)))['pending_action_id']));
    const approved = await Promise.all(
      asked.map(async (id) => {
        const { previewHash } = await shownOf(id);
        return rest(`/pending-actions/${id}/approve`, { previewHash });
      }),
    );
    assert.deepEqual([...new Set(approved.map(({ state }) => String(state)))], ['executed']);
  });

  test('is not done any more once its agent was shut out, however many calls had begun and waited', async () => {
    await allow(tool);
    await call(tool, entry('Known'));
    const admin = openPool({ url: world.db.adminUrl, size: 2 });
    const posted = async (): Promise<unknown> =>
      (await admin.query(sql`select count(*)::int as n from accounting.entry where tenant_id = ${tenant}`))[0];
    const before = await posted();
    let calls: Promise<Json[]> = Promise.resolve([]);
    await inTransaction(admin, [], async (tx) => {
      await tx.query(sql`lock table accounting.entry in share row exclusive mode`);
      calls = Promise.all(Array.from({ length: 8 }, async (_, at) => call(tool, entry(`Too late ${at}`))));
      const waiting = async (): Promise<unknown[]> =>
        admin.query(sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`);
      for (let round = 0; (await waiting()).length === 0; round += 1) {
        assert.ok(round < 400, 'no call ever waited');
        await sleep(25);
      }
      await rest('/agent-grants/bookkeeper', undefined, 'DELETE');
    });
    const answers = await calls;
    assert.deepEqual([...new Set(answers.map((one) => String(one?.['status'] ?? 'refused')))].includes('ok'), false);
    assert.deepEqual(await posted(), before);
    await admin.close();
  });

  test('is in the log as it came to be: verification finds nothing else', async () => {
    const { code, out } = await world.command(['audit', 'verify']);
    assert.equal(code, 0, out);
  });
});
