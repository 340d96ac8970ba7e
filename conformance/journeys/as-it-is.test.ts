import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { openPool, sql, statement, type SqlPool } from '@steward/sql';
import { type DnsServer, startDns } from '@steward/testing';
import { actingIn, type Acting } from '../binding/acting.ts';
import { commands } from '../binding/commands.ts';
import { type Command, createWorld, everyQuery, type Json, leastOf, type World } from '../world/index.ts';

type Args = Readonly<Record<string, unknown>>;

/** Commands that do something each time, and why; with what the second call answers: a status, or the code of its refusal. */
const deeds: Readonly<Record<string, readonly [answer: string, why: string]>> = {
  service_match_bank_line: ['match_exceeds', 'explains another part of the line'],
  service_post_bank_line: ['match_exceeds', 'posts an entry'],
  service_settle_bank_line: ['match_exceeds', 'posts an entry'],
  service_undo_reconciliation: ['not_reconciled', 'undoes the latest reconciliation, which is another one each time'],
  service_post_journal_entry: ['pending_approval', 'posts an entry'],
  service_reverse_journal_entry: ['already_reversed', 'posts an entry'],
  service_import_opening_balances: ['already_opened', 'posts an entry'],
  service_issue_document: ['not_a_draft', 'posts an entry'],
  service_void_document: ['already_void', 'posts an entry'],
  service_record_payment: ['over_allocated', 'posts an entry'],
  service_allocate_payment: ['over_allocated', 'posts an entry'],
  service_unallocate_payment: ['not_allocated', 'posts an entry'],
  service_void_payment: ['already_void', 'posts an entry'],
  service_create_party: ['ok', 'makes another: two customers may have one name'],
  service_create_tax_rate: ['name_taken', 'makes another, and the name tells rates apart'],
  service_create_invoice: ['ok', 'makes another'],
  service_create_bill: ['duplicate_document', 'makes another, and a supplier gives a number once'],
  service_create_products: ['ok', 'makes others'],
  service_create_location: ['location_code_taken', 'makes another, and the code tells locations apart'],
  service_adjust_stock: ['ok', 'adds or takes as much again'],
  service_transfer_stock: ['ok', 'moves as much again'],
  service_create_site: ['ok', 'makes another'],
  service_issue_agent_credential: ['ok', 'makes another'],
  service_rotate_agent_credential: ['agent_credential_ended', 'makes another'],
  service_issue_sdk_key: ['ok', 'makes another'],
  service_rotate_sdk_key: ['sdk_key_ended', 'makes another'],
  service_create_form: ['ok', 'makes another'],
  service_create_tax_zones: ['tax_zone_taken', 'makes another, and each has a place of its own'],
  service_create_shipping_zone: ['shipping_zone_taken', 'makes another, and each has places of its own'],
  service_create_shipping_option: ['ok', 'makes another'],
  service_create_discount: ['discount_code_taken', 'makes another, and its code is its own'],
  service_edit_order: ['order_changed', 'makes another version, of the one that was read'],
  service_replay_callback_deliveries: ['ok', 'carries out again'],
  service_retry_callback_delivery: ['ok', 'tries again'],
  service_import_channel: ['ok', 'begins once more'],
  service_connect_channel: ['installation_unknown', 'a code is good once'],
  service_connect_provider: ['pending_approval', 'makes another'],
  service_remove_connection: ['not_found', 'nothing is kept of what was removed'],
  service_create_collection: ['ok', 'makes another'],
  service_create_price_list: ['ok', 'makes another'],
  service_invite_member: ['invitation_open', 'makes another, with a secret of its own'],
  service_add_machine: ['already_member', 'makes another'],
  service_remove_product_media: ['invalid_arguments', 'nothing is kept of what was removed'],
  service_record_order_payment: ['pending_approval', 'adds what arrived'],
  service_capture_order_payment: ['payment_state', 'takes money'],
  service_void_order_payment: ['payment_state', 'gives up what is open'],
  service_request_return: ['ok', 'asks for as much again'],
  service_receive_return: ['return_state', 'brings goods back'],
  service_remove_member: ['not_found', 'nothing is kept of who is no member'],
  service_create_webhook: ['pending_approval', 'makes another'],
  service_rotate_signing_key: ['ok', 'makes another'],
  service_rotate_webhook_secret: ['pending_approval', 'makes another'],
  service_test_webhook: ['ok', 'sends another'],
  service_replay_webhook: ['ok', 'sends again'],
  service_remove_agent_feed: ['not_found', 'nothing is kept of what was removed'],
  service_delete_webhook: ['not_found', 'nothing is kept of what was deleted'],
};

/** Reads that take people's data away as a file: the log tells of each. */
const recorded = new Set(['GET /accounting/api/audit/export', 'GET /commerce/api/forms/{formId}/submissions.csv']);

/** What others write meanwhile: followers of the bus, `last_used_at`, and who fetches pictures or sends webhooks. */
const followed = new Set([
  'studio.submission',
  'crm.timeline_entry',
  'bookkeeping.posting',
  'orders.letter',
  'catalogue.medium_turn',
  'callbacks.delivery',
  'deliveries.queue',
  'deliveries.delivery',
  'deliveries.attempt',
]);

describe('asked for what is so already', () => {
  let world: World;
  let dns: DnsServer;
  let admin: SqlPool;
  let acting: Acting;
  let versions: () => Promise<unknown>;
  let rows: () => Promise<unknown>;

  before(async () => {
    dns = await startDns();
    world = await createWorld({ BRAND_HOST_DNS: dns.address });
    acting = await actingIn(world, 'owner@example.com', 'Fjord', dns);
    admin = openPool({ url: world.db.adminUrl, size: 1 });
    const tables = await admin.query<{ name: string }>(sql`
      select format('%I.%I', table_schema, table_name) as name
      from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
      where column_name = 'tenant_id' and table_type = 'BASE TABLE'
        and table_schema not in ('audit', 'bus', 'mail', 'platform', 'steward', 'tools')
        or (table_schema, table_name) = ('audit', 'event') order by 1`);
    const all = [...new Set(tables.map(({ name }) => name))].filter((name) => !followed.has(name));
    const read = all.map(
      (name) => `select '${name}' as "table", md5(string_agg(said, ' ' order by said)) as rows
        from (select (to_jsonb(t) - array['last_used_at', 'attempts', 'next_at'])::text as said from ${name} t) t`,
    );
    const written = all.map(
      (name) => `select '${name}' as "table", count(*) as rows, sum(xmin::text::bigint) as transactions from ${name}`,
    );
    versions = async () => admin.query(statement(`${written.join(' union all ')} order by 1`));
    rows = async () => admin.query(statement(`${read.join(' union all ')} order by 1`));
  });
  after(async () => {
    await admin.close();
    await world[Symbol.asyncDispose]();
    await dns[Symbol.asyncDispose]();
  });

  /**
   * Followers may be writing for what was done before: a command that writes by itself is seen each time. At first by whether any
   * row was written at all, as reading what all of them say takes longer than the command.
   */
  const withoutTrace = async (name: string, ask: () => Promise<void>): Promise<void> => {
    const held = await versions();
    await ask();
    if (isDeepStrictEqual(await versions(), held)) return;
    for (let attempt = 1; ; attempt += 1) {
      const held = await rows();
      await ask();
      const now = await rows();
      if (isDeepStrictEqual(now, held)) return;
      if (attempt === 5) assert.deepEqual(now, held, name);
      await sleep(200 * attempt);
    }
  };
  const unchanged = async (name: string, args: Args): Promise<void> =>
    withoutTrace(name, async () => {
      for (const preview of [true, false]) {
        const answer = await acting.call(name, { ...args, preview });
        assert.deepEqual(
          [String(answer['status']), answer['pending_action_id']],
          [preview ? 'preview' : 'ok', undefined],
          `${name}: ${JSON.stringify(answer)}`,
        );
        assert.match(String(answer['summary']), /already.*: nothing changes\.$/, name);
      }
    });

  test('every command answers that it is so, awaits nobody and leaves no trace, unless it does something each time', async () => {
    const { act, call, things } = acting;
    for (const [name, argumentsOf] of Object.entries(commands)) {
      const args = await argumentsOf(act, things);
      await act(name, args);
      const [deed] = deeds[name] ?? [];
      if (deed === undefined) {
        await unchanged(name, args);
        continue;
      }
      const again = async (): Promise<boolean> => {
        const answer = await call(name, args);
        assert.equal(String(answer['error_code'] ?? answer['status']), deed, `${name}: ${JSON.stringify(answer)}`);
        return answer['error_code'] !== undefined;
      };
      if (await again()) await withoutTrace(name, async () => void (await again()));
    }
  });

  test('nothing that is read is changed by that: each tool, field and route that only reads, of what there is', async () => {
    const { tenant } = acting;
    const token = await world.token({ user: 'owner@example.com', approver: true });
    const queries = await everyQuery(world, tenant, token);
    const known: Record<string, unknown> = { from: '2026-01-01', to: '2026-12-31', limit: 5 };
    /** The first of each list, by what routes to one of it call it. */
    const learn = (of: Command, body: Json): void => {
      const [first] = (body['items'] ?? []) as unknown as Json[];
      const id = first?.['id'] ?? first?.['agentId'];
      if (id === undefined) return;
      for (const { name } of queries) {
        const [, one] = name.startsWith(`${of.name}/{`) ? (/\/\{(\w+)\}/.exec(name.slice(of.name.length)) ?? []) : [];
        if (one !== undefined) known[one.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)] ??= id;
      }
    };
    const ask = async (one: Command): Promise<string> => {
      const { code, body } = await one.call(token, leastOf(one.shape, known) as Args);
      learn(one, body);
      return code;
    };
    for (const one of queries) await ask(one);
    let done = 0;
    for (const one of queries) {
      if (recorded.has(one.name)) continue;
      await withoutTrace(one.name, async () => {
        if (/^(?:ok|done)$/.test(await ask(one))) done += 1;
      });
    }
    assert.ok(done > 100, `only ${done} read anything`);
  });

  const party = async (): Promise<string> => {
    const { party: made } = await acting.act('service_create_party', { name: 'Ada', supplier: true, customer: true });
    return String(made?.['id']);
  };
  const erased = async (): Promise<string> => {
    const { contact } = await acting.act('service_upsert_contact', { email: 'gone@example.com' });
    const contact_id = String(contact?.['id']);
    await acting.act('service_erase_contact', { contact_id, reason: 'requested' });
    return contact_id;
  };
  const draft = (party_id: string): Args => ({
    party_id,
    issue_date: '2026-03-02',
    lines: [{ description: 'Work', unit_price: '100', account: '4000' }],
  });
  const drafted = async (party_id: string): Promise<string> => {
    const { document } = await acting.act('service_create_invoice', { ...draft(party_id) });
    return String(document?.['id']);
  };

  test('the same in other words is the same', async () => {
    const { act } = acting;
    const party_id = await party();
    const file = { account: '1000', format: 'csv', content: 'Date,Amount,Description\n2026-01-05,5.00,Interest\n' };
    await act('service_import_bank_statement', file);
    await act('service_set_exchange_rate', { currency: 'EUR', day: '2026-01-01', rate: '1.10' });
    await act('service_update_seller', { address: 'Ring 1\n1010 Wien', vat_number: 'ATU12345678' });
    const { site } = await act('service_create_site', { name: 'Shop', origins: ['https://shop.example.com'] });
    const { contact } = await act('service_upsert_contact', { email: 'ann@example.com', name: 'Ann' });
    const others: readonly (readonly [name: string, args: Args])[] = [
      ['service_reopen_period', { month: '2025-02-01', reason: 'To be sure' }],
      ['service_revalue_open_items', { day: '2026-01-31' }],
      ['service_import_chart_of_accounts', { content: 'code,name,type\n1000,Bank account,bank\n' }],
      ['service_import_bank_statement', file],
      ['service_set_exchange_rate', { currency: 'EUR', day: '2026-01-01', rate: '1.1' }],
      ['service_update_party', { party_id, name: ' Ada ', supplier: true }],
      [
        'service_update_seller',
        { address: ' Ring 1\r\n\r\n1010 Wien', vat_number: 'ATU12345678 ', registration: null },
      ],
      [
        'service_update_document',
        {
          document_id: await drafted(party_id),
          ...draft(party_id),
          lines: [{ description: ' Work', quantity: '1.0', unit_price: '100.00', account: '4000' }],
        },
      ],
      ['service_update_site', { site_id: site?.['id'], origins: ['HTTPS://shop.example.com:443'] }],
      ['service_upsert_contact', { email: ' ANN@example.com', name: ' Ann ' }],
      ['service_upsert_contact', { contact_id: contact?.['id'], archived: false }],
      ['service_update_organization', { name: ' Fjord again ' }],
    ];
    await act('service_update_organization', { name: 'Fjord again' });
    for (const [name, args] of others) await unchanged(name, args);
  });

  test('a preview names the thing by what people call it', async () => {
    const { act, call, things } = acting;
    const named: Readonly<Record<string, RegExp>> = {
      service_unallocate_payment: /the allocation of [\d.]+ USD of PAY-\d+ to (?:INV|BILL)-\d+ on/,
      service_reverse_journal_entry: /reverse entry \d+ of [-\d]+ \(Interest\) over/,
      service_archive_bank_rule: /the rule that suggests \d+ for lines with "Fee \d+"/,
      service_set_w9_status: /the W-9 of Acme \d+ Ltd as/,
      service_publish_form: /of the form Ask us/,
      service_archive_form: /archive the form Ask us/,
    };
    for (const [name, called] of Object.entries(named)) {
      const args = await commands[name]?.(act, things);
      assert.match(String((await call(name, { ...args, preview: true }))['summary']), called, name);
    }
  });

  test('the answer that all is so already keeps its key: a repeat gets the same answer, and another body is refused', async () => {
    const { act, call } = acting;
    const idempotency_key = 'closed-already';
    await act('service_close_period', { month: '2026-09-01' });
    const close = async (month: string): Promise<Json> => call('service_close_period', { month, idempotency_key });
    const first = await close('2026-09-01');
    assert.equal(String(first['status']), 'ok');
    await act('service_reopen_period', { month: '2026-09-01', reason: 'One more bill' });
    assert.deepEqual(await close('2026-09-01'), first);
    assert.equal(String((await close('2026-08-01'))['error_code']), 'idempotency_conflict');
    const contact_id = await erased();
    const erase = async (reason: string, key: string): Promise<Json> =>
      call('service_erase_contact', { contact_id, reason, idempotency_key: key });
    const gone = await erase('requested', 'gone-already');
    assert.deepEqual(await erase('requested', 'gone-already'), gone);
    assert.equal(String((await erase('unlawful', 'gone-already'))['error_code']), 'idempotency_conflict');
    const other = await erase('requested', 'gone-again');
    assert.deepEqual(other, gone, 'the kept answer is nothing to be erased');
  });

  test('a command that waits already is named when it is asked for again', async () => {
    const { call } = acting;
    const party_id = await party();
    const id = await drafted(party_id);
    const first = await call('service_issue_document', { document_id: id });
    assert.equal(first['warning'], undefined);
    const second: Json = await call('service_issue_document', { document_id: id, version: 1 });
    assert.equal(String(second['status']), 'pending_approval');
    assert.notEqual(String(second['pending_action_id']), String(first['pending_action_id']));
    assert.match(
      String(second['warning']),
      new RegExp(
        `The action ${String(first['pending_action_id'])} waits for the same already. It can be done only once`,
      ),
    );
    const another = await call('service_issue_document', { document_id: await drafted(party_id) });
    assert.equal(another['warning'], undefined, 'another draft is another thing');
    const { tenant } = acting;
    const actions = `${world.server.addresses.portal}/api/pending-actions`;
    const { status, body } = await world.call(actions, {
      token: await world.token({ user: 'owner@example.com' }),
      tenant,
      body: { tool: 'service_issue_document', arguments: { document_id: id } },
    });
    assert.deepEqual([status, body['warning']], [201, second['warning']], JSON.stringify(body));
    // Once one of them is carried out, the others can no longer happen.
    const token = await world.token({ user: 'owner@example.com', approver: true });
    const approve = async (one: Json): Promise<Json> => {
      const url = `${actions}/${String(one['pending_action_id'])}`;
      const { body: shown } = await world.call(url, { token, tenant, method: 'GET' });
      const { previewHash } = shown;
      return (await world.call(`${url}/approve`, { token, tenant, body: { previewHash } })).body;
    };
    assert.equal(String((await approve(first))['state']), 'executed');
    const refused = await approve(second);
    assert.deepEqual([refused['code'], refused['executable'], refused['action']], ['stale_preview', false, undefined]);
    assert.match(String(refused['detail']), /^As things are now, this can no longer happen: The document/);
  });

  test('a command that waits already is not named for one that would do something else', async () => {
    const { call } = await actingIn(world, 'other@example.com', 'Sound');
    const warnings = async (name: string, ...asked: readonly Args[]): Promise<string[]> => {
      const said: string[] = [];
      for (const args of asked) {
        const answer = await call(name, args);
        assert.equal(String(answer['status']), 'pending_approval', JSON.stringify(answer));
        said.push(String(answer['warning'] ?? '').replace(/^The action [-0-9a-f]{36} /, ''));
      }
      return said;
    };
    const once = 'waits for the same already. It can be done only once: withdraw this one.';
    const twice = 'waits for the same already. Withdraw this one, unless it is to be done twice.';
    const years = [{ day: '2024-05-05' }, { day: '2025-05-05' }, { day: '2025-05-05' }];
    assert.deepEqual(await warnings('service_close_fiscal_year', ...years), ['', '', once]);
    const entry = (amount: string): Args => ({
      date: '2026-03-03',
      currency: 'USD',
      narration: 'Paid in',
      lines: [
        { account: '1000', debit: amount },
        { account: '3000', credit: amount },
      ],
    });
    assert.deepEqual(await warnings('service_post_journal_entry', entry('5.00'), entry('6.00'), entry('5.00')), [
      '',
      '',
      twice,
    ]);
  });

  test('is in the log as it came to be: verification finds nothing else', async () => {
    const { code, out } = await world.command(['audit', 'verify']);
    assert.equal(code, 0, out);
  });
});
