import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql, type Row } from '@steward/sql';
import { createWorld, type Json, type World } from '../world/index.ts';
import { connectSecret, stripeAccount, stripeHeaders, type StripeAccount } from './stripe.ts';
import { createStub, type Stub } from '@steward/testing/stub-api';
import { openTenant, type Tenant } from './tenant.ts';

const list = (json: Json | undefined): Json[] => (json ?? []) as unknown as Json[];

describe('what Stripe tells of a connected account', () => {
  const stack = new AsyncDisposableStack();
  let world: World;
  let stub: Stub;
  const accounts = new Map<string, StripeAccount>();
  let counter = 0;

  before(async () => {
    stub = stack.use(
      await createStub((asked) => {
        const key = String(asked.headers.authorization).replace('Bearer ', '');
        const of = accounts.get(key);
        return of === undefined ? { status: 401, body: {} } : of.answer(asked);
      }),
    );
    world = stack.use(
      await createWorld({
        ACCOUNTING_STRIPE_WEBHOOK_SECRET: connectSecret,
        ACCOUNTING_STRIPE_URL: stub.url,
      }),
    );
  });
  after(async () => stack.disposeAsync());

  const send = async (
    body: string,
    options: { secret?: string; query?: string } = {},
  ): Promise<{ status: number; code: string }> => {
    const answer = await world.call(
      `${world.server.addresses.accounting}/webhooks/card_payments${options.query ?? ''}`,
      {
        method: 'POST',
        body,
        headers: stripeHeaders(body, options.secret),
      },
    );
    return { status: answer.status, code: String(answer.body['code'] ?? '') };
  };
  const taken = async (...bodies: readonly string[]): Promise<void> => {
    for (const body of bodies) assert.deepEqual(await send(body), { status: 200, code: '' });
  };
  const opened = async (): Promise<{ at: StripeAccount; own: Tenant; connection: string }> => {
    counter += 1;
    const at = stripeAccount(`acct_${counter}000`, `rk_live_${counter}`);
    accounts.set(at.key, at);
    const own = await openTenant(world, `owner${counter}@example.com`, { defaultCurrency: 'USD' });
    stack.defer(async () => own.admin[Symbol.asyncDispose]());
    const connection = await own.connect(
      { receiver: 'accounting.card_payments', provider: 'stripe', account: at.account },
      { apiKey: at.key, signing: connectSecret },
    );
    return { at, own, connection };
  };
  /** All that the books say of an account's movements. */
  const lines = async (own: Tenant): Promise<Row[]> =>
    own.admin.query(sql`
      select l.day::text as day, l.amount, l.description, l.reference, a.code, m.payout_id as payout, m.movement_id as movement
      from accounting.bank_line l join accounting.account a on a.tenant_id = l.tenant_id and a.account_id = l.account_id
      left join accounting.feed_movement m on m.tenant_id = l.tenant_id and m.line_id = l.line_id
      where l.tenant_id = ${own.tenant}::uuid and l.withdrawn_at is null order by l.day, m.movement_id`);
  const amounts = (rows: readonly Row[]): bigint[] =>
    rows.map(({ amount }) => amount as bigint).toSorted((a, b) => Number(a - b));

  test('becomes lines of a clearing account, charge and fee apart, and a payout equals them to the unit', async () => {
    const { at, own } = await opened();
    await taken(at.charge('ch_1', 10_000, 320), at.charge('ch_2', 2_500, 103));
    await taken(at.refund('re_1', 'ch_1', 1_000), at.dispute('dp_1', 'ch_2', 2_500, 1_500));
    await taken(...at.payout('po_1'));
    const deliveries = await own.settled();
    assert.deepEqual(
      deliveries.filter(({ status }) => status !== 'applied' && status !== 'ignored'),
      [],
    );
    const said = await lines(own);
    assert.deepEqual(
      amounts(said),
      [10_000n, -320n, 2_500n, -103n, -1_000n, -2_500n, -1_500n, -7_077n].toSorted((a, b) => Number(a - b)),
    );
    assert.deepEqual([...new Set(said.map(({ code }) => code))], ['1250.1']);
    assert.doesNotMatch(JSON.stringify(said.map(({ description }) => description)), /ann/i, 'a line cannot be erased');
    const [payout] = list((await own.act('service_list_payouts', {}))['payouts']);
    assert.equal(payout?.['amount']?.['amount'], '70.77');
    assert.equal(payout?.['sum']?.['amount'], '70.77');
    assert.equal(payout?.['difference']?.['amount'], '0.00');
    assert.deepEqual([payout?.['status'], payout?.['complete'], payout?.['movements']], ['paid', true, 7]);
    const state = await own.act('service_get_reconciliation', { account: '1250.1', to: '2026-12-31', closing: '0.00' });
    assert.equal(state['difference']?.['amount'], '0.00');
  });

  test('changes nothing when it comes again, forged, of the platform itself, of another mode or of nobody’s account', async () => {
    const { at, own, connection } = await opened();
    const event = at.charge('ch_a', 4_000, 146);
    await taken(event, event, event);
    await own.settled();
    const before = await lines(own);
    assert.equal(before.length, 2);
    assert.deepEqual(await send(event, { secret: 'whsec_another_secret_00000' }), {
      status: 401,
      code: 'callback_unverified',
    });
    const ofPlatform = JSON.stringify({ ...(JSON.parse(event) as object), id: 'evt_platform', account: undefined });
    assert.deepEqual(await send(ofPlatform), { status: 400, code: 'callback_refused' });
    const ofTests = JSON.stringify({ ...(JSON.parse(event) as object), id: 'evt_test', livemode: false });
    assert.deepEqual(await send(ofTests, { query: `?c=${connection}` }), { status: 400, code: 'callback_refused' });
    assert.equal((await send(ofTests)).status, 200);
    const ofOthers = JSON.stringify({ ...(JSON.parse(event) as object), id: 'evt_other', account: 'acct_unknown' });
    assert.equal((await send(ofOthers)).status, 200);
    const altered = event.replace('"amount":4000', '"amount":9000');
    assert.notEqual(altered, event);
    await send(altered);
    await own.settled();
    assert.deepEqual(await lines(own), before);
  });

  test('has one effect of two hundred at once, and of every other event about the same charge', async () => {
    const { at, own } = await opened();
    const event = at.charge('ch_many', 1_000, 59);
    const charge = (JSON.parse(event) as { data: { object: object } }).data.object;
    const others = ['charge.captured', 'charge.updated', 'charge.updated', 'charge.updated'].map((type) =>
      at.event(type, charge),
    );
    const answers = await Promise.all(
      Array.from({ length: 200 }, async (_, nth) => send([event, ...others][nth % 5] ?? event)),
    );
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
    const deliveries = await own.settled();
    assert.equal(deliveries.length, 5);
    assert.deepEqual(amounts(await lines(own)), [-59n, 1_000n]);
    const [statements] = await own.admin.query<{ n: bigint }>(
      sql`select count(*) as n from accounting.bank_statement where tenant_id = ${own.tenant}::uuid`,
    );
    assert.equal(statements?.n, 1n);
  });

  test('comes to the same in any order, with an API that limits, breaks, falls silent and answers by halves', async () => {
    const history = ({ at }: { at: StripeAccount }): string[] => [
      at.charge('ch_x', 10_000, 320, { invoice: 'INV-77777' }),
      at.charge('ch_y', 5_000, 175),
      at.refund('re_x', 'ch_x', 2_000),
      at.dispute('dp_y', 'ch_y', 5_000, 1_500),
      at.charge('ch_z', 700, 50),
      ...at.payout('po_x'),
    ];
    const ordered = await opened();
    for (const event of history(ordered)) {
      await taken(event);
      await ordered.own.settled();
    }
    const shuffled = await opened();
    const events = history(shuffled)
      .map((event, nth) => ({ event, by: (nth * 7919 + 3) % 8 }))
      .toSorted((a, b) => a.by - b.by)
      .map(({ event }) => event);
    stub.fail('limited', 'broken', 'half', 'silent', 'broken', 'half');
    await taken(...events, ...events);
    await shuffled.own.settled();
    const told = async ({ own, at }: { own: Tenant; at: StripeAccount }) =>
      (await lines(own)).map(({ movement, ...rest }) => ({
        ...rest,
        movement: String(movement).replace(at.account.slice(5), ''),
      }));
    assert.deepEqual(await told(shuffled), await told(ordered));
    assert.equal((await lines(ordered.own)).length, 10);
  });

  test('matches a charge with the payment of the invoice that it names, whichever of the two comes first, and posts nothing', async () => {
    const { at, own } = await opened();
    const party = await own.act('service_create_party', { name: 'Jo', customer: true });
    const partyId = String(party['party']?.['id']);
    const invoiced = async (): Promise<{ readonly id: string; readonly number: string }> => {
      const { document } = await own.act('service_create_invoice', {
        party_id: partyId,
        currency: 'USD',
        issue_date: '2026-09-01',
        due_date: '2026-09-30',
        pricing: 'exclusive',
        lines: [{ description: 'Work', quantity: '1', unit_price: '100', account: '4000' }],
      });
      const issued = await own.act('service_issue_document', {
        document_id: document?.['id'],
        version: document?.['version'],
      });
      return { id: String(document?.['id']), number: String(issued['document']?.['number']) };
    };
    const pay = async ({ id }: { id: string }) =>
      own.act('service_record_payment', {
        direction: 'received',
        party_id: partyId,
        account: '1250.1',
        date: '2026-09-21',
        currency: 'USD',
        amount: '100.00',
        method: 'card',
        allocations: [{ document_id: id, amount: '100.00' }],
      });
    const [first, second] = [await invoiced(), await invoiced()];
    await taken(at.charge('ch_first', 10_000, 320, { invoice_number: first.number }));
    await own.settled();
    const entries = async (): Promise<unknown> =>
      (
        await own.admin.query(sql`select count(*) as n from accounting.entry where tenant_id = ${own.tenant}::uuid`)
      )[0]?.['n'];
    const open = async (): Promise<string[]> =>
      list((await own.act('service_list_bank_lines', { account: '1250.1', unmatched: true }))['lines'])
        .map((one) => String(one['amount']?.['amount']))
        .toSorted();
    assert.deepEqual(await open(), ['-3.20', '100.00'], 'nobody recorded the payment yet');
    await pay(first);
    for (let tries = 0; (await open()).length > 1 && tries < 200; tries += 1)
      await new Promise((done) => setTimeout(done, 50));
    assert.deepEqual(await open(), ['-3.20']);
    await pay(second);
    const before = await entries();
    await taken(at.charge('ch_second', 10_000, 320, { order_id: 'other', invoice: second.number }));
    await own.settled();
    assert.deepEqual(await open(), ['-3.20', '-3.20']);
    assert.equal(await entries(), before);
  });

  test('keeps a movement of days that are reconciled until the reconciliation is undone', async () => {
    const { at, own } = await opened();
    await taken(at.charge('ch_early', 1_000, 0));
    await own.settled();
    const [line] = list((await own.act('service_list_bank_lines', { account: '1250.1' }))['lines']);
    await own.act('service_post_bank_line', { line_id: String(line?.['id']), account: '4000' });
    await own.act('service_reconcile_account', { account: '1250.1', to: '2026-12-31', closing: '10.00' });
    await taken(at.charge('ch_late', 2_000, 0));
    await own.settled();
    assert.deepEqual(amounts(await lines(own)), [1_000n]);
    const [feed] = list((await own.act('service_list_feeds', {}))['feeds']);
    assert.equal(feed?.['waiting'], 1);
    await own.act('service_undo_reconciliation', { account: '1250.1', reason: 'A late movement' });
    assert.deepEqual(amounts(await lines(own)), [1_000n, 2_000n]);
  });
});
