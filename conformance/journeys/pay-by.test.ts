import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createWorld, hireAgent, purchase, type Agent, type Json } from '@steward/conformance/world';
import { openPool, sql } from '@steward/sql';

test('an order that nobody pays by the day that its buyer reads is cancelled by the server, and a person has the books credit its invoice', async () => {
  await using world = await createWorld();
  await using look = openPool({ url: world.db.adminUrl, size: 1 });
  const user = 'owner@example.com';
  await using stack = new AsyncDisposableStack();
  const agents = new Map<string, Agent>();
  for (const pillar of [
    'studio',
    'commerce',
    'commerce/selling',
    'commerce/fulfilment',
    'accounting',
    'accounting/books',
  ])
    agents.set(pillar, stack.use(await hireAgent(world, user, pillar)));
  const agent = (pillar: string): Agent => agents.get(pillar) ?? assert.fail(pillar);
  const act = async (pillar: string, tool: string, args: unknown): Promise<Json> =>
    agent(pillar).call(tool, args as Record<string, unknown>);
  const { tenant } = agent('studio');
  const { site } = await act('studio', 'service_create_site', { name: 'Shop', origins: ['https://shop.example'] });
  const issued = { site_id: site?.['id'], mode: 'live', label: 'Pages' };
  const { sdk_key } = await act('studio', 'service_issue_sdk_key', issued);
  const orders = agent('commerce/fulfilment');
  await orders.propose('service_update_posting_profile', { mode: 'post' });
  await orders.propose('service_update_payment_settings', {
    manual_methods: [{ method: 'invoice', pay_within_days: 14 }],
  });
  const details = 'IBAN DE02 1203 0000 0000 2020 51';
  await agent('accounting/books').propose('service_update_seller', { payment_details: details });
  const [book] = await look.query<{ currency: string }>(sql`
    select base_currency as currency from accounting.book where tenant_id = ${tenant}::uuid`);
  const bought = await purchase(
    world,
    act,
    { key: String(sdk_key?.['key']), brandId: String(site?.['brand_id']), currency: book?.currency ?? '' },
    {
      email: 'ann@example.com',
      name: 'Ann',
      shippingAddress: { name: 'Ann', line1: 'Ring 1', postcode: '10119', city: 'Berlin', country: 'DE' },
    },
  );
  const { payment } = (
    await world.call(`${world.server.addresses.storefront}/checkouts/${bought.checkoutId}`, {
      headers: { 'x-service-sdk-key': String(sdk_key?.['key']), 'x-cart-token': bought.token },
    })
  ).body;
  assert.equal(String(payment?.['instructions']), details, 'as invoices say, where the method says nothing');
  const { orderId } = bought;
  const { payments } = await orders.call('service_list_order_payments', { order_id: orderId });
  const last = String((payments as unknown as Json[])[0]?.['pay_by']);
  assert.equal(String(payment?.['payBy']), last);
  assert.equal(last, new Date(Date.now() + 14 * 86_400_000).toISOString().slice(0, 10));
  const said = new Intl.DateTimeFormat('de', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(last));
  assert.ok((await (await fetch(bought.page)).text()).includes(`Bitte zahlen Sie bis zum ${said}.`));

  const until = async (met: () => Promise<boolean>): Promise<void> => {
    for (let waits = 0; waits < 800; waits += 1) {
      if (await met()) return;
      await sleep(25);
    }
    assert.fail('it did not come to it');
  };
  const documents = async (): Promise<string[]> => {
    const { documents: all } = await act('accounting', 'service_list_documents', {});
    return (all as unknown as Json[]).map((one) => `${String(one['kind'])} ${String(one['status'])}`).toSorted();
  };
  await until(async () => (await documents()).length === 1);
  assert.deepEqual(await documents(), ['invoice issued']);
  const { documents: invoices } = await act('accounting', 'service_list_documents', {});
  assert.equal(String((invoices as unknown as Json[])[0]?.['due_date']), last, 'the invoice says the same day');
  // Whoever runs the shop gives more time, and never less.
  const dayIn = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  const extend = async (pay_by: string): Promise<Json> =>
    orders.call('service_extend_order_payment', { order_id: orderId, pay_by });
  for (const refused of [dayIn(13), dayIn(-1), dayIn(400)])
    await assert.rejects(extend(refused), /not_later|out_of_range/, refused);
  // The second time it is so already.
  for (let times = 0; times < 2; times += 1) assert.equal(String((await extend(dayIn(20)))['pay_by']), dayIn(20));
  const [looked] = await look.query<{ day: string }>(sql`
    select look_at::date::text as day from orders.payment where order_id = ${orderId}::uuid`);
  assert.equal(looked?.day, dayIn(21), 'nobody looks at it before');
  const later = new Intl.DateTimeFormat('de', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(dayIn(20)));
  assert.ok((await (await fetch(bought.page)).text()).includes(`Bitte zahlen Sie bis zum ${later}.`));
  // Only the clock of the database could bring the day nearer.
  const pass = async (): Promise<void> =>
    void (await look.query(sql`
      update orders.payment set pay_by = current_date - 2, look_at = now() where order_id = ${orderId}::uuid`));
  /** Ends once a server has looked, and left it to people. */
  const isLeft = async (): Promise<boolean> => {
    const [row] = await look.query<{ later: boolean }>(sql`
      select look_at > now() as later from orders.payment where order_id = ${orderId}::uuid`);
    return row?.later === true;
  };
  const order = async (): Promise<Json> =>
    (await orders.call('service_get_order', { order_id: orderId }))['order'] ?? {};
  // An agent knows of the payment, and waits for a person: the order is nobody's to cancel meanwhile.
  await orders.call('service_record_order_payment', { order_id: orderId });
  await pass();
  await using _second = await world.beside();
  await until(isLeft);
  assert.equal(String((await order())['status']), 'open');
  const person = { token: await world.token({ user, approver: true }), tenant };
  const actions = `${world.server.addresses.portal}/api/pending-actions`;
  const { items } = (await world.call(`${actions}?state=pending`, person)).body;
  const [waits] = items as unknown as Json[];
  await world.call(`${actions}/${String(waits?.['id'])}/reject`, {
    ...person,
    body: { reason: 'Not seen at the bank' },
  });
  // The money is at the bank, and nobody has said yet what it is for.
  const { accounts } = await act('accounting', 'service_list_accounts', {});
  const bank = (accounts as unknown as Json[]).find((one) => String(one['control']) === 'bank');
  await act('accounting', 'service_import_bank_statement', {
    account: bank?.['code'],
    format: 'csv',
    content: `Date,Amount,Description\n${new Date().toISOString().slice(0, 10)},${String((await order())['total']?.['amount'])},Ann`,
  });
  await pass();
  await using _third = await world.beside();
  await until(isLeft);
  assert.equal(String((await order())['status']), 'open');
  // It was for something else.
  const { lines } = await act('accounting', 'service_list_bank_lines', { account: bank?.['code'] });
  const other = (accounts as unknown as Json[]).find((one) => String(one['type']) === 'income');
  await agent('accounting').propose('service_post_bank_line', {
    line_id: (lines as unknown as Json[])[0]?.['id'],
    account: other?.['code'],
  });
  await pass();
  await using _fourth = await world.beside();
  await until(async () => String((await order())['status']) === 'cancelled');
  assert.equal(String((await order())['cancel_reason']), 'payment');
  // What lets somebody owe less without money is for people to put into the books.
  const waiting = async (): Promise<Json | undefined> => {
    const { postings: all } = await orders.call('service_list_order_postings', { state: 'waiting' });
    return (all as unknown as Json[])[0];
  };
  await until(async () => (await waiting()) !== undefined);
  const owed = (await waiting()) ?? assert.fail();
  assert.deepEqual([String(owed['kind']), String(owed['reason'])], ['cancellation', 'approval_required']);
  await orders.propose('service_carry_out_order_posting', { posting_id: owed['id'] });
  assert.deepEqual(await documents(), ['credit_note paid', 'invoice paid']);
  const page = await (await fetch(bought.page)).text();
  assert.ok(!page.includes('Bitte zahlen Sie'), 'nobody is asked to pay for it any more');
  assert.match(page, /Bis zum [^<]* war keine Zahlung eingegangen\./, 'its buyer reads why');
});
