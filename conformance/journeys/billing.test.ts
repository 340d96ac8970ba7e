import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { after, before, describe, test } from 'node:test';
import { createWorld, type Answer, type Json, type World } from '@steward/conformance/world';
import {
  billingEvent,
  billingKey,
  billingSecrets,
  billingVariables,
  startBillingProvider,
  type BillingProviderStub,
} from '@steward/portal/testing';
import { openPool, sql, type SqlPool } from '@steward/sql';

const day = 86_400_000;

describe('billing by the payment provider', () => {
  const stack = new AsyncDisposableStack();
  let world: World;
  let provider: BillingProviderStub;
  let portal: string;
  let admin: SqlPool;
  let tenants = 0;
  before(async () => {
    provider = stack.use(await startBillingProvider());
    world = stack.use(await createWorld(billingVariables(provider)));
    portal = world.server.addresses.portal;
    admin = stack.use(openPool({ url: world.db.adminUrl, size: 1 }));
  });
  after(async () => stack.disposeAsync());

  interface Tenant {
    readonly tenant: string;
    readonly token: string;
    readonly user: string;
  }
  const found = async (): Promise<Tenant> => {
    tenants += 1;
    const user = `payer-${tenants}@example.com`;
    return { user, ...(await world.signUp(user)) };
  };
  const ask = async (
    { token, tenant }: Pick<Tenant, 'token' | 'tenant'>,
    path: string,
    body?: unknown,
  ): Promise<Answer> => world.call(`${portal}/api${path}`, { token, tenant, ...(body === undefined ? {} : { body }) });
  const checkout = async (by: Tenant, tier = 'pro'): Promise<Answer> => ask(by, '/billing/checkout', { tier });
  const customerOf = async ({ tenant }: Tenant): Promise<string> => {
    const [row] = await admin.query<{ id: string }>(
      sql`select customer_id as id from portal.billing_account where tenant_id = ${tenant}::uuid`,
    );
    return row?.id ?? '';
  };
  /** A tenant that is a customer. */
  const customer = async (): Promise<Tenant & { readonly customer: string }> => {
    const one = await found();
    assert.equal((await checkout(one)).status, 201);
    return { ...one, customer: await customerOf(one) };
  };
  const standing = async (of: Tenant): Promise<string> => {
    const { body } = await ask(of, '/billing');
    return `${String(body['tier'])} ${String(body['status'])}`;
  };
  const becomes = async (of: Tenant, wanted: string, within = 3_000): Promise<void> => {
    let seen = await standing(of);
    for (let waited = 0; seen !== wanted && waited < within; waited += 25) {
      await sleep(25);
      seen = await standing(of);
    }
    assert.equal(seen, wanted);
  };
  const maySell = async ({ token, tenant }: Tenant): Promise<boolean> => {
    const { body } = await world.call(world.server.addresses.mcp, {
      token,
      tenant,
      body: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    });
    return JSON.stringify(body).includes('"service_create_site"');
  };

  type Event = ReturnType<typeof billingEvent>;
  const send = async ({ payload: body, headers }: Event): Promise<{ status: number; code: unknown }> => {
    const answer = await fetch(`${portal}/webhooks/card_payments`, { method: 'POST', headers, body });
    const { code } = (await answer.json()) as { code?: unknown };
    return { status: answer.status, code };
  };
  const tell = async (type: string, object: unknown): Promise<void> =>
    assert.deepEqual(await send(billingEvent(type, object)), { status: 200, code: undefined });
  /** By the id of the event. */
  const delivery = async (
    id: string,
  ): Promise<{ status: string; tenant: string; error: string | null } | undefined> => {
    const [row] = await admin.query<{ status: string; tenant: string; error: string | null }>(
      sql`select status, tenant_id::text as tenant, last_error as error from callbacks.delivery where provider_delivery_id = ${id}`,
    );
    return row;
  };
  const settled = async (id: string, wanted: string, within = 3_000): Promise<void> => {
    for (let waited = 0; (await delivery(id))?.status !== wanted && waited < within; waited += 25) await sleep(25);
    const row = await delivery(id);
    assert.equal(row?.status, wanted, JSON.stringify(row));
  };
  const code = ({ status, body }: Answer): unknown[] => [status, body['code']];

  test('two first checkouts at once are both answered, however they meet', async () => {
    const owner = await found();
    for (let round = 0; round < 40; round += 1) {
      // Past what keeps the row: it is as if nobody had subscribed before.
      await admin.query(sql`set session_replication_role = replica`);
      await admin.query(sql`delete from portal.billing_account where tenant_id = ${owner.tenant}::uuid`);
      await admin.query(sql`reset session_replication_role`);
      const answers = await Promise.all([checkout(owner), checkout(owner)]);
      assert.deepEqual(
        answers.map(({ status }) => status),
        [201, 201],
        `round ${round}`,
      );
    }
  });

  test('an owner subscribes: nothing changes before the provider reports it, and then at once, for tools as for billing', async () => {
    const owner = await found();
    const { body: before } = await ask(owner, '/billing');
    assert.deepEqual(
      [before['offered'], before['liveChargesRequired'], before['tier']],
      [['pro', 'reader'], false, 'trial'],
    );
    const answers = await Promise.all([checkout(owner), checkout(owner)]);
    assert.deepEqual(
      answers.map(({ status }) => status),
      [201, 201],
    );
    const made = [...provider.objects.values()].filter(
      ({ object, metadata }) => object === 'customer' && (metadata as Json)['tenant'] === (owner.tenant as unknown),
    );
    assert.equal(made.length, 1, 'two checkouts at once make one customer');
    const id = await customerOf(owner);
    assert.equal(made[0]?.id, id);
    const again = await checkout(owner);
    assert.match(String(again.body['url']), /^https:\/\/checkout\.stripe\.com\//);
    assert.equal((await checkout(owner)).body['url'], again.body['url'], 'an open checkout is the same one');
    assert.notEqual((await checkout(owner, 'reader')).body['url'], again.body['url']);
    const open = [...provider.objects.values()].filter((one) => one['customer'] === id && one['status'] === 'open');
    assert.equal(open.length, 1, 'of another tier there is none open any more');
    const sent = provider.sent.get('POST /v1/checkout/sessions');
    assert.deepEqual(
      ['mode', 'customer', 'line_items[0][price]', 'success_url', 'cancel_url'].map((name) => sent?.get(name)),
      ['subscription', id, 'price_reader', `${portal}/billing`, `${portal}/billing`],
    );
    assert.equal((await fetch(`${portal}/billing`)).status, 200);
    assert.equal(await standing(owner), 'trial trialing');

    const subscription = provider.subscribe(id, 'price_reader');
    assert.ok(await maySell(owner));
    await tell('customer.subscription.created', subscription);
    await becomes(owner, 'reader active', 1_000);
    assert.equal(await maySell(owner), false);
    provider.change(subscription.id, provider.subscribe(id, 'price_pro_before', { id: subscription.id }));
    await tell('customer.subscription.updated', subscription);
    await becomes(owner, 'pro active', 1_000);
    assert.ok(await maySell(owner));
    assert.deepEqual(code(await checkout(owner)), [409, 'already_subscribed']);
    const page = await ask(owner, '/billing/portal', {});
    assert.match(String(page.body['url']), /^https:\/\/billing\.stripe\.com\//);
    assert.equal(provider.sent.get('POST /v1/billing_portal/sessions')?.get('return_url'), `${portal}/billing`);
  });

  test('only the owner, in person, and with nothing of their own but the tier', async () => {
    const owner = await customer();
    const deciding = await world.token({ user: owner.user, approver: true });
    const invited = await ask({ token: deciding, tenant: owner.tenant }, '/invitations', {
      email: `admin-${owner.user}`,
      role: 'admin',
    });
    const token = await world.token({ user: `admin-${owner.user}` });
    await world.call(`${portal}/api/invitations/accept`, { token, body: { secret: invited.body['secret'] } });
    const agent = await world.token({ user: owner.user, agent: 'assistant-1' });
    const stranger = await found();
    for (const path of ['/billing/checkout', '/billing/portal']) {
      const body = path.endsWith('portal') ? {} : { tier: 'pro' };
      for (const [by, expected] of [
        [token, [403, 'insufficient_role']],
        [agent, [403, 'not_human']],
        [await world.token({ client: 'ci-bot' }), [403, 'not_human']],
        [stranger.token, [403, 'tenant_forbidden']],
      ] as const)
        assert.deepEqual(code(await ask({ token: by, tenant: owner.tenant }, path, body)), expected, path);
      const given = { returnTo: 'https://evil.example', customer: 'cus_1', tenant: stranger.tenant };
      const answer = await ask(owner, path, { ...body, ...given });
      if (path.endsWith('checkout')) assert.deepEqual(code(answer), [400, 'invalid_request']);
      else
        assert.deepEqual(
          [...(provider.sent.get('POST /v1/billing_portal/sessions') ?? [])],
          [
            ['customer', owner.customer],
            ['return_url', `${portal}/billing`],
          ],
        );
    }
    for (const tier of ['free', 'trial', 'community', 'constructor', '', 'x'.repeat(41)])
      assert.deepEqual(code(await checkout(owner, tier)), [400, 'invalid_request'], tier);
    assert.deepEqual(code(await ask(stranger, '/billing/portal', {})), [409, 'no_subscription']);
  });

  test('a failed payment leaves the tier for the time of grace, which ends by the clock and not by an event; a payment gives it back', async () => {
    const owner = await customer();
    const subscription = provider.subscribe(owner.customer, 'price_pro');
    await tell('invoice.paid', { id: 'in_0', object: 'invoice', customer: owner.customer });
    await becomes(owner, 'pro active');
    const due = Math.floor((Date.now() - day) / 1000) + 3;
    const invoice = provider.invoice(subscription.id, due);
    provider.invoice(subscription.id, due + 60);
    provider.change(subscription.id, { status: 'past_due' });
    await tell('invoice.payment_failed', invoice);
    await becomes(owner, 'pro past_due');
    assert.equal((await ask(owner, '/billing')).body['graceEndsAt'], new Date(due * 1000 + day).toISOString() as never);
    assert.ok(await maySell(owner));
    await becomes(owner, 'free past_due', 5_000);
    assert.equal(await maySell(owner), false, 'no event came');
    assert.deepEqual(
      code(await checkout(owner)),
      [409, 'already_subscribed'],
      'what is owed is paid in the customer portal',
    );
    assert.equal((await ask(owner, '/billing/portal', {})).status, 201, 'also without the tier');
    provider.change(String(invoice['id']), { status: 'paid' });
    provider.change(subscription.id, { status: 'active' });
    await tell('invoice.paid', invoice);
    await becomes(owner, 'pro active');
    assert.ok(await maySell(owner));
    provider.change(subscription.id, { status: 'canceled' });
    await tell('customer.subscription.deleted', subscription);
    await becomes(owner, 'free canceled');
    assert.equal((await checkout(owner)).status, 201, 'and may subscribe again');
  });

  test('in any order, many at once and each several times: what the provider says at the end holds, and each change is recorded once', async () => {
    const owner = await customer();
    const old = provider.subscribe(owner.customer, 'price_reader', { status: 'canceled', created: 1_700_000_000 });
    const subscription = provider.subscribe(owner.customer, 'price_pro');
    const kinds = [
      'customer.subscription.created',
      'customer.subscription.updated',
      'invoice.paid',
      'customer.subscription.deleted',
    ];
    const all = Array.from({ length: 12 }, (_, at) =>
      billingEvent(
        kinds[at % kinds.length] ?? '',
        at % 4 === 3 ? old : { ...subscription, status: at % 3 === 0 ? 'past_due' : 'active' },
      ),
    );
    const sent = await Promise.all([...all, ...all.toReversed(), ...all].map(async (event) => send(event)));
    assert.ok(sent.every(({ status }) => status === 200));
    await becomes(owner, 'pro active');
    for (const { id } of all)
      for (let tries = 0; (await delivery(id))?.status === 'waiting' && tries < 200; tries += 1) await sleep(25);
    assert.equal(await standing(owner), 'pro active');
    const recorded = await admin.query<{ type: string }>(sql`
      select type from audit.event where tenant_id = ${owner.tenant}::uuid and type like 'portal.billing.%' order by sequence`);
    const count = (type: string): number => recorded.filter((one) => one.type === type).length;
    assert.deepEqual([count('portal.billing.changed'), count('portal.billing.subscription_changed')], [1, 1]);
  });

  test('an answer of the provider that comes late is not taken for the present one', async () => {
    const owner = await customer();
    const subscription = provider.subscribe(owner.customer, 'price_pro', { status: 'past_due' });
    const hold = Promise.withResolvers<void>();
    provider.holding = hold.promise;
    const first = billingEvent('invoice.payment_failed', {
      id: 'in_late',
      object: 'invoice',
      customer: owner.customer,
    });
    const asked = provider.asked.filter((one) => one === 'GET /v1/subscriptions').length;
    await send(first);
    while (provider.asked.filter((one) => one === 'GET /v1/subscriptions').length === asked) await sleep(10);
    provider.holding = undefined;
    provider.change(subscription.id, { status: 'active' });
    await tell('customer.subscription.updated', subscription);
    await becomes(owner, 'pro active');
    hold.resolve();
    await settled(first.id, 'ignored');
    assert.equal(await standing(owner), 'pro active');
  });

  test('old events that are sent again after the end change nothing, and neither does what an operator decided since', async () => {
    const owner = await customer();
    const subscription = provider.subscribe(owner.customer, 'price_pro');
    const began = billingEvent('customer.subscription.created', subscription);
    await send(began);
    await becomes(owner, 'pro active');
    provider.change(subscription.id, { status: 'canceled' });
    await tell('customer.subscription.deleted', subscription);
    await becomes(owner, 'free canceled');
    await send(began);
    const replayed = billingEvent('customer.subscription.created', subscription);
    await send(replayed);
    await settled(replayed.id, 'ignored');
    assert.equal(await standing(owner), 'free canceled');
    const moved = await world.command(['tenant', 'tier', '--tenant', owner.tenant, '--tier', 'community']);
    assert.equal(moved.code, 0, moved.err);
    const late = billingEvent('customer.subscription.deleted', subscription);
    await send(late);
    await settled(late.id, 'ignored');
    await becomes(owner, 'community active');
  });

  test('metadata names no tenant, and what is another customer’s is the other’s', async () => {
    const [mallory, victim] = [await customer(), await customer()];
    const metadata = { tenant: victim.tenant, tier: 'pro', steward_tenant: victim.tenant };
    const subscription = provider.subscribe(mallory.customer, 'price_reader', { metadata });
    await tell('customer.subscription.created', subscription);
    await tell('checkout.session.completed', {
      id: 'cs_x',
      object: 'checkout.session',
      customer: mallory.customer,
      client_reference_id: victim.tenant,
      metadata,
    });
    await becomes(mallory, 'reader active');
    assert.equal(await standing(victim), 'trial trialing');
    // Genuine, and a lie: the subscription in it is another's than the customer that it names.
    const forged = billingEvent('customer.subscription.deleted', {
      ...subscription,
      customer: victim.customer,
      status: 'active',
    });
    await send(forged);
    await settled(forged.id, 'ignored');
    assert.equal(await standing(victim), 'trial trialing');
    const dispute = provider.dispute(mallory.customer);
    const theirs = provider.dispute(victim.customer);
    const crossed = billingEvent('charge.dispute.created', { ...dispute, charge: theirs.charge });
    await send(crossed);
    await settled(crossed.id, 'dead');
    assert.deepEqual([await standing(victim), await standing(mallory)], ['trial trialing', 'reader active']);
  });

  test('events of connected accounts, of the other mode and of strangers’ secrets are refused; those of unknown customers are kept and are nobody’s', async () => {
    const owner = await customer();
    const subscription = provider.subscribe(owner.customer, 'price_pro');
    const created = 'customer.subscription.created';
    assert.deepEqual(await send(billingEvent(created, subscription, { account: 'acct_1' })), {
      status: 400,
      code: 'callback_refused',
    });
    assert.deepEqual(await send(billingEvent(created, subscription, { livemode: true })), {
      status: 400,
      code: 'callback_refused',
    });
    assert.deepEqual(await send(billingEvent(created, subscription, { secret: `whsec_${'x'.repeat(32)}` })), {
      status: 401,
      code: 'callback_unverified',
    });
    const unknown = billingEvent(created, { ...subscription, customer: 'cus_of_nobody' });
    assert.equal((await send(unknown)).status, 200);
    assert.deepEqual((await delivery(unknown.id))?.status, 'unclaimed');
    const none = billingEvent('balance.available', { object: 'balance', available: [] });
    assert.equal((await send(none)).status, 200);
    const strange = billingEvent('charge.dispute.created', { id: 'dp_x', object: 'dispute', charge: 'ch_of_nobody' });
    assert.equal((await send(strange)).status, 200);
    assert.equal((await delivery(strange.id))?.status, 'unclaimed');
    assert.deepEqual((await delivery(none.id))?.status, 'unclaimed');
    assert.equal(await standing(owner), 'trial trialing');
    assert.deepEqual(await send(billingEvent(created, subscription, { secret: billingSecrets[1] })), {
      status: 200,
      code: undefined,
    });
    await becomes(owner, 'pro active');
  });

  test('a payment that was never completed changes nothing; a price that no tier has waits for a person, who adds it', async () => {
    const owner = await customer();
    const subscription = provider.subscribe(owner.customer, 'price_pro', { status: 'incomplete' });
    for (const status of ['incomplete', 'incomplete_expired']) {
      provider.change(subscription.id, { status });
      const event = billingEvent('customer.subscription.updated', subscription);
      await send(event);
      await settled(event.id, 'ignored');
    }
    assert.equal(await standing(owner), 'trial trialing');
    provider.subscribe(owner.customer, 'price_of_no_tier');
    const event = billingEvent('customer.subscription.created', subscription);
    await send(event);
    await settled(event.id, 'dead');
    assert.match((await delivery(event.id))?.error ?? '', /No tier has the price price_of_no_tier/);
    assert.equal(await standing(owner), 'trial trialing');
  });

  test('a disputed payment counts as unpaid from its opening until it is won; an inquiry, and one from before the subscription, do not', async () => {
    const owner = await customer();
    const subscription = provider.subscribe(owner.customer, 'price_pro', {
      created: Math.floor(Date.now() / 1000) - 3_600,
    });
    await tell('customer.subscription.created', subscription);
    await becomes(owner, 'pro active');
    const earlier = billingEvent(
      'charge.dispute.created',
      provider.dispute(owner.customer, { created: 1_700_000_000 }),
    );
    await send(earlier);
    await settled(earlier.id, 'ignored');
    const dispute = provider.dispute(owner.customer, { status: 'warning_needs_response' });
    const inquiry = billingEvent('charge.dispute.created', dispute);
    await send(inquiry);
    await settled(inquiry.id, 'ignored');
    assert.equal(await standing(owner), 'pro active');
    provider.change(dispute.id, { status: 'needs_response' });
    await tell('charge.dispute.funds_withdrawn', dispute);
    await becomes(owner, 'pro past_due');
    await tell('invoice.paid', { id: 'in_other', object: 'invoice', customer: owner.customer });
    provider.change(dispute.id, { status: 'lost' });
    await tell('charge.dispute.closed', dispute);
    await sleep(200);
    assert.equal(await standing(owner), 'pro past_due');
    provider.change(dispute.id, { status: 'won' });
    await tell('charge.dispute.closed', dispute);
    await becomes(owner, 'pro active');
  });

  test('a provider that is away costs nothing but time, and no answer or log line has its key', async () => {
    const owner = await customer();
    const stranger = await found();
    provider.subscribe(owner.customer, 'price_pro');
    for (const fault of ['429', '500', 'half', 'cut'] as const) {
      provider.fault = fault;
      const answers = [await checkout(stranger), await ask(owner, '/billing/portal', {})];
      for (const answer of answers) {
        assert.deepEqual(code(answer), [503, 'billing_unavailable'], fault);
        assert.ok(answer.headers.has('retry-after'));
      }
      // Whose payment it was cannot be asked: it is not taken, and the provider sends it again.
      const unsaid = await send(
        billingEvent('charge.dispute.created', { id: 'dp_1', object: 'dispute', charge: 'ch_1' }),
      );
      assert.deepEqual(unsaid, { status: 503, code: 'billing_unavailable' });
    }
    const event = billingEvent('invoice.paid', { id: 'in_1', object: 'invoice', customer: owner.customer });
    assert.equal((await send(event)).status, 200, 'what came is kept');
    await sleep(300);
    assert.deepEqual([await standing(owner), (await delivery(event.id))?.status], ['trial trialing', 'waiting']);
    provider.fault = 'none';
    await becomes(owner, 'pro active', 15_000);
    assert.equal((await checkout(stranger)).status, 201);
    assert.ok(!world.server.output().includes(billingKey));
    assert.match((await delivery(event.id))?.error ?? '', /^$/);
  });

  test('a customer that the provider has not any more is made anew, and what it paid for is over', async () => {
    const owner = await customer();
    const subscription = provider.subscribe(owner.customer, 'price_pro');
    await tell('customer.subscription.created', subscription);
    await becomes(owner, 'pro active');
    provider.objects.delete(owner.customer);
    assert.equal((await checkout(owner)).status, 201);
    assert.notEqual(await customerOf(owner), owner.customer);
    assert.equal(await standing(owner), 'free canceled');
  });

  test('everything of it stands in the audit log, and verification finds what is changed beside it', async () => {
    const verify = async () => world.command(['audit', 'verify']);
    const sound = await verify();
    assert.equal(sound.code, 0, sound.out + sound.err);
    const [row] = await admin.query<{ tenant: string }>(
      sql`select tenant_id::text as tenant from portal.billing_account where standing = 'active' limit 1`,
    );
    await admin.query(sql`set session_replication_role = replica`);
    await admin.query(
      sql`update portal.billing_account set customer_id = 'cus_forged' where tenant_id = ${row?.tenant}::uuid`,
    );
    await admin.query(sql`reset session_replication_role`);
    const found = await verify();
    assert.equal(found.code, 1);
    assert.match(found.out + found.err, /customer of the billing provider/);
  });
});
