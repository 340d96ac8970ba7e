import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  backdate,
  createProcessWorld,
  daysAgo,
  outputOf,
  purchase,
  type Answer,
  type Json,
  type ProcessWorld,
} from '@steward/conformance/world';
import { newId } from '@steward/kernel';
import { openPool, sql, type SqlPool } from '@steward/sql';
import { tablesWith } from '@steward/testing';

describe('a person who asks to be forgotten', () => {
  let world: ProcessWorld;
  let admin: SqlPool;
  let tenant: string;
  let owner: string;
  let agent: string;
  let approver: string;
  /** In every place where something about the person can be said. */
  const marker = `zx${newId().slice(-8)}`;
  const email = `${marker}@example.com`;
  /** What the person bought. */
  let orderId = '';
  const name = `Žofie ${marker}`;

  const user = 'owner@example.com';
  const signIn = async (): Promise<void> => {
    owner = await world.token({ user });
    agent = await world.token({ user, agent: 'assistant-1' });
    approver = await world.token({ user, approver: true });
  };

  before(async () => {
    world = await createProcessWorld({ AUDIT_SEAL: 'off' });
    admin = openPool({ url: world.db.adminUrl, size: 1 });
    ({ tenant } = await world.signUp(user, 'Forgetting'));
    await signIn();
  });
  after(async () => {
    await admin.close();
    await world[Symbol.asyncDispose]();
  });

  const at = async (
    part: 'portal' | 'commerce' | 'accounting',
    path: string,
    body?: unknown,
    more: { token?: string; method?: string } = {},
  ) =>
    world.call(`${world.server.addresses[part]}/api${path}`, {
      token: owner,
      tenant,
      ...(body === undefined ? {} : { body }),
      ...more,
    });
  const tool = async (pillar: string, called: string, args: unknown): Promise<Json> => {
    const answer = await world.call(`${world.server.addresses.mcp}/p/${pillar}`, {
      token: agent,
      tenant,
      body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: called, arguments: args } },
    });
    return answer.body['result']?.['structuredContent'] as Json;
  };
  const done = async (pillar: string, called: string, args: unknown): Promise<Json> => {
    const answer = await tool(pillar, called, args);
    assert.equal(String(answer['status']), 'ok', JSON.stringify(answer));
    return answer['data'] ?? {};
  };
  const asked = async (pillar: string, called: string, args: unknown): Promise<string> => {
    const answer = await tool(pillar, called, args);
    assert.equal(String(answer['status']), 'pending_approval', JSON.stringify(answer));
    return String(answer['pending_action_id']);
  };
  const decide = async (
    id: string,
    how: 'approve' | 'reject' | 'edit',
    more: Json | Record<string, unknown> = {},
  ): Promise<Answer> => {
    const { body } = await at('portal', `/pending-actions/${id}`, undefined, { token: approver });
    const decision = how === 'reject' ? more : { previewHash: body['previewHash'], ...more };
    return at('portal', `/pending-actions/${id}/${how}`, decision, { token: approver });
  };
  const stateOf = async (id: string): Promise<unknown> =>
    (await at('portal', `/pending-actions/${id}`, undefined, { token: approver })).body['state'];
  const steward = async (...args: string[]): Promise<string> => outputOf(world.command(args));
  const submit = async (shop: { formId: string; key: string }, data: unknown): Promise<Json> => {
    const { status, body } = await world.call(`${world.server.addresses.storefront}/forms/${shop.formId}/submit`, {
      body: { data },
      headers: { 'x-service-sdk-key': shop.key },
    });
    assert.equal(status, 201, JSON.stringify(body));
    return body;
  };
  const until = async (met: () => Promise<boolean>): Promise<void> => {
    for (let waits = 0; waits < 500; waits += 1) {
      if (await met()) return;
      await sleep(20);
    }
    assert.fail('it did not come to it');
  };
  /** What becomes of an order: drafted in the books, paid, sent, in part sent back and paid back, with a word about it each time. */
  const bought = async (key: string, brandId: string): Promise<{ orderId: string; page: string; waiting: string }> => {
    const lives = { country: 'DE', postcode: '10119', city: marker, line1: `Street ${marker}` };
    const said = {
      email,
      name,
      phone: `+49 30 ${marker}`,
      note: `Ring at ${marker}`,
      vatNumber: marker,
      marketingConsent: true,
    };
    const [book] = await admin.query<{ base_currency: string }>(sql`
      select base_currency from accounting.book where tenant_id = ${tenant}::uuid`);
    const currency = book?.base_currency ?? assert.fail('no books');
    const { orderId, lineId, page } = await purchase(
      world,
      done,
      { key, brandId, currency },
      { ...said, shippingAddress: { ...lives, name } },
    );
    const order_id = orderId;
    const act = async (called: string, args: object): Promise<Json> =>
      done('commerce/fulfilment', called, { ...args, idempotency_key: `${called}-of-zofie` });
    const approved = async (called: string, args: object): Promise<void> => {
      const { body } = await decide(await asked('commerce/fulfilment', called, args), 'approve');
      assert.equal(String(body['state']), 'executed', JSON.stringify(body));
    };
    await until(
      async () =>
        (
          await admin.query(
            sql`select from bookkeeping.posting where order_id = ${orderId}::uuid and state = 'drafted'`,
          )
        ).length === 1,
    );
    await approved('service_record_order_payment', { order_id, reference: `From ${marker}` });
    await act('service_update_order', { order_id, note: `Called ${marker}`, tags: [marker] });
    await act('service_fulfil_order', {
      order_id,
      carrier: 'DHL',
      tracking_number: marker,
      tracking_url: `https://track.example/${marker}`,
    });
    const { return: back } = await act('service_request_return', {
      order_id,
      lines: [{ line_id: lineId, quantity: 1 }],
      note: `${marker} wrote`,
    });
    await act('service_receive_return', { return_id: back?.['id'] });
    const refund = { order_id, return_id: back?.['id'], note: `For ${marker}` };
    const waiting = await asked('commerce/fulfilment', 'service_refund_order', { ...refund, reference: 'left' });
    const { body: policy } = await at('portal', '/approval-policy', undefined, { token: approver });
    const alone = { ...policy, soleApprover: true };
    assert.equal((await at('portal', '/approval-policy', alone, { token: approver, method: 'PUT' })).status, 200);
    await approved('service_refund_order', refund);
    return { orderId, page, waiting };
  };
  const emails = async (): Promise<number> => {
    const [row] = await admin.query<{ emails: number }>(sql`select count(*)::int as emails from mail.letter`);
    return row?.emails ?? 0;
  };

  test('is nowhere any more once a person has approved, and comes back by nothing that is repeated', async () => {
    await done('crm', 'service_define_contact_field', { key: 'pet', type: 'text' });
    const { site } = await done('studio', 'service_create_site', { name: 'Shop', origins: [] });
    const site_id = String(site?.['id']);
    const { sdk_key } = await done('studio', 'service_issue_sdk_key', { site_id, mode: 'live', label: 'Pages' });
    const { form } = await done('studio', 'service_create_form', {
      site_id,
      name: 'Ask us',
      fields: [
        { name: 'email', label: 'E-mail', type: 'email', required: true, maps_to: 'email' },
        { name: 'full_name', label: 'Name', type: 'text', maps_to: 'name' },
        { name: 'pet', label: 'Pet', type: 'text', maps_to: 'pet' },
        { name: 'message', label: 'Message', type: 'textarea' },
      ],
      target_entity_type: 'crm_contact',
      notification_emails: ['desk@example.com'],
    });
    const shop = { formId: String(form?.['id']), key: String(sdk_key?.['key']) };
    // It is told by mail to somebody outside, so a person decides.
    const publishing = await asked('studio', 'service_publish_form', { form_id: shop.formId });
    assert.equal(String((await decide(publishing, 'approve')).body['state']), 'executed');

    // Submitted, told by mail, and what nobody asked for.
    const data = {
      email,
      full_name: name,
      pet: `Parrot ${marker}`,
      message: `I am ${marker}.`,
      more: { [marker]: marker },
    };
    const submitted = await submit(shop, data);
    const contactId = String(submitted['contactId']);
    await until(async () => (await emails()) === 1);
    // Calls whose answers are kept.
    const upsert = { contact_id: contactId, custom: { pet: `Cat ${marker}` }, idempotency_key: 'upsert-of-zofie' };
    await done('crm', 'service_upsert_contact', upsert);
    const { contact: twin } = await done('crm', 'service_upsert_contact', {
      email: `old-${email}`,
      phone: '+4930901820',
      name,
      idempotency_key: 'twin-of-zofie',
    });
    // In the books, where nothing is booked.
    const created = { name: `Ltd ${marker}`, address: `Ring ${marker}\nWien`, idempotency_key: 'party-of-zofie' };
    const { party } = await done('accounting', 'service_create_party', created);
    const link = { party_id: String(party?.['id']), contact_id: contactId, email: `books-${email}` };
    await done('accounting', 'service_update_party', { ...link, idempotency_key: 'link-of-zofie' });
    const { document } = await done('accounting', 'service_create_invoice', {
      party_id: link.party_id,
      issue_date: '2026-03-01',
      notes: `For ${marker}`,
      lines: [{ description: `Work for ${marker}`, quantity: '1', unit_price: '1.00', account: '4000' }],
    });
    await done('accounting', 'service_attach_file', {
      target_kind: 'document',
      target_id: String(document?.['id']),
      file_name: `${marker}.txt`,
      media_type: 'text/plain',
      content_base64: Buffer.from(`About ${marker}`).toString('base64'),
      idempotency_key: 'file-of-zofie',
    });
    // Bought, and what became of that.
    const order = await bought(shop.key, String(site?.['brand_id']));
    ({ orderId } = order);
    const seen = async (): Promise<{ status: number; text: string }> => {
      const { pathname, search } = new URL(order.page);
      const answer = await fetch(new URL(pathname + search, world.server.addresses.commerce));
      return { status: answer.status, text: await answer.text() };
    };
    assert.ok((await seen()).text.includes(marker));
    // Carried out after approval.
    const merge = { contact_id: contactId, duplicate_id: String(twin?.['id']) };
    assert.equal((await decide(await asked('crm', 'service_merge_contacts', merge), 'approve')).status, 200);
    // Asked for, and edited; and rejected with a word about it.
    const { body: policy } = await at('portal', '/approval-policy', undefined, { token: approver });
    const gated = { ...policy, tools: { service_upsert_contact: { tier: 'approval' } } };
    assert.equal((await at('portal', '/approval-policy', gated, { token: approver, method: 'PUT' })).status, 200);
    let [waiting, rejected] = ['', ''];
    await until(async () => {
      const answer = await tool('crm', 'service_upsert_contact', { email, name: `Other ${marker}` });
      waiting = String(answer['pending_action_id'] ?? '');
      return String(answer['status']) === 'pending_approval';
    });
    const edited = await decide(waiting, 'edit', { arguments: { email, name: `Edited ${marker}` }, approve: false });
    assert.equal(edited.status, 200, JSON.stringify(edited.body));
    rejected = await asked('crm', 'service_upsert_contact', { contact_id: contactId, name: 'Nobody' });
    assert.equal((await decide(rejected, 'reject', { reason: `Not ${marker}` })).status, 200);
    // Sealed in the audit log.
    const imported = await at('accounting', '/audit/events', {
      type: 'commerce.order.imported',
      event_version: '1.0.0',
      grammar: 'commerce',
      source: 'marketplace',
      payload: { order_id: '1', customer_id: contactId, customer_name: name },
      principal_chain: [{ principal_type: 'service', principal_id: 'importer' }],
      occurred_at: '2026-03-01T10:00:00Z',
    });
    const customer = async (): Promise<unknown> =>
      (await at('accounting', `/audit/events/${String(imported.body['id'])}`)).body['payload']?.['customer_name'];
    assert.equal(await customer(), name);
    assert.deepEqual(await tablesWith(admin, marker), [
      'accounting.attachment',
      'accounting.blob',
      'accounting.document',
      'accounting.document_line',
      'accounting.party',
      'approvals.action',
      'approvals.edit',
      'checkout.request',
      'checkout.session',
      'commerce.submission',
      'crm.contact',
      'crm.contact_term',
      'mail.letter',
      'orders.fulfilment',
      'orders.payment_operation',
      'orders.refund',
      'orders.return',
      'orders.sales_order',
      'orders.tag',
      'tools.command_step',
    ]);

    // Whoever is no person who may decide.
    const door = `/contacts/${contactId}/erasure`;
    const machine = await world.token({ client: 'ci-bot' });
    for (const [token, expected] of [
      [agent, 'approval_required'],
      [owner, 'client_not_approver'],
      [machine, 'tenant_forbidden'],
    ] as const) {
      assert.equal((await at('commerce', door, {}, { token })).body['code'], expected);
      const one = `/submissions/${String(submitted['submissionId'])}/erasure`;
      assert.equal((await at('commerce', one, {}, { token })).body['code'], expected);
    }
    const place = await at('accounting', '/audit/hold', { reason: 'case 17' }, { token: approver, method: 'PUT' });
    assert.equal(place.status, 200);
    assert.equal((await at('commerce', door, {}, { token: approver })).body['code'], 'legal_hold');
    assert.equal(
      String((await tool('crm', 'service_erase_contact', { contact_id: contactId }))['error_code']),
      'legal_hold',
    );
    await at('accounting', '/audit/hold', undefined, { token: approver, method: 'DELETE' });

    const erasing = await asked('crm', 'service_erase_contact', { contact_id: String(twin?.['id']) });
    const { body: shown } = await at('portal', `/pending-actions/${erasing}`, undefined, { token: approver });
    assert.ok(JSON.stringify(shown['facts']).includes(marker), 'whoever decides sees who it is');
    assert.ok((await tablesWith(admin, marker)).length > 0, 'asking erases nothing');
    const approved = await decide(erasing, 'approve');
    // The process ends the moment the answer is there.
    await world.server.kill();
    assert.deepEqual([approved.status, approved.body['state']], [200, 'executed'], JSON.stringify(approved.body));
    assert.deepEqual(await tablesWith(admin, marker), []);

    await world.restart();
    await signIn();
    assert.deepEqual(
      [await stateOf(waiting), await stateOf(rejected), await stateOf(order.waiting), await stateOf(erasing)],
      ['rejected', 'rejected', 'rejected', 'executed'],
    );
    assert.deepEqual(await customer(), { $erased: true });
    const told = await steward('contact', 'erase', '--tenant', tenant, '--contact', contactId);
    assert.match(
      told,
      new RegExp(`^Contact ${contactId}, ${String(twin?.['id'])} is erased, .* with 1 submission and 1 order\\.`),
    );
    const { body: left } = await at('commerce', `/orders/${orderId}`);
    assert.deepEqual(
      [
        left['email'],
        left['name'],
        left['shippingAddress'],
        left['country'],
        left['paymentStatus'],
        typeof left['erasedAt'],
      ],
      [null, null, null, 'DE', 'partially_refunded', 'string'],
    );
    assert.equal((await seen()).status, 404);
    assert.match(await steward('audit', 'verify', '--tenant', tenant), /Verified/);
    await admin.query(sql`delete from studio.submission`);
    await steward('bus', 'replay', '--consumer', 'studio.submissions', '--from-beginning', '--tenant', tenant);
    const { body: kept } = await at('commerce', `/submissions/${String(submitted['submissionId'])}`);
    assert.deepEqual([kept['data'], kept['contactId'], typeof kept['erasedAt']], [{}, contactId, 'string']);
    assert.equal((await at('commerce', `/contacts/${contactId}`)).status, 404);
    const { body: now } = await at('portal', '/approval-policy', undefined, { token: approver });
    const open = { ...now, tools: {} };
    assert.equal((await at('portal', '/approval-policy', open, { token: approver, method: 'PUT' })).status, 200);
    await until(async () => {
      const answer = await tool('crm', 'service_upsert_contact', upsert);
      return String(answer['error_code']) === 'answer_erased';
    });
    await until(async () => (await admin.query(sql`select from studio.submission`)).length === 1);
    assert.deepEqual(await tablesWith(admin, marker), []);
    assert.equal(await emails(), 0);

    // Whoever comes again is somebody new.
    const again = await submit(shop, { email, full_name: name });
    assert.ok(![contactId, String(twin?.['id'])].includes(String(again['contactId'])));
    const one = `/submissions/${String(again['submissionId'])}/erasure`;
    assert.equal((await at('commerce', one, { reason: 'unlawful' }, { token: approver })).status, 200);
    assert.equal(
      (await at('commerce', `/contacts/${String(again['contactId'])}/erasure`, {}, { token: approver })).status,
      200,
    );
    await until(async () => (await tablesWith(admin, marker)).length === 0);
    const types = (await at('accounting', '/audit/events?grammar=crm')).body['items'] as unknown as Json[];
    assert.equal(types.filter(({ type }) => String(type) === 'crm.contact.erased').length, 2);
    assert.ok(!world.server.output().includes(marker), 'nothing of it is logged');
  });

  test('whom something is booked for keeps the name, and addresses of before are nowhere any more', async () => {
    const old = `ox${newId().slice(-8)}`;
    const created = { name: 'Ann Person', email: `${old}@example.com`, idempotency_key: 'party-of-ann' };
    const { party } = await done('accounting', 'service_create_party', created);
    const party_id = String(party?.['id']);
    const { body: policy } = await at('portal', '/approval-policy', undefined, { token: approver });
    const gated = { ...policy, tools: { service_update_party: { tier: 'approval' } } };
    assert.equal((await at('portal', '/approval-policy', gated, { token: approver, method: 'PUT' })).status, 200);
    const change = async (address: string): Promise<void> => {
      const update = { party_id, email: address };
      let id = '';
      await until(async () => {
        const answer = await tool('accounting', 'service_update_party', update);
        id = String(answer['pending_action_id'] ?? '');
        return String(answer['status']) === 'pending_approval';
      });
      assert.equal((await decide(id, 'approve')).body['state'], 'executed');
    };
    await change(`second-${old}@example.com`);
    await change('ann@example.com');
    await tool('accounting', 'service_update_party', { party_id, email: `third-${old}@example.com` });
    const open = { ...gated, version: Number(policy['version']) + 1, tools: {} };
    assert.equal((await at('portal', '/approval-policy', open, { token: approver, method: 'PUT' })).status, 200);
    const { body } = await at('commerce', '/contacts', { email: 'ann@example.com' });
    const contactId = String(body['contact']?.['id']);
    await until(async () => {
      const answer = await tool('accounting', 'service_update_party', { party_id, contact_id: contactId });
      return String(answer['status']) === 'ok';
    });
    const { document } = await done('accounting', 'service_create_invoice', {
      party_id,
      issue_date: '2026-03-01',
      currency: 'USD',
      lines: [{ description: 'Work', quantity: '1', unit_price: '1.00', account: '4000' }],
    });
    const issue = { document_id: String(document?.['id']), version: 1 };
    const issued = await decide(await asked('accounting', 'service_issue_document', issue), 'approve');
    assert.equal(issued.body['state'], 'executed', JSON.stringify(issued.body));
    assert.deepEqual(await tablesWith(admin, old), ['approvals.action', 'tools.command_step']);

    const erased = await at('commerce', `/contacts/${contactId}/erasure`, {}, { token: approver });
    assert.deepEqual(erased.body['parties'], [{ partyId: party_id, nameKept: true }]);
    assert.deepEqual(await tablesWith(admin, old), []);
    assert.deepEqual(await tablesWith(admin, 'ann@example.com'), []);
    assert.equal(String((await tool('accounting', 'service_create_party', created))['error_code']), 'answer_erased');
    const kept = await done('accounting', 'service_get_party', { party_id });
    assert.equal(String(kept['party']?.['name']), 'Ann Person');
  });

  test('whom a restored backup brings back is erased again from the archive', async () => {
    const { body } = await at('commerce', '/contacts', { email, name });
    const id = String(body['contact']?.['id']);
    const { party } = await done('accounting', 'service_create_party', { name, email, contact_id: id });
    const rows = await admin.query<{ row: string }>(sql`
      select row_to_json(c)::text as row from crm.contact c where contact_id = ${id}::uuid`);
    assert.match(
      await steward('contact', 'erase', '--tenant', tenant, '--contact', id, '--reason', 'objection'),
      /is erased/,
    );
    await backdate(admin, 4);
    await steward('audit', 'seal', '--day', await daysAgo(admin, 1));
    // As it was before.
    await admin.query(sql`delete from crm.erased_contact where contact_id = ${id}::uuid`);
    await admin.query(sql`
      insert into crm.contact select * from json_populate_record(null::crm.contact, ${rows[0]?.row ?? ''}::json)`);
    await admin.query(sql`
      update orders.sales_order set email = ${email}, name = ${name}, erased_at = null where order_id = ${orderId}::uuid`);
    // Older than the link.
    await admin.query(sql`
      update accounting.party set name = ${name}, email = ${email}, archived_at = null, contact_id = null, erased_at = null
      where party_id = ${String(party?.['id'])}::uuid`);
    assert.deepEqual(await tablesWith(admin, marker), ['accounting.party', 'crm.contact', 'orders.sales_order']);
    const since = await daysAgo(admin, 5);
    assert.match(
      await steward('audit', 'erase', '--from-archive', '--since', since),
      /contacts, submissions, orders and parties of the archive are erased/,
    );
    assert.deepEqual(await tablesWith(admin, marker), []);
    assert.match(await steward('audit', 'verify', '--tenant', tenant), /Verified/);
  });

  test('is told apart on the command line from whoever mistypes', async () => {
    const wrong: readonly [args: readonly string[], told: RegExp][] = [
      [['contact'], /contact erase/],
      [['contact', 'erase', '--tenant', 'x', '--contact', tenant], /--tenant/],
      [['contact', 'erase', '--tenant', tenant], /--contact or --submission/],
      [
        ['contact', 'erase', '--tenant', tenant, '--contact', tenant, '--submission', tenant],
        /--contact or --submission/,
      ],
      [['contact', 'erase', '--tenant', tenant, '--contact', 'ann@example.com'], /--contact is the id of a contact/],
      [['contact', 'erase', '--tenant', tenant, '--submission', 'nope'], /--submission is the id of a submission/],
      [['contact', 'erase', '--tenant', tenant, '--contact', tenant, '--reason', 'Ann asked'], /--reason is one of/],
      [['contact', 'erase', '--tenant', tenant, '--contact', tenant], /no such contact/],
      [['contact', 'erase', '--tenant', tenant, '--submission', tenant], /no such submission/],
    ];
    await Promise.all(
      wrong.map(async ([args, told]) =>
        assert.rejects(steward(...args), ({ stderr }: { stderr: string }) => told.test(stderr), args.join(' ')),
      ),
    );
  });
});
