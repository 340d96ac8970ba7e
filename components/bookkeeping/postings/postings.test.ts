import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { money } from '@steward/kernel';
import { recordOrderPayment } from '@steward/orders';
import { sql, type TenantContext } from '@steward/sql';
import { placing } from '../fixtures/order.ts';
import { byDoor, createWorld, refused, type World } from '../fixtures/world.ts';
import { drawPaper, papersOf } from '../papers/papers.ts';
import { updatePostingProfile } from '../profile/update.ts';
import { reconcileOrders } from '../reports/reconcile.ts';
import { carryOutOrderPosting } from './carry-out-one.ts';
import { listOrderPostings } from './list.ts';
import { carryOutDue } from './worker.ts';

describe('what orders owe the books', () => {
  let world: World;
  before(async () => {
    world = await createWorld();
  });
  after(async () => world[Symbol.asyncDispose]());

  const inMode = async (mode: string): Promise<TenantContext> => {
    const context = await world.tenant();
    await byDoor(updatePostingProfile)(context, { mode });
    return context;
  };
  const invoices = async (context: TenantContext): Promise<Record<string, unknown>[]> =>
    (await world.books(context, 'service_list_documents', {}))['documents'] as never;
  const states = async (context: TenantContext) =>
    (await world.postings(context)).map(({ state, reason }) => (reason === null ? state : `${state}: ${reason}`));
  const carryOut = async (context: TenantContext, postingId: string, more: object = {}) =>
    (
      carryOutOrderPosting as unknown as (
        context: TenantContext,
        input: object,
        ports: object,
      ) => Promise<{ posting: { state: string } }>
    )(context, { postingId, ...more }, world.ports);

  test('is a draft until people issue it, and then in the books', async () => {
    const context = await world.tenant();
    await using bus = world.bus();
    bus.start();
    const order = await world.owe(context, placing());
    await world.work();
    const [draft] = await invoices(context);
    assert.deepEqual(
      [draft?.['status'], draft?.['reference'], draft?.['partyName']],
      ['draft', order.number, 'Ann Buyer'],
    );
    assert.deepEqual(await states(context), ['drafted']);
    await world.books(context, 'service_issue_document', { documentId: draft?.['id'] });
    while ((await states(context))[0] === 'drafted') {
      await world.work();
      await setTimeout(20);
    }
    assert.deepEqual(await states(context), ['posted']);
    assert.deepEqual(await world.told(), []);
  });

  test('is for its buyer as PDF once it is issued; a test has a preview that leaves nothing in the books', async () => {
    const context = await inMode('drafts');
    const order = await world.owe(context, placing());
    await world.work();
    const system = world.tenancy.systemContext({ ...context, requestId: 'papers', correlationId: 'papers' });
    const { ports } = world;
    const asked = new AbortController().signal;
    assert.deepEqual(await papersOf(system, order), [], 'a draft is nobody’s');
    const [due] = await world.postings(context);
    await carryOut(context, due?.id ?? '');
    const [paper, ...more] = await papersOf(system, order);
    assert.deepEqual([paper?.kind, paper?.number, more], ['invoice', 'INV-00001', []]);
    const drawn = await drawPaper(system, order, paper?.id ?? '', asked, ports);
    assert.match(drawn?.bytes.toString('latin1') ?? '', /^%PDF[^]*Invoice INV-00001/);
    assert.equal(drawn?.name, 'INV-00001');
    const tried = await world.place(context, placing({ mode: 'test' }));
    assert.equal(await drawPaper(system, tried, paper?.id ?? '', asked, ports), undefined, 'what another order has');
    const before = await invoices(context);
    const [preview] = await papersOf(system, tried);
    assert.equal(preview?.number, null);
    const shown = await drawPaper(system, tried, preview?.id ?? '', asked, ports);
    assert.match(shown?.bytes.toString('latin1') ?? '', /^%PDF[^]*Invoice TEST-1001/);
    assert.deepEqual(await invoices(context), before);
    assert.equal(((await world.books(context, 'service_list_parties', {}))['parties'] as never as unknown[]).length, 1);
  });

  test('is issued where the profile says so, as the service and with the order as its cause', async () => {
    const context = await inMode('post');
    await world.owe(context, placing());
    await world.work();
    const [invoice] = await invoices(context);
    assert.deepEqual([invoice?.['status'], invoice?.['number']], ['issued', 'INV-00001']);
    const [own] = await world.postings(context);
    const events = await world.admin.query<{ event: string }>(sql`
      select event from audit.event where tenant_id = ${context.tenant}::uuid
        and type in ('accounting.document.issued', 'commerce.order_posting.settled') order by sequence`);
    const [cause] = await world.admin.query<{ cause_id: string }>(sql`
      select cause_id from bookkeeping.posting where posting_id = ${own?.id}::uuid`);
    for (const { event } of events) {
      const { principalChain, causalId } = JSON.parse(event) as { principalChain: unknown; causalId: string };
      assert.deepEqual(principalChain, [{ principalType: 'service', principalId: 'bookkeeping' }]);
      assert.equal(causalId, cause?.cause_id);
    }
    assert.equal(events.length, 2);
  });

  test('is noted by the bus, once, and never of an order of tests', async () => {
    const context = await inMode('post');
    await using bus = world.bus();
    bus.start();
    const test = await world.place(context, placing({ mode: 'test' }));
    const live = await world.place(context, placing());
    while ((await world.postings(context)).length === 0) await setTimeout(20);
    await world.work();
    const all = await world.postings(context);
    assert.deepEqual(
      all.map(({ orderId }) => orderId),
      [live.id],
    );
    assert.notEqual(test.id, live.id);
    assert.deepEqual(await states(context), ['posted']);
  });

  test('is left out where the profile is off, until people ask for it', async () => {
    const context = await inMode('off');
    await world.owe(context, placing());
    await world.work();
    assert.deepEqual(await states(context), ['left_out: profile_off']);
    const [own] = await world.postings(context);
    assert.equal((await carryOut(context, own?.id ?? '')).posting.state, 'posted');
    assert.equal((await invoices(context)).length, 1);
    assert.deepEqual(await world.told(), []);
  });

  test('is issued by nobody alone under a name that the organization got since the one before', async () => {
    const context = await inMode('post');
    await world.owe(context, placing());
    await world.work();
    try {
      world.rename('Fjord Bikes, now at IBAN DE00 6666');
      await world.owe(context, placing());
      await world.work();
      assert.deepEqual((await states(context)).toSorted(), ['posted', 'waiting: posting_differs']);
      assert.equal((await invoices(context)).length, 1);
      const waiting = (await world.postings(context)).find(({ state }) => state === 'waiting');
      assert.match(waiting?.detail ?? '', /by Fjord Bikes so far, and this one would be by Fjord Bikes, now at IBAN/);
      await carryOut(context, waiting?.id ?? '');
      await world.owe(context, placing());
      await world.work();
      assert.deepEqual(await states(context), ['posted', 'posted', 'posted'], 'people have seen the name by then');
      await world.books(context, 'service_update_seller', { name: 'Fjord Bikes AS' });
      world.rename('Elsewhere');
      await world.owe(context, placing());
      await world.work();
      assert.deepEqual([...new Set(await states(context))], ['posted'], 'invoices say another name');
    } finally {
      world.rename('Fjord Bikes');
    }
  });

  test('waits with the reason while the books refuse it, and is posted when they do not', async () => {
    const context = await inMode('post');
    await world.owe(context, placing({ currency: 'USD' }));
    await world.work();
    assert.deepEqual(await states(context), ['waiting: rate_missing']);
    assert.equal((await invoices(context)).length, 0);
    const { items } = await byDoor(listOrderPostings)(context, { state: 'waiting' });
    assert.match(items[0]?.detail ?? '', /rate/);
    assert.ok(items[0]?.nextAt);
    await world.books(context, 'service_set_exchange_rate', { currency: 'USD', day: '2020-01-01', rate: '0.9' });
    await world.admin.query(
      sql`update bookkeeping.posting set next_at = now() where tenant_id = ${context.tenant}::uuid`,
    );
    await world.work();
    assert.deepEqual(await states(context), ['posted']);
  });

  for (const mode of ['post', 'drafts'])
    for (const paid of [[0], [-100, 100], [500], [-1000]])
      test(`is not counted twice in mode ${mode}: money of an invoice that people paid in the books is what they recorded, or waits for a person (${paid.join()})`, async () => {
        const context = await inMode(mode);
        await using bus = world.bus();
        bus.start();
        const order = await world.owe(context, placing());
        await world.work();
        if (mode === 'drafts') await carryOut(context, (await world.postings(context))[0]?.id ?? '');
        const [invoice] = await invoices(context);
        const total = (invoice?.['total'] as { readonly amount: string } | undefined)?.amount ?? '';
        const pay = async (amount: bigint): Promise<Record<string, never>> =>
          world.books(context, 'service_record_payment', {
            direction: 'received',
            partyId: invoice?.['partyId'],
            account: '1000',
            date: String(invoice?.['issueDate']),
            currency: 'EUR',
            amount: money(amount, 'EUR').amount,
            allocations: [
              { documentId: invoice?.['id'], amount: money(amount < cents ? amount : cents, 'EUR').amount },
            ],
          });
        const cents = BigInt(total.replace('.', ''));
        const [first, second] = paid.map(BigInt);
        await pay(cents + (first ?? 0n));
        if (second !== undefined) await pay(second);
        await byDoor(recordOrderPayment)(context, { orderId: order.id });
        while ((await states(context)).length < 2 + paid.length) await setTimeout(20);
        // Who comes first is nobody's to say.
        for (let round = 0; round < 3; round += 1) {
          await world.work();
          await world.admin.query(
            sql`update bookkeeping.posting set next_at = now() where tenant_id = ${context.tenant}::uuid and state = 'waiting'`,
          );
        }
        await world.work();
        const reconciled = async () => {
          const today = new Date().toISOString().slice(0, 10);
          return (await byDoor(reconcileOrders)(context, { from: order.placedAt.slice(0, 10), to: today })).differences;
        };
        const payments = async () =>
          ((await world.books(context, 'service_list_payments', {}))['payments'] as unknown as unknown[]).length;
        const own = (await world.postings(context)).find(({ kind }) => kind === 'payment');
        assert.equal(await payments(), paid.length);
        if (paid[0] !== -1000) {
          assert.ok(own?.state === 'posted' || own?.reason === 'recorded', `${own?.state} ${own?.reason}`);
          assert.deepEqual(await reconciled(), []);
        } else {
          assert.deepEqual([own?.state, own?.reason], ['waiting', 'posting_differs']);
          assert.equal((await carryOut(context, own?.id ?? '')).posting.state, 'posted');
          await world.work();
          assert.equal(await payments(), 2, 'what came beside, by a person alone');
          assert.deepEqual(
            (await reconciled()).map(({ kind, reason, order: says, books }) => [
              kind,
              reason,
              says.amount,
              books.amount,
            ]),
            [['payment', 'nothing_awaited', '19.99', '29.98']],
          );
        }
        assert.deepEqual(await world.told(), []);
      });

  test('is drafted anew after people voided its draft, and the log says so each time', async () => {
    const context = await inMode('drafts');
    await world.owe(context, placing());
    await world.work();
    const [own] = await world.postings(context);
    await world.books(context, 'service_void_document', { documentId: own?.documentId });
    await world.tell(context, 'accounting.document.voided', {}, own?.documentId ?? '');
    await world.work();
    assert.deepEqual(await states(context), ['waiting: document_void']);
    assert.deepEqual(await world.told(), []);
    await carryOut(context, own?.id ?? '');
    assert.deepEqual(await states(context), ['posted']);
    assert.deepEqual(await world.told(), []);
  });

  test('is posted on another day where its month is closed', async () => {
    const context = await inMode('post');
    await world.admin.query(sql`
      insert into accounting.period (tenant_id, month, status)
      values (${context.tenant}::uuid, date_trunc('month', now() at time zone 'UTC')::date, 'closed')`);
    await world.owe(context, placing());
    await world.work();
    assert.deepEqual(await states(context), ['waiting: period_closed']);
    const [own] = await world.postings(context);
    const next = new Date(Date.now() + 40 * 86_400_000).toISOString().slice(0, 10);
    assert.equal((await refused(carryOut(context, own?.id ?? ''))).code, 'period_closed');
    assert.equal((await carryOut(context, own?.id ?? '', { date: next })).posting.state, 'posted');
    assert.equal((await invoices(context))[0]?.['issueDate'], next);
  });

  test('is of one customer however many orders of a buyer are carried out at once', async () => {
    const context = await inMode('drafts');
    for (let order = 0; order < 8; order += 1) await world.owe(context, placing());
    await Promise.all(Array.from({ length: 4 }, async () => carryOutDue(world.ports)));
    await world.work();
    const parties = new Set((await invoices(context)).map(({ partyId }) => partyId));
    assert.deepEqual([parties.size, (await invoices(context)).length], [1, 8]);
  });

  test('is posted once by workers and people at once, also where connections are cut all the time', async () => {
    const context = await inMode('post');
    const orders = 6;
    for (let order = 0; order < orders; order += 1)
      await world.owe(context, placing({ email: `b${order % 2}@example.com` }));
    const ids = (await world.postings(context)).map(({ id }) => id);
    const again = async () =>
      world.admin.query(sql`
        update bookkeeping.posting set next_at = now() where tenant_id = ${context.tenant}::uuid and state in ('due', 'waiting')`);
    for (let round = 0; round < 6; round += 1) {
      const working = Promise.allSettled([
        ...Array.from({ length: 4 }, async () => carryOutDue(world.ports)),
        ...ids.map(async (id) => carryOut(context, id)),
      ]);
      await setTimeout(15);
      await world.admin.query(sql`
        select pg_terminate_backend(pid, 5000) from pg_stat_activity
        where datname = current_database() and application_name = 'steward' and pid <> pg_backend_pid() and state = 'idle in transaction'`);
      await working;
      await again();
    }
    await world.work();
    assert.deepEqual(
      await states(context),
      Array.from({ length: orders }, () => 'posted'),
    );
    const numbers = (await invoices(context)).map(({ number }) => number);
    assert.equal(numbers.length, orders);
    assert.equal(new Set(numbers).size, orders);
    assert.deepEqual(await world.told(), []);
  });

  test('says nothing of a buyer who was erased', async () => {
    const context = await inMode('post');
    const order = await world.owe(context, placing({ email: 'gone@example.com' }));
    await world.admin.query(sql`
      update orders.sales_order set email = null, name = null, erased_at = now() where order_id = ${order.id}::uuid`);
    await world.work();
    assert.deepEqual(await states(context), ['posted']);
    assert.equal((await invoices(context))[0]?.['partyName'], `Buyer of order ${order.number}`);
  });

  test('is shown to every member, and put into the books by whoever answers for them', async () => {
    const members = { alice: 'owner', meg: 'merchandiser', vic: 'viewer' } as const;
    const { tenant } = await world.tenant({ members });
    const context = world.as(tenant, 'alice');
    await world.owe(context, placing());
    const { items } = await byDoor(listOrderPostings)(world.as(tenant, 'vic'), {});
    assert.equal(items.length, 1);
    const problem = await refused(carryOut(world.as(tenant, 'meg'), items[0]?.id ?? ''));
    assert.equal(problem.code, 'insufficient_role');
    assert.equal((await refused(carryOut(await world.tenant(), items[0]?.id ?? ''))).code, 'not_found');
  });
});
