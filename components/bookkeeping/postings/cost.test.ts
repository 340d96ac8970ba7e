import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { newId } from '@steward/kernel';
import { orderIn, type Order } from '@steward/orders';
import { anything } from '@steward/audit/testing';
import { sql, type TenantContext } from '@steward/sql';
import { goodsOf, idIn } from '../fixtures/goods.ts';
import { byDoor, createWorld, type World } from '../fixtures/world.ts';
import { updatePostingProfile } from '../profile/update.ts';
import { carryOutOrderPosting } from './carry-out-one.ts';
import { carryOutDue } from './worker.ts';

const eur = (amount: string) => ({ amount, currency: 'EUR' });

describe('what goods cost', () => {
  let world: World;
  before(async () => {
    world = await createWorld();
  });
  after(async () => world[Symbol.asyncDispose]());

  const inMode = async (mode: string, persona = 'retail'): Promise<TenantContext> => {
    const context = await world.tenant({ persona });
    await byDoor(updatePostingProfile)(context, { mode });
    return context;
  };
  const variantOf = ({ lines }: Order): string => lines[0]?.variantId ?? '';
  const bought = async (context: TenantContext, quantity = 1, mode: 'live' | 'test' = 'live'): Promise<Order> =>
    goodsOf(world, context).bought(quantity, mode);
  const adjust = async (context: TenantContext, variantId: string, delta: number, reason: string, cost?: string) =>
    goodsOf(world, context).adjust(variantId, delta, reason, cost);
  const send = async (context: TenantContext, order: Order, quantity: number) =>
    goodsOf(world, context).send(order, quantity);
  const takeBack = async (context: TenantContext, order: Order, quantity: number, damaged = 0) =>
    goodsOf(world, context).takeBack(order, quantity, damaged);
  const costs = async (context: TenantContext) => (await world.postings(context)).filter(({ kind }) => kind === 'cost');
  /** Until the bus has told of as many. */
  const heard = async (context: TenantContext, many: number): Promise<void> => {
    await using bus = world.bus();
    bus.start();
    while ((await costs(context)).length < many) await setTimeout(20);
    await world.work();
  };
  /** What was posted, as the journal shows it, each side by the code of its account; sorted, because sources of one millisecond have no order. */
  const journal = async (context: TenantContext): Promise<string[]> => {
    const rows = await world.admin.query<{ says: string }>(sql`
      select e.narration || ': ' || d.code || ' to ' || c.code || ' ' || p.amount as says
      from accounting.entry e
      join accounting.posting p on p.tenant_id = e.tenant_id and p.entry_id = e.entry_id
      join accounting.account d on d.tenant_id = p.tenant_id and d.account_id = p.debit_account_id
      join accounting.account c on c.tenant_id = p.tenant_id and c.account_id = p.credit_account_id
      where e.tenant_id = ${context.tenant}::uuid and e.kind = 'journal' order by e.number, p.line`);
    return rows.map(({ says }) => says).toSorted();
  };
  const states = async (context: TenantContext) =>
    (await costs(context)).map(({ state, reason }) => (reason === null ? state : `${state}: ${reason}`));
  const carryOut = async (context: TenantContext, postingId: string, more: object = {}) =>
    (
      carryOutOrderPosting as unknown as (
        context: TenantContext,
        input: object,
        ports: object,
      ) => Promise<{ posting: { state: string }; entries: unknown[] }>
    )(context, { postingId, ...more }, world.ports);

  /** People put into the books what waits for them. */
  const decide = async (context: TenantContext): Promise<void> => {
    for (const { id, reason } of await costs(context)) if (reason === 'people_post') await carryOut(context, id);
  };

  test('goes from inventory to the cost of sales when they leave, and back as far as they can be sold again', async () => {
    const context = await inMode('post');
    const order = await bought(context, 3);
    await adjust(context, variantOf(order), 3, 'received', '10.00');
    await send(context, order, 2);
    await takeBack(context, order, 2, 1);
    await send(context, order, 1);
    await heard(context, 3);
    assert.deepEqual(
      await journal(context),
      [
        `Cost of goods sold, order ${order.number}: 5000 to 1200 667`,
        `Cost of goods that came back, order ${order.number}: 1200 to 5000 334`,
        `Cost of goods sold, order ${order.number}: 5000 to 1200 334`,
      ].toSorted(),
    );
    assert.deepEqual(
      (await costs(context)).map(({ orderId, state, entryId }) => [orderId, state, entryId !== null]),
      Array.from({ length: 3 }, () => [order.id, 'posted', true]),
    );
    const [first] = await world.admin.query<{ event: string }>(sql`
      select event from audit.event where tenant_id = ${context.tenant}::uuid and type = 'accounting.entry.posted' order by sequence limit 1`);
    const { principalChain, payload } = JSON.parse(first?.event ?? '{}') as {
      principalChain: unknown;
      payload: { posting_date: string };
    };
    assert.deepEqual(principalChain, [{ principalType: 'service', principalId: 'bookkeeping' }]);
    assert.equal(payload.posting_date, new Date().toISOString().slice(0, 10));
    assert.deepEqual(await world.told(), []);
  });

  test('goes to shrinkage when they are lost, and back when they are found; receipts and transfers post nothing', async () => {
    const context = await inMode('post');
    const lamp = newId();
    const made = async (code: string): Promise<string> =>
      idIn(await world.shop(context, 'service_create_location', { name: code, code }), 'location');
    const [from, to] = [await made('one'), await made('two')];
    const change = async (delta: number, reason: string, cost?: string) =>
      world.shop(context, 'service_adjust_stock', {
        reason,
        lines: [{ variantId: lamp, locationId: from, delta, ...(cost === undefined ? {} : { cost: eur(cost) }) }],
      });
    await change(8, 'received', '20.00');
    await world.shop(context, 'service_transfer_stock', {
      fromLocationId: from,
      toLocationId: to,
      lines: [{ variantId: lamp, quantity: 3 }],
    });
    await change(-2, 'damaged');
    await world.shop(context, 'service_count_stock', { lines: [{ variantId: lamp, locationId: from, counted: 2 }] });
    await change(1, 'found', '2.40');
    await heard(context, 3);
    // Whoever counts stock would post by it whatever they say.
    assert.deepEqual(
      await states(context),
      Array.from({ length: 3 }, () => 'waiting: people_post'),
    );
    assert.deepEqual(await journal(context), []);
    await decide(context);
    assert.deepEqual(
      await journal(context),
      [
        'Inventory written off: 5200 to 1200 500',
        'Inventory written off: 5200 to 1200 250',
        'Inventory adjusted: 1200 to 5200 240',
      ].toSorted(),
    );
    assert.deepEqual(
      (await costs(context)).map(({ orderId }) => orderId),
      [null, null, null],
    );
    assert.deepEqual(await world.told(), []);
  });

  test('of an order is posted by itself up to what its goods were sold for; what is more waits for people', async () => {
    const context = await inMode('post');
    const order = await bought(context, 2);
    const net = order.lines.reduce((sum, line) => sum + Number(line.net.amount), 0);
    const lamp = variantOf(order);
    await adjust(context, lamp, 1, 'received', net.toFixed(2));
    await send(context, order, 1);
    await adjust(context, lamp, 1, 'received', '0.01');
    await send(context, order, 1);
    await heard(context, 2);
    assert.deepEqual(await states(context), ['posted', 'waiting: people_post']);
    await decide(context);
    assert.equal((await journal(context)).length, 2);

    const other = await bought(context, 1);
    await adjust(context, variantOf(other), 1, 'received', '9999999999999.99');
    await send(context, other, 1);
    await heard(context, 3);
    assert.deepEqual((await states(context)).at(-1), 'waiting: people_post');
  });

  test('is late where they were sold before they came: it goes to the cost of sales with the receipt', async () => {
    const context = await inMode('post');
    const order = await bought(context, 3);
    await world.shop(context, 'service_set_stock_items', {
      variants: [{ variantId: variantOf(order), items: [{ policy: 'continue' }] }],
    });
    await send(context, order, 3);
    await adjust(context, variantOf(order), 4, 'received', '10.00');
    await heard(context, 1);
    assert.deepEqual(await states(context), ['waiting: people_post']);
    await decide(context);
    assert.deepEqual(await journal(context), ['Cost of goods sold before they came: 5000 to 1200 750']);
  });

  test('is not posted where it is nothing, or not known, or of a test', async () => {
    const context = await inMode('post');
    const [gift, unknown, tried, sold] = [
      await bought(context),
      await bought(context),
      await bought(context, 1, 'test'),
      await bought(context),
    ];
    await adjust(context, variantOf(gift), 1, 'received', '0.00');
    await adjust(context, variantOf(unknown), 1, 'received');
    await adjust(context, variantOf(tried), 5, 'received', '5.00');
    await adjust(context, variantOf(sold), 1, 'received', '7.00');
    for (const order of [gift, unknown, tried, sold]) await send(context, order, 1);
    await heard(context, 1);
    assert.deepEqual(await journal(context), [`Cost of goods sold, order ${sold.number}: 5000 to 1200 700`]);
    assert.equal((await costs(context)).length, 1);
  });

  test('waits for people where the profile leaves posting to them, and is left out where it is off', async () => {
    const drafts = await inMode('drafts');
    const order = await bought(drafts);
    await adjust(drafts, variantOf(order), 1, 'received', '7.00');
    await send(drafts, order, 1);
    await heard(drafts, 1);
    assert.deepEqual(await states(drafts), ['waiting: people_post']);
    const [own] = await costs(drafts);
    assert.equal((await carryOut(drafts, own?.id ?? '', { date: '2026-02-03' })).posting.state, 'posted');
    assert.equal((await carryOut(drafts, own?.id ?? '')).entries.length, 0);
    assert.equal((await journal(drafts)).length, 1);
    const [entry] = await world.admin.query<{ day: string }>(sql`
      select posting_date::text as day from accounting.entry where tenant_id = ${drafts.tenant}::uuid and kind = 'journal'`);
    assert.equal(entry?.day, '2026-02-03');

    const off = await inMode('off');
    await adjust(off, newId(), 2, 'received', '7.00');
    const other = await bought(off);
    await adjust(off, variantOf(other), 1, 'received', '7.00');
    await send(off, other, 1);
    await heard(off, 1);
    assert.deepEqual([await states(off), await journal(off)], [['left_out: profile_off'], []]);
    assert.deepEqual(await world.told(), []);
  });

  test('waits where the books have no account of inventory, until one is chosen', async () => {
    const context = await inMode('post', 'services');
    const order = await bought(context);
    await adjust(context, variantOf(order), 1, 'received', '7.00');
    await send(context, order, 1);
    await adjust(context, variantOf(order), 2, 'received', '8.00');
    await adjust(context, variantOf(order), -1, 'lost');
    await heard(context, 2);
    assert.deepEqual(await states(context), ['waiting: posting_account_missing', 'waiting: posting_account_missing']);
    assert.deepEqual(await journal(context), []);
    await byDoor(updatePostingProfile)(context, {
      inventoryAccount: '1300',
      costOfSalesAccount: '5100',
      shrinkageAccount: '6300',
    });
    await world.work();
    await decide(context);
    assert.deepEqual(
      await journal(context),
      [
        `Cost of goods sold, order ${order.number}: 5100 to 1300 700`,
        'Inventory written off: 6300 to 1300 400',
      ].toSorted(),
    );
  });

  test('is posted on another day where its month is closed, and never keeps goods from leaving', async () => {
    const context = await inMode('post');
    const order = await bought(context);
    await adjust(context, variantOf(order), 1, 'received', '7.00');
    await world.admin.query(sql`
      insert into accounting.period (tenant_id, month, status)
      values (${context.tenant}::uuid, date_trunc('month', now() at time zone 'UTC')::date, 'closed')`);
    await send(context, order, 1);
    await heard(context, 1);
    assert.deepEqual(await states(context), ['waiting: period_closed']);
    const [own] = await costs(context);
    const next = new Date(Date.now() + 40 * 86_400_000).toISOString().slice(0, 10);
    assert.equal((await carryOut(context, own?.id ?? '', { date: next })).posting.state, 'posted');
  });

  test('is posted once, however often it is told, whoever carries it out, and wherever connections are cut', async () => {
    const context = await inMode('post');
    const order = await bought(context, 6);
    await adjust(context, variantOf(order), 6, 'received', '100.01');
    for (let sent = 0; sent < 6; sent += 1) await send(context, order, 1);
    const sources = (await context.require(anything).write(async (tx) => orderIn(tx, order.id)))?.fulfilments ?? [];
    const tell = async () =>
      Promise.allSettled(
        sources.map(async ({ id }) =>
          world.tell(context, 'commerce.stock.costed', { sourceKind: 'fulfilment', sourceId: id, holderId: order.id }),
        ),
      );
    await using one = world.bus();
    await using two = world.bus();
    one.start();
    two.start();
    for (let round = 0; round < 6; round += 1) {
      const ids = (await costs(context)).map(({ id }) => id);
      const working = Promise.allSettled([
        tell(),
        ...Array.from({ length: 4 }, async () => carryOutDue(world.ports)),
        ...ids.map(async (id) => carryOut(context, id)),
      ]);
      await setTimeout(15);
      await world.admin.query(sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name = 'steward' and pid <> pg_backend_pid() and state = 'idle in transaction'`);
      await working;
      await world.admin.query(sql`
        update bookkeeping.posting set next_at = now() where tenant_id = ${context.tenant}::uuid and state in ('due', 'waiting')`);
    }
    while ((await costs(context)).length < 6) await setTimeout(20);
    await world.work();
    assert.deepEqual(
      await states(context),
      Array.from({ length: 6 }, () => 'posted'),
    );
    const posted = (await journal(context)).map((says) => Number(says.split(' ').at(-1)));
    assert.equal(posted.length, 6);
    assert.equal(
      posted.reduce((sum, amount) => sum + amount, 0),
      10001,
    );
    assert.deepEqual(await world.told(), []);
  });

  test('is posted once also where somebody writes a second row for it', async () => {
    const context = await inMode('post');
    const order = await bought(context);
    await adjust(context, variantOf(order), 1, 'received', '7.00');
    await send(context, order, 1);
    await heard(context, 1);
    await world.admin.query(sql`
      insert into bookkeeping.posting (tenant_id, posting_id, order_id, kind, source_id)
      select tenant_id, ${newId()}::uuid, null, 'cost', source_id from bookkeeping.posting
      where tenant_id = ${context.tenant}::uuid and kind = 'cost'`);
    await world.work();
    assert.equal((await journal(context)).length, 1);
    assert.deepEqual((await states(context)).toSorted(), ['posted', 'waiting: people_post']);
    await assert.rejects(decide(context), { code: 'idempotency_conflict' });
    assert.equal((await journal(context)).length, 1);
  });
});
