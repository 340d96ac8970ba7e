import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import type { Json, World } from '@steward/conformance/world';
import { parcel, placeIn, placing } from '@steward/orders/testing';
import { openPool, sql } from '@steward/sql';
import { commands } from '../binding/commands.ts';
import type { CommandTenant } from '../binding/tenant.ts';

/** Each command is called once, and what no command does is done by its route: so there is a row of everything. */
export async function everything(
  world: World,
  { tenant, act, things, rest, call, read, gate }: CommandTenant,
): Promise<void> {
  const made = await things();
  for (const [name, argumentsOf] of Object.entries(commands)) await act(name, await argumentsOf(act, made));
  await gate();
  const approver = await world.token({ user: 'owner@example.com', approver: true });
  const books = async (method: string, path: string, body: unknown): Promise<void> => {
    const url = `${world.server.addresses.accounting}/api${path}`;
    const { status } = await world.call(url, { token: approver, tenant, method, body });
    assert.equal(status, 200, path);
  };
  const done = async (method: string, path: string, body?: unknown): Promise<Json> => {
    const answer = await rest(method, path, body);
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const idOf = (thing: Json | undefined): string => String(thing?.['id']);

  const { products } = await act('service_create_products', { products: [{ title: 'Shown' }] });
  const picture = await world.call(
    `${world.server.addresses.commerce}/api/products/${idOf((products as unknown as Json[] | undefined)?.[0])}/media`,
    {
      token: approver,
      tenant,
      body: Buffer.from('R0lGODlhAwACAIAAAExpccwzMyH5BAUAAAAALAAAAAADAAIAAAICjF8AOw==', 'base64'),
      headers: { 'content-type': 'image/gif' },
    },
  );
  assert.equal(picture.status, 201, JSON.stringify(picture.body));

  await act('service_update_seller', {
    address: 'Ring 1\n1010 Wien',
    vat_number: 'ATU12345678',
    registration: 'FN 1a',
    payment_details: 'IBAN AT61 1904 3002 3457 3201',
  });
  const printed = { address: 'Kanal 2\n1020 Wien', vat_number: 'ATU87654321' };
  const supplier = idOf(
    (await act('service_create_party', { name: 'Ada', customer: true, supplier: true, ...printed }))['party'],
  );
  const tin = { kind: 'ein', number: '12-3456789' };
  await books('PUT', `/parties/${supplier}/w9`, {
    status: 'received',
    legalName: 'Ada',
    classification: 'individual',
    tin,
  });
  // Paid at another rate than it was owed at: an entry of its own takes the difference.
  for (const [day, rate] of [
    ['2026-03-02', '1.1'],
    ['2026-03-05', '1.2'],
  ])
    await act('service_set_exchange_rate', { currency: 'EUR', day, rate });
  const owed = await act('service_create_invoice', {
    party_id: supplier,
    issue_date: '2026-03-02',
    currency: 'EUR',
    lines: [{ description: 'Advice', unit_price: '100', account: '4000' }],
  });
  const document_id = idOf(owed['document']);
  await act('service_issue_document', { document_id });
  await act('service_record_payment', {
    direction: 'received',
    party_id: supplier,
    account: '1000',
    date: '2026-03-05',
    currency: 'EUR',
    amount: '100.00',
    allocations: [{ document_id, amount: '100.00' }],
  });

  const brand = await done('POST', '/brands', { name: 'Second' });
  await done('PATCH', `/brands/${idOf(brand)}`, {
    name: 'The second',
    links: { privacy: 'https://second.example/privacy' },
  });
  await done('DELETE', `/brands/${idOf(brand)}`);
  const invited = await done('POST', '/invitations', { email: 'two@example.com', role: 'viewer' });
  const token = await world.token({ user: 'two@example.com' });
  const accept = `${world.server.addresses.portal}/api/invitations/accept`;
  const { status } = await world.call(accept, { token, body: { secret: invited['secret'] } });
  assert.equal(status, 200);
  await done(
    'DELETE',
    `/invitations/${idOf(await done('POST', '/invitations', { email: 'three@example.com', role: 'viewer' }))}`,
  );
  await done('DELETE', '/agent-grants/assistant-9?ahead=true');

  const waiting = async (): Promise<Json> => {
    await gate('service_create_party');
    return read(String((await call('service_create_party', { name: 'Waiting Ltd' }))['pending_action_id']));
  };
  // What checkouts will do; no command reserves.
  const admin = openPool({ url: world.db.adminUrl, size: 1 });
  await admin.withClient(async (client) => {
    await client.query('begin');
    await client.query(`select set_config('app.tenant_id', $1, true)`, [tenant]);
    const reserved = await client.query(
      `select stock.reserve(gen_random_uuid(), 'live', array[r.variant_id], array[1]::bigint[], now() + interval '1 day', 'service:shop', null)
       from (select variant_id from stock.requirement where tenant_id = $1 and quantity = 1 limit 1) r`,
      [tenant],
    );
    assert.equal(reserved.rowCount, 0, 'nothing is short');
    await client.query('commit');
  });

  // What becomes of an order: nothing of it goes into the books, edited, paid in part, sent, come back in part, paid back with some of its shipping.
  await act('service_update_posting_profile', { mode: 'off' });
  await act('service_update_payment_settings', {
    capture_at: 'fulfilment',
    manual_methods: [{ method: 'invoice', instructions: 'Within 14 days.', pay_within_days: 14 }],
  });
  const { id: order_id, lines } = await placeIn(
    { url: world.db.appUrl, dataDir: world.dataDir, tenant },
    placing([{ quantity: 4 }, {}], { shipping: parcel, currency: 'USD' }),
    { handler: 'manual', method: 'invoice' },
  );
  const line_id = lines[0]?.id;
  const dollars = (amount: string) => ({ amount, currency: 'USD' });
  await act('service_edit_order', { order_id, version: 1, lines: [{ line_id: lines[1]?.id, quantity: 0 }] });
  const pay_by = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);
  await act('service_extend_order_payment', { order_id, pay_by });
  await act('service_record_order_payment', { order_id, amount: dollars('75.00'), reference: 'Transfer 1' });
  await act('service_fulfil_order', { order_id, lines: [{ line_id, quantity: 3 }] });
  const sent = await act('service_request_return', { order_id, lines: [{ line_id, quantity: 2 }] });
  const return_id = idOf(sent['return']);
  await act('service_approve_return', { return_id });
  await act('service_receive_return', { return_id, lines: [{ line_id, received: 1 }] });
  await act('service_refund_order', { order_id, return_id, shipping: dollars('1.00'), reference: 'R-1' });
  // Another one by card, whose provider is asked to capture it.
  const { id: by_card } = await placeIn(
    { url: world.db.appUrl, dataDir: world.dataDir, tenant },
    placing([{}], { currency: 'USD' }),
    { handler: 'card', method: 'card' },
  );
  await act('service_fulfil_order', { order_id: by_card });
  for (;;) {
    const [left] = await admin.query(sql`
      select from bookkeeping.posting where tenant_id = ${tenant}::uuid and order_id = ${order_id}::uuid and state = 'left_out'`);
    if (left !== undefined) break;
    await setTimeout(100);
  }
  await admin.close();

  const edited = await waiting();
  await done('POST', `/pending-actions/${idOf(edited)}/edit`, {
    previewHash: edited['previewHash'],
    arguments: { name: 'Edited Ltd' },
  });
  await done('POST', `/pending-actions/${idOf(await waiting())}/reject`, { reason: 'No.' });
  const validUntil = new Date(Date.now() + 86_400_000).toISOString();
  const rule = { tool: 'service_close_period', validUntil };
  await done('POST', '/standing-rules', rule);
  await done('DELETE', `/standing-rules/${idOf(await done('POST', '/standing-rules', rule))}`);
}
