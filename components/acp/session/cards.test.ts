import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { openStripe, type StripeStub } from '@steward/orders/testing';
import { type Brand, createWorld, type World } from '../fixtures/world.ts';

describe('a card that a platform has delegated', () => {
  let world: World;
  let brand: Brand;
  let stripe: StripeStub;
  before(async () => {
    stripe = await openStripe();
    const account = { apiKey: 'sk_live_1', publishableKey: 'pk_live_1', live: true };
    world = await createWorld({ api: stripe.url, account });
    brand = await world.brand('live');
  });
  after(async () => {
    await world[Symbol.asyncDispose]();
    await stripe[Symbol.asyncDispose]();
  });

  const billing_address = {
    name: 'Ann Bo',
    line_one: 'Weg 1',
    city: 'Berlin',
    state: '',
    country: 'DE',
    postal_code: '10115',
  };
  const ready = async (capabilities: object = {}) => {
    const cup = await brand.goods.variant({ ships: false, stock: 1, cents: 1000 });
    const made = await brand.send('POST', '/checkout_sessions', {
      body: {
        currency: 'eur',
        capabilities,
        line_items: [{ id: cup, quantity: 1 }],
        buyer: { first_name: 'Ann', last_name: 'Bo', email: 'ann@example.com' },
      },
    });
    const { id } = made.body;
    const intents = () => [...stripe.intents.values()].filter(({ metadata }) => metadata['checkout_id'] === id);
    const pay = async (token: string, key = randomUUID()) =>
      brand.send('POST', `/checkout_sessions/${id}/complete`, {
        key,
        body: {
          payment_data: {
            handler_id: 'card',
            instrument: { type: 'card', credential: { type: 'spt', token } },
            billing_address,
          },
        },
      });
    return { made, pay, intents, at: `/checkout_sessions/${id}` };
  };

  test('is offered where the shop takes cards, by a handler whose schemas are served', async () => {
    const { made } = await ready();
    const handler = made.body.capabilities.payment.handlers.find(({ id }) => id === 'card');
    assert.deepEqual(
      [handler?.name, handler?.psp, handler?.requires_delegate_payment],
      ['dev.acp.tokenized.card', 'stripe', true],
      made.text,
    );
    for (const url of [handler?.config_schema ?? '', ...(handler?.instrument_schemas ?? [])])
      assert.equal((await fetch(url)).status, 200, url);
  });

  test('pays at once, once however often it is sent', async () => {
    const { pay, intents } = await ready();
    const key = randomUUID();
    const done = await pay('spt_1_good', key);
    assert.deepEqual([done.status, done.body.status], [200, 'completed'], done.text);
    const again = await pay('spt_1_good', key);
    assert.deepEqual([again.body, again.headers.get('idempotent-replayed')], [done.body, 'true']);
    assert.equal((await pay('spt_2_good', key)).status, 422);
    assert.deepEqual(
      intents().map(({ status, amount_capturable: held }) => [status, held]),
      [['requires_capture', 1000]],
    );
  });

  test('that is refused, or wants to see its buyer, says so, and the next one pays', async () => {
    const { pay, intents } = await ready();
    for (const [token, code] of [
      ['spt_1_poor', 'payment_declined'],
      ['spt_2_seen', 'intervention_required'],
      ['spt_3_unknown', 'payment_declined'],
    ] as const) {
      const refused = await pay(token);
      assert.deepEqual([refused.status, refused.body.status], [200, 'ready_for_payment'], refused.text);
      assert.deepEqual(
        refused.body.messages.map(({ code: told }) => told),
        [code],
      );
    }
    const number = await pay('4242424242424242');
    assert.deepEqual([number.status, number.body.code], [400, 'invalid'], number.text);
    assert.equal(stripe.tokens.includes('4242424242424242'), false, 'no number of a card goes anywhere');
    assert.equal((await pay('spt_4_good')).body.status, 'completed');
    assert.deepEqual(
      intents().map(({ status }) => status),
      ['canceled', 'canceled', 'canceled', 'requires_capture'],
    );
    assert.doesNotMatch(world.logged.join(''), /spt_\w+_(?:good|poor|seen)|4242424242424242/);
  });

  test('whose issuer wants to see the buyer leads over a page of the shop there and back, and what was bought is told', async () => {
    const { pay, intents, at } = await ready({ interventions: { supported: ['3ds'] } });
    const asked = await pay('spt_1_seen');
    assert.deepEqual(
      [asked.status, asked.body.status, asked.body.messages.map(({ code }) => code)],
      [200, 'requires_escalation', ['requires_3ds']],
      asked.text,
    );
    const url = asked.body.continue_url ?? '';
    const [intent] = intents();
    assert.equal(intent?.next_action?.redirect_to_url.return_url, url);
    assert.equal((await pay('spt_1_seen')).body.status, 'requires_escalation', 'it is not paid by asking again');
    const page = await fetch(url);
    const text = await page.text();
    assert.match(text, new RegExp(`href="http://127.0.0.1:9/issuer/${intent?.id}"`));
    assert.match(text, /Acme.*You pay €10\.00\./s);
    assert.equal(page.headers.get('cache-control'), 'no-store');
    assert.equal((await brand.send('GET', at)).body.continue_url, url);
    for (const wrong of [url.slice(0, -1), `${url}x`, url.replace(/t=.*/, ''), url.replace('/acp/', '/ucp/')])
      assert.equal((await fetch(wrong)).status, 404, wrong);
    stripe.confirm(intent?.id ?? '');
    assert.match(await (await fetch(url)).text(), /Thank you for your order/);
    const { body } = await brand.send('GET', at);
    assert.deepEqual([body.status, body.continue_url], ['completed', undefined]);
    assert.match(await (await fetch(url)).text(), /Thank you for your order/);
  });

  test('is tried out ten times for a session', async () => {
    const { pay } = await ready();
    const before = world.refused.length;
    for (let tries = 0; tries < 10; tries += 1) await pay(`spt_${tries}_poor`);
    const spent = await pay('spt_11_good');
    assert.deepEqual([spent.status, spent.body.code], [409, 'payment_attempts_spent'], spent.text);
    assert.deepEqual(world.refused.slice(before), ['payment_attempts_spent']);
  });

  test('whose provider does not answer is asked about again under the same key, and paid once', async () => {
    const { pay, intents } = await ready();
    stripe.faults.push(null, null, 'half');
    const key = randomUUID();
    const first = await pay('spt_1_good', key);
    assert.deepEqual([first.status, first.body.code], [503, 'service_unavailable'], first.text);
    const again = await pay('spt_1_good', key);
    assert.equal(again.body.status, 'completed', again.text);
    assert.deepEqual(
      intents().map(({ status }) => status),
      ['requires_capture'],
    );
  });
});
