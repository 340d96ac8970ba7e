import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openPool, sql, type SqlPool } from '@steward/sql';
import { createWorld, type Json, type World } from '../world/index.ts';

type Args = Readonly<Record<string, unknown>>;

describe('asked for what the books say already', () => {
  let world: World;
  let admin: SqlPool;
  let tenant: string;
  let person: string;
  let agent: string;
  let party: string;

  const rpc = async (method: string, params: object): Promise<Json> => {
    const { body } = await world.call(`${world.server.addresses.mcp}/t/${tenant}/p/accounting`, {
      token: agent,
      body: { jsonrpc: '2.0', id: 1, method, params },
    });
    assert.equal(body['error'], undefined, JSON.stringify(body));
    return body['result'] as Json;
  };
  const tool = async (name: string, args: Args): Promise<Json> =>
    (await rpc('tools/call', { name, arguments: args }))['structuredContent'] as Json;
  const data = async (name: string, args: Args): Promise<Json> => {
    const answer = await tool(name, args);
    assert.equal(String(answer['status']), 'ok', JSON.stringify(answer));
    return answer['data'] as Json;
  };
  const asPerson = async (query: string): Promise<void> => {
    const { body } = await world.call(`${world.server.addresses.accounting}/graphql`, {
      token: person,
      tenant,
      body: { query },
    });
    assert.equal(body['errors'], undefined, JSON.stringify(body));
  };
  const stored = async (): Promise<unknown> => {
    const [row] = await admin.query(sql`
      select (select count(*)::int from audit.event where tenant_id = ${tenant}::uuid) as events,
        (select count(*)::int from approvals.action where tenant_id = ${tenant}) as actions`);
    return row;
  };
  const draft = (): Args => ({
    party_id: party,
    issue_date: '2026-03-02',
    lines: [{ description: 'Work', unit_price: '100', account: '4000' }],
  });
  const drafted = async (): Promise<string> =>
    String((await data('service_create_invoice', draft()))['document']?.['id']);

  before(async () => {
    world = await createWorld();
    ({ tenant } = await world.signUp('owner@example.com'));
    person = await world.token({ user: 'owner@example.com', approver: true });
    agent = await world.token({ user: 'owner@example.com', agent: 'assistant-1', tenant });
    admin = openPool({ url: world.db.adminUrl, size: 1 });
    party = String(
      (await data('service_create_party', { name: 'Ada', supplier: true, customer: true }))['party']?.['id'],
    );
  });
  after(async () => {
    await admin.close();
    await world[Symbol.asyncDispose]();
  });

  /** Arguments by tool, after what makes them say what is so. */
  const same: Readonly<Record<string, () => Promise<Args>>> = {
    service_close_period: async () => {
      await asPerson('mutation { closePeriod(month: "2025-01-01") { changed } }');
      return { month: '2025-01-01' };
    },
    service_reopen_period: async () => ({ month: '2025-02-01', reason: 'To be sure' }),
    service_revalue_open_items: async () => ({ day: '2026-01-31' }),
    service_import_chart_of_accounts: async () => ({ content: 'code,name,type\n1000,Bank account,bank\n' }),
    service_import_bank_statement: async () => {
      const file = { account: '1000', format: 'csv', content: 'Date,Amount,Description\n2026-01-05,5.00,Interest\n' };
      await data('service_import_bank_statement', file);
      return file;
    },
    service_set_exchange_rate: async () => {
      await data('service_set_exchange_rate', { currency: 'EUR', day: '2026-01-01', rate: '1.10' });
      return { currency: 'EUR', day: '2026-01-01', rate: '1.1' };
    },
    service_set_w9_status: async () => {
      await data('service_set_w9_status', { party_id: party, status: 'requested' });
      return { party_id: party, status: 'requested' };
    },
    service_archive_tax_rate: async () => {
      const added = await data('service_create_tax_rate', { name: 'Old', percentage: '7' });
      const which = { tax_id: String(added['tax_rate']?.['id']) };
      await data('service_archive_tax_rate', which);
      return which;
    },
    service_archive_bank_rule: async () => {
      const which = await data('service_add_bank_rule', { contains: 'rent', account: '6100' });
      await data('service_archive_bank_rule', { rule_id: String(which['rule_id']) });
      return { rule_id: String(which['rule_id']) };
    },
    service_update_party: async () => ({ party_id: party, name: ' Ada ', supplier: true }),
    service_update_document: async () => ({
      document_id: await drafted(),
      ...draft(),
      lines: [{ description: ' Work', quantity: '1.0', unit_price: '100.00', account: '4000' }],
    }),
    service_attach_file: async () => {
      const file = { target_kind: 'document', target_id: await drafted(), file_name: 'a.txt' };
      const whole = { ...file, media_type: 'text/plain', content_base64: 'eA==' };
      await data('service_attach_file', whole);
      return whole;
    },
  };

  test('every command that says how something is to be answers that it is so, awaits nobody and leaves no trace', async () => {
    const tools = (await rpc('tools/list', {}))['tools'] as unknown as Json[];
    const areas = new Set(tools.map((one) => String(one['name'])));
    for (const [name, make] of Object.entries(same)) {
      areas.delete(name);
      const args = await make();
      const before = await stored();
      for (const preview of [true, false]) {
        const answer = await tool(name, { ...args, preview });
        assert.deepEqual(
          [String(answer['status']), answer['pending_action_id']],
          [preview ? 'preview' : 'ok', undefined],
          JSON.stringify(answer),
        );
        assert.match(String(answer['summary']), /already: nothing changes\.$/);
      }
      assert.deepEqual(await stored(), before, name);
    }
    const others = [...areas].filter((name) =>
      /^service_(?:set|update|archive|reopen|close_period|attach|revalue|import_(?:chart|bank))/.test(name),
    );
    assert.deepEqual(others, [], 'a command that says how something is to be is in the list');
  });

  test('a command that waits already is named when it is asked for again', async () => {
    const id = await drafted();
    const first = await tool('service_issue_document', { document_id: id });
    assert.equal(first['warning'], undefined);
    const second = await tool('service_issue_document', { document_id: id, version: 1 });
    assert.equal(String(second['status']), 'pending_approval');
    assert.notEqual(String(second['pending_action_id']), String(first['pending_action_id']));
    assert.match(
      String(second['warning']),
      new RegExp(`The action ${String(first['pending_action_id'])} waits for the same`),
    );
    const another = await tool('service_issue_document', { document_id: await drafted() });
    assert.equal(another['warning'], undefined, 'another draft is another thing');
  });
});
