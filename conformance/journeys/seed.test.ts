import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createWorld, type Json, type World } from '@steward/conformance/world';
import { openPool, sql } from '@steward/sql';

const listOf = (answer: Json): Json[] => answer['items'] as unknown as Json[];
const day = 86_400_000;

describe('`steward seed`', () => {
  let world: World;
  let said: string;
  let tenant: string;
  let key: string;
  let token: string;
  /** How often what was left was forgotten meanwhile, as a job does each minute. */
  let forgot = 0;
  const seed = async (env: Record<string, string> = {}) =>
    world.command(['seed', '--orders', '12', '--products', '4', '--seed', '7'], env);
  const rest = async (url: string): Promise<Json> => {
    const { status, body } = await world.call(url, { token, tenant });
    assert.equal(status, 200, `${url}: ${JSON.stringify(body)}`);
    return body;
  };
  const page = async (path: string): Promise<Json> => {
    const { status, body } = await world.call(`${world.server.addresses.storefront}${path}`, {
      headers: { 'x-service-sdk-key': key },
    });
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  };

  before(async () => {
    world = await createWorld();
    await using admin = openPool({ url: world.db.adminUrl, size: 1 });
    const ended = new AbortController();
    const seeding = seed().finally(() => ended.abort());
    for (; !ended.signal.aborted; forgot += 1) {
      await admin.query(sql`select checkout.tidy(interval '2 days', interval '30 days', 500)`);
      await sleep(10);
    }
    const { code, out, err } = await seeding;
    assert.equal(code, 0, err);
    said = out;
    tenant = /Tenant +(\S+)/.exec(out)?.[1] ?? '';
    key = /key=(pk_live_\w+)/.exec(out)?.[1] ?? '';
    token = await world.token({ user: 'alice@example.com' });
  });
  after(async () => world[Symbol.asyncDispose]());

  test('is whole although what was left is forgotten meanwhile', () => {
    assert.ok(forgot > 100, `only ${forgot} times`);
    assert.match(said, /Shop +http/);
  });

  test('makes a shop whose products have pictures, at an address that it names', async () => {
    const { status } = await world.call(/Shop +(\S+)/.exec(said)?.[1] ?? '', {});
    assert.equal(status, 200);
    const products = listOf(await page('/products'));
    assert.equal(products.length, 4);
    const pictures = new Set(products.map(({ image }) => String(image?.['url'])));
    assert.equal(pictures.size, 4, 'each has its own');
    for (const url of pictures) {
      const answer = await fetch(`${url}?w=320`);
      assert.equal(answer.headers.get('content-type'), 'image/webp');
      assert.ok((await answer.arrayBuffer()).byteLength > 500);
    }
  });

  test('makes orders of a year, numbered by their time, which the books have to the unit', async () => {
    const { addresses } = world.server;
    const orders = listOf(await rest(`${addresses.commerce}/api/orders?limit=100`)).toReversed();
    assert.deepEqual(
      orders.map(({ number }) => String(number)),
      Array.from({ length: 12 }, (_order, index) => String(1001 + index)),
    );
    const times = orders.map(({ placedAt }) => Date.parse(String(placedAt)));
    assert.deepEqual(
      times,
      times.toSorted((a, b) => a - b),
    );
    assert.ok((times.at(-1) ?? 0) - (times[0] ?? 0) > 100 * day, 'over months');
    const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);
    const compared = await rest(
      `${addresses.commerce}/api/order-reconciliation?from=${dayOf(Date.now() - 366 * day)}&to=${dayOf(Date.now())}`,
    );
    const [sums = {}] = compared['currencies'] as unknown as Json[];
    assert.equal(Number(sums['orders']), 12);
    assert.deepEqual([sums['notInvoiced']?.['amount'], sums['notPaid']?.['amount']], ['0.00', '0.00']);
    assert.ok(Number(sums['paid']?.['amount']) > 0);
    const costs = compared['costs'];
    assert.ok(Number(costs?.['sold']?.['amount']) > 0);
    assert.deepEqual(
      [costs?.['posted']?.['amount'], costs?.['notPosted']?.['amount'], costs?.['stock']?.['notPosted']?.['amount']],
      [costs?.['sold']?.['amount'], '0.00', '0.00'],
    );
    const profit = await fetch(
      `${addresses.accounting}/api/reports/profit-and-loss.csv?from=${dayOf(Date.now() - 366 * day)}&to=${dayOf(Date.now())}`,
      { headers: { authorization: `Bearer ${token}`, 'x-tenant-id': tenant } },
    );
    const margin = await profit.text();
    assert.match(margin, new RegExp(`Cost of goods sold.*${costs?.['sold']?.['amount']}`), margin);
  });

  test('tells of the checkouts of the last month those that were left, when they were', async () => {
    const { addresses } = world.server;
    const checkouts = listOf(await rest(`${addresses.commerce}/api/checkouts?limit=100`));
    const recent = checkouts.filter(({ createdAt }) => Date.parse(String(createdAt)) > Date.now() - 30 * day);
    const ofStatus = (...among: string[]): Json[] => recent.filter(({ status }) => among.includes(String(status)));
    assert.ok(ofStatus('expired').length > 0, JSON.stringify(recent));
    assert.ok(ofStatus('expired').length > ofStatus('open', 'ready').length);
    for (const { createdAt, updatedAt, expiresAt } of checkouts) {
      assert.equal(String(updatedAt), String(createdAt));
      assert.equal(Date.parse(String(expiresAt)) - Date.parse(String(updatedAt)), day);
    }
  });

  test('never overdraws its account, however little it sells', async () => {
    const { addresses } = world.server;
    const csv = await fetch(`${addresses.accounting}/api/export/bank-lines.csv`, {
      headers: { authorization: `Bearer ${token}`, 'x-tenant-id': tenant },
    });
    const [head = '', ...rows] = (await csv.text()).trimEnd().split(/\r?\n/);
    const [dayAt, amountAt] = ['day', 'amount'].map((column) => head.split(',').indexOf(column));
    const lines = rows
      .map((row) => row.split(','))
      .toSorted((a, b) => (a[dayAt ?? 0] ?? '').localeCompare(b[dayAt ?? 0] ?? ''));
    assert.ok(lines.length > 20, head);
    let balance = 0;
    for (const line of lines) {
      balance += Math.round(Number(line[amountAt ?? 0]) * 100);
      assert.ok(balance >= 0, `${balance / 100} after ${line.join()}`);
    }
    const { body } = await world.call(`${addresses.accounting}/graphql`, {
      token,
      tenant,
      body: {
        query: 'query Books($input: ReconciliationInput!) { reconciliation(input: $input) { bookBalance { amount } } }',
        variables: {
          input: { account: '1000', to: new Date().toISOString().slice(0, 10), closing: '0.00', opening: '0.00' },
        },
      },
    });
    const cash = body['data']?.['reconciliation']?.['bookBalance']?.['amount'];
    assert.ok(Number(cash) >= 0, JSON.stringify(body));
  });

  test('leaves proposals of agents to decide, and answers to its form', async () => {
    const { addresses } = world.server;
    const waiting = listOf(await rest(`${addresses.portal}/api/pending-actions?state=pending`));
    assert.ok(waiting.length >= 3, String(waiting.length));
    const payment = waiting.find(({ tool }) => String(tool) === 'service_record_payment');
    assert.equal(String(payment?.['amount']?.['amount']), '236.80');
    // It is the payment of a bill that is open.
    const facts = payment?.['facts'] as unknown as readonly Json[] | undefined;
    const bill = facts?.find(({ noun }) => String(noun) === 'document');
    assert.match(JSON.stringify(bill), /236\.80/);
    for (const { requestedBy } of waiting)
      assert.equal(String((requestedBy as unknown as Json[]).at(-1)?.['type']), 'agent');
    const form = /form=([\w-]+)/.exec(said)?.[1] ?? '';
    assert.ok(listOf(await rest(`${addresses.commerce}/api/forms/${form}/submissions`)).length > 0);
  });

  test('says in the log what happened when, and that it was told today; nothing of it fails verification', async () => {
    const { addresses } = world.server;
    const events: Json[] = [];
    for (let cursor = ''; ;) {
      const read = await rest(`${addresses.accounting}/api/audit/events?limit=200${cursor}`);
      events.push(...listOf(read));
      if (read['next_cursor'] === null || read['next_cursor'] === undefined) break;
      cursor = `&cursor=${encodeURIComponent(String(read['next_cursor']))}`;
    }
    const placed = events.filter(({ type }) => String(type) === 'commerce.order.placed');
    assert.equal(placed.length, 12);
    for (const { occurred_at: occurred, received_at: received } of placed) {
      assert.ok(Date.parse(String(received)) - Date.parse(String(occurred)) > 3_600_000);
      assert.ok(Date.parse(String(received)) > Date.now() - day);
    }
    const kinds = new Set(
      events.flatMap(({ principal_chain: chain }) => String((chain as unknown as Json[]).at(-1)?.['principal_type'])),
    );
    assert.ok(kinds.has('user') && kinds.has('agent'), [...kinds].join());
    const { code, out, err } = await world.command(['audit', 'verify']);
    assert.equal(code, 0, out + err);
    assert.match(out, /integrity ok, completeness ok/);
  });

  test('is refused for a tenant that is not empty, in production, and where nothing runs', async () => {
    for (const [env, about] of [
      [{}, /is not empty/],
      [{ NODE_ENV: 'production' }, /refused in production/],
      [{ DATA_DIR: '/nonexistent' }, /No instance runs in/],
    ] as const) {
      const { code, err, out } = await seed(env);
      assert.equal(code, 1);
      assert.match(err, about);
      assert.equal(out, '');
    }
  });
});
