import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openStripe, type StripeStub } from '@steward/orders/testing';
import { sql } from '@steward/sql';
import { able, type Brand, createWorld, usual, type World } from '../fixtures/world.ts';

const billing_address = { street_address: 'Weg 1', address_locality: 'Berlin', address_country: 'DE' };
const by = (token: string) => ({
  payment: {
    instruments: [{ id: 'i', handler_id: 'card', type: 'card', credential: { type: 'token', token }, billing_address }],
  },
});

describe('a card that an agent brings', () => {
  let world: World;
  let brand: Brand;
  let stripe: StripeStub;
  before(async () => {
    stripe = await openStripe();
    const account = { apiKey: 'sk_live_1', publishableKey: 'pk_live_1', live: true };
    world = await createWorld({}, { api: stripe.url, account });
    brand = await world.brand('live');
  });
  after(async () => {
    await world[Symbol.asyncDispose]();
    await stripe[Symbol.asyncDispose]();
  });

  const ready = async () => {
    const cup = await brand.goods.variant({ ships: false, stock: 1 });
    const made = await brand.send('POST', '/checkout-sessions', {
      body: { line_items: [{ item: { id: cup }, quantity: 1 }], buyer: { email: 'ann@example.com' } },
    });
    const at = `/checkout-sessions/${made.body.id}`;
    const intents = () =>
      [...stripe.intents.values()].filter(({ metadata }) => metadata['checkout_id'] === made.body.id);
    const intent = () => intents()[0];
    const pay = async (token: string, key = randomUUID()) =>
      brand.send('POST', `${at}/complete`, { body: by(token), key });
    return { at, made, intents, intent, pay };
  };
  const codesOf = ({ body }: Awaited<ReturnType<Brand['send']>>) => (body.messages ?? []).map(({ code }) => code);

  test('is offered where the shop takes cards, in the profile and in each checkout', async () => {
    const { made } = await ready();
    const profile = await brand.send('GET', '/.well-known/ucp');
    for (const { body } of [made, profile]) {
      const { payment_handlers: offered } = (body as unknown as { ucp: { payment_handlers: object } }).ucp;
      assert.deepEqual(Object.entries(offered).find(([name]) => name === 'dev.steward.payments.card')?.[1], [
        {
          id: 'card',
          version: '2026-08-25',
          available_instruments: [{ type: 'card' }],
          config: { psp: 'stripe', tokens: ['spt_', 'pm_', 'ctoken_'] },
        },
      ]);
    }
  });

  for (const token of ['spt_1_good', 'pm_1_good', 'ctoken_1_good'])
    test(`pays at once by ${token}, once however often it is sent`, async () => {
      const { pay, intent, made } = await ready();
      const key = randomUUID();
      const answers = await Promise.all([pay(token, key), pay(token, key), pay(token, key)]);
      // Who comes while the first is under way may be told so.
      for (const { status, body } of answers)
        assert.ok(status === 503 || ['completed', 'complete_in_progress'].includes(body.status), JSON.stringify(body));
      const done = await pay(token, key);
      assert.deepEqual([done.status, done.body.status, done.body.id], [200, 'completed', made.body.id]);
      assert.deepEqual((await pay(token, key)).body, done.body);
      assert.equal((await pay('spt_2_good', key)).status, 409);
      assert.deepEqual([intent()?.status, intent()?.amount_capturable], ['requires_capture', intent()?.amount]);
      assert.equal(
        stripe.intents
          .values()
          .filter(({ metadata: { checkout_id: of } }) => of === made.body.id)
          .toArray().length,
        1,
      );
    });

  test('that is refused says why, holds nothing, and the next one pays', async () => {
    const { pay, intent } = await ready();
    const refused = await pay('spt_1_poor');
    assert.deepEqual([refused.status, refused.body.status], [200, 'ready_for_complete']);
    assert.deepEqual(codesOf(refused), ['payment_failed']);
    assert.equal(intent()?.status, 'canceled', 'nobody can pay it any more');
    const unknown = await pay('spt_1_unknown');
    assert.deepEqual(codesOf(unknown), ['payment_failed']);
    const none = await pay('4242424242424242');
    assert.deepEqual([none.body.status, codesOf(none).at(0)], ['ready_for_complete', 'payment_failed']);
    assert.equal((await pay('spt_2_good')).body.status, 'completed');
  });

  test('that is refused takes back nothing that another one has paid at the same time', async () => {
    for (let round = 0; round < 6; round += 1) {
      const { pay, intent, intents, at } = await ready();
      // The payment waits for its card, so that both meet it.
      await pay('spt_0_seen');
      Object.assign(intent() ?? {}, { status: 'requires_payment_method', next_action: null });
      await Promise.all([pay(`spt_${round}_good`), pay(`spt_${round}_unknown`), pay(`spt_${round}_good`)]);
      const { body } = await brand.send('GET', at);
      // What came after the refusal began a payment of its own.
      const holding = intents().filter(({ status }) => status !== 'canceled');
      assert.deepEqual(
        holding.map(({ status }) => status),
        body.status === 'completed' ? ['requires_capture'] : [],
        body.status,
      );
    }
  });

  test('that is refused late takes nothing back from the next one that pays, and is let go of at the provider by its own payment', async () => {
    const { pay, intent, intents, at } = await ready();
    const [refusal, paid] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const asked = async (count: number): Promise<void> => {
      while (stripe.requests.length < count) await sleep(5);
    };
    const before = stripe.requests.length;
    // Both are refused; of one that is learned late, and the provider fails to let go for the other.
    const fine = (count: number) => Array.from({ length: count }, () => null);
    stripe.faults.push(...fine(3), refusal.promise, ...fine(5), 500, ...fine(2), paid.promise);
    const late = pay('spt_1_poor');
    await asked(before + 4);
    assert.deepEqual(codesOf(await pay('spt_2_poor')), ['payment_failed']);
    assert.equal(intent()?.status, 'requires_payment_method');
    const next = pay('spt_3_good');
    await asked(before + 13);
    refusal.resolve();
    await late;
    await world.askProviders();
    assert.equal(intent()?.status, 'canceled', 'what the provider was asked for in vain is asked for again');
    paid.resolve();
    assert.equal((await next).body.status, 'completed');
    assert.equal((await brand.send('GET', at)).body.status, 'completed');
    assert.deepEqual(
      intents().map(({ status }) => status),
      ['canceled', 'requires_capture'],
    );
  });

  test('is tried out ten times for a checkout, and so often in an hour by an agent and by all that are not trusted', async () => {
    const own = await world.brand('live');
    const platform = 'https://platform.example/p';
    for (const url of [platform, 'https://other.example/p']) world.profile(url, able('2026-08-25'));
    const checkout = async (agent: string) => {
      const cup = await own.goods.variant({ ships: false, stock: 1 });
      const body = { line_items: [{ item: { id: cup }, quantity: 1 }], buyer: { email: 'ann@example.com' } };
      const { id } = (await own.send('POST', '/checkout-sessions', { body, agent })).body;
      const pay = async (token: string) =>
        own.send('POST', `/checkout-sessions/${id}/complete`, { body: by(token), agent });
      const failed = async (count: number): Promise<void> => {
        await world.admin.query(sql`
          update checkout.session set payment_attempts = ${count}::int, payment_attempted_at = clock_timestamp() where checkout_id = ${id}::uuid`);
      };
      const attempts = async () =>
        (
          await world.admin.query<{ count: number }>(
            sql`select payment_attempts as count from checkout.session where checkout_id = ${id}::uuid`,
          )
        )[0]?.count;
      return { pay, failed, attempts };
    };
    const first = await checkout(usual);
    // At once, so that several meet the same payment: each that was refused counts.
    const before = stripe.tokens.length;
    for (let round = 0; round < 10; round += 1)
      await Promise.all([
        first.pay(`spt_${round}a_poor`),
        first.pay(`spt_${round}b_poor`),
        first.pay(`spt_${round}c_poor`),
      ]);
    const spent = await first.pay('spt_9_good');
    assert.deepEqual(
      [spent.status, spent.body.status, spent.body.messages?.map(({ code, severity }) => [code, severity]).at(0)],
      [200, 'ready_for_complete', ['payment_failed', 'unrecoverable']],
      spent.text,
    );
    assert.ok(stripe.tokens.length - before <= 12, `${stripe.tokens.length - before} cards were tried`);
    assert.equal(world.refused.at(-1), 'payment_attempts_spent');

    const [second, other, trusted] = await Promise.all([checkout(usual), checkout(platform), checkout(platform)]);
    await first.failed(100);
    const limited = await second.pay('spt_1_good');
    assert.deepEqual(
      [limited.status, limited.body.code, limited.headers.get('retry-after')],
      [429, 'rate_limit_exceeded', '600'],
    );
    assert.equal(world.refused.at(-1), 'payment_attempt_limit');
    assert.equal((await other.pay('spt_2_good')).body.status, 'completed', 'others are not kept from paying by it');
    await first.failed(200);
    const stranger = await (await checkout('https://other.example/p')).pay('spt_3_good');
    assert.equal(stranger.status, 429, 'an agent may have as many names as it likes');
    world.trusted.add(platform);
    await trusted.failed(7);
    assert.equal((await trusted.pay('spt_4_good')).body.status, 'completed');
    assert.equal(await trusted.attempts(), 7, 'who has one good card does not try out others by it');
  });

  test('counts where it is refused while the checkout is shown at a new price', async () => {
    const own = await world.brand('live');
    const cup = await own.goods.variant({ ships: false, stock: 1 });
    const body = { line_items: [{ item: { id: cup }, quantity: 1 }], buyer: { email: 'ann@example.com' } };
    const { id } = (await own.send('POST', '/checkout-sessions', { body })).body;
    await own.goods.reprice(cup, 1100);
    const shown = await world.admin.withClient(async (client) => {
      await client.query('begin');
      await client.query('select from checkout.session where checkout_id = $1 for update', [id]);
      const asked = own.send('GET', `/checkout-sessions/${id}`);
      const waiting = sql`
        select count(*)::int as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      while ((await world.admin.query(waiting))[0]?.['waiting'] !== 1) await sleep(5);
      await client.query(
        'update checkout.session set payment_attempts = 1, payment_attempted_at = clock_timestamp() where checkout_id = $1',
        [id],
      );
      await client.query('commit');
      return asked;
    });
    assert.equal(shown.status, 200);
    const [kept] = await world.admin.query(
      sql`select payment_attempts::int as attempts, total::int from checkout.session where checkout_id = ${id}::uuid`,
    );
    assert.deepEqual(kept, { attempts: 1, total: 1100 });
  });

  test('whose issuer wants to see the buyer leads over our page there and back', async () => {
    const { pay, intent, at } = await ready();
    const asked = await pay('spt_1_seen');
    assert.equal(asked.body.status, 'requires_escalation', JSON.stringify(asked.body));
    assert.deepEqual(codesOf(asked), ['payment_authentication_required']);
    const url = String(asked.body.continue_url);
    assert.equal(intent()?.next_action?.redirect_to_url.return_url, url);
    assert.equal((await pay('spt_1_seen')).body.status, 'requires_escalation', 'it is not paid by asking again');
    const page = await fetch(url);
    const text = await page.text();
    assert.ok(text.includes(`href="http://127.0.0.1:9/issuer/${intent()?.id}"`), text);
    assert.equal(page.headers.get('cache-control'), 'no-store');
    const { id = '' } = intent() ?? {};
    stripe.confirm(id);
    assert.match(await (await fetch(url)).text(), /Thank you for your order/);
    assert.equal((await brand.send('GET', at)).body.status, 'completed');
  });

  test('is charged once and bought once, whatever befalls the questions to the provider', async () => {
    for (const at of [0, 1, 2])
      for (const fault of ['lost', 'cut', 'half', 500, 429] as const) {
        const { pay, made } = await ready();
        stripe.faults.push(...Array.from({ length: at }, () => null), fault);
        const token = `spt_${at}_${fault}_good`;
        const key = randomUUID();
        const first = await pay(token, key);
        assert.ok(first.status === 503 || first.body.status === 'completed', JSON.stringify(first.body));
        stripe.faults.length = 0;
        const done = await pay(token, key);
        const name = `${fault} at question ${at}`;
        assert.equal(done.body.status, 'completed', `${name}: ${JSON.stringify(done.body)}`);
        const all = [...stripe.intents.values()].filter(({ metadata }) => metadata['checkout_id'] === made.body.id);
        assert.deepEqual(
          all.map(({ status }) => status),
          ['requires_capture'],
          name,
        );
      }
  });

  test('is kept nowhere: not in the database, the log or an answer', async () => {
    assert.ok(stripe.tokens.length > 10);
    const columns = await world.admin.query<{ place: string; found: boolean }>(sql`
      select format('%I.%I', table_schema, table_name) as place, false as found from information_schema.tables
      where table_schema not in ('pg_catalog', 'information_schema') and table_type = 'BASE TABLE'`);
    assert.ok(columns.length > 20);
    for (const { place } of columns) {
      const [row] = await world.admin.withClient(async (client) => {
        const { rows } = await client.query<{ texts: string }>(
          `select coalesce(string_agg(t::text, ' '), '') as texts from ${place} t`,
        );
        return rows;
      });
      assert.doesNotMatch(row?.texts ?? '', /(?:spt|pm|ctoken)_\w+_(?:good|poor|seen)/, place);
    }
    assert.doesNotMatch(world.logged.join(''), /(?:spt|pm|ctoken)_\w+_(?:good|poor|seen)/);
  });
});
