import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { after, before, describe, test } from 'node:test';
import { sql, statement } from '@steward/sql';
import { type Answer, type Brand, createWorld, type World } from '../fixtures/world.ts';

const berlin = { name: 'Ann', line_one: 'Weg 1', city: 'Berlin', state: '', country: 'DE', postal_code: '10115' };
const begun = {
  currency: 'eur',
  capabilities: { interventions: { supported: ['3ds'] } },
  buyer: { email: 'ann@example.com' },
};
const good = '4242424242424242';
const declines = '4000000000000002';
const asks = '4000000000003220';
const handler_id = 'card_tokenized';
const paid = (token: string, more = {}) => ({
  payment_data: {
    handler_id,
    instrument: { id: 'i1', handler_id, type: 'card', credential: { type: 'spt', token } },
    billing_address: berlin,
  },
  ...more,
});
const at = '/agentic_commerce/delegate_payment';
const soon = (milliseconds = 3_600_000) => new Date(Date.now() + milliseconds).toISOString();

describe('a delegated payment token', () => {
  let world: World;
  let brand: Brand;
  before(async () => {
    world = await createWorld();
    brand = await world.brand();
  });
  after(async () => world[Symbol.asyncDispose]());

  const session = async (cents = 1000): Promise<Answer> => {
    const item = await brand.goods.variant({ cents, ships: false });
    const made = await brand.send('POST', '/checkout_sessions', { body: { ...begun, line_items: [{ id: item }] } });
    assert.equal(made.body.status, 'ready_for_payment', made.text);
    return made;
  };
  const card = (number = good, more = {}) => ({
    type: 'card',
    card_number_type: 'fpan',
    number,
    display_card_funding_type: 'credit',
    metadata: {},
    ...more,
  });
  const asked = (sessionId: string, allowance: object = {}, method: object = card()) => ({
    payment_method: method,
    allowance: {
      reason: 'one_time',
      max_amount: 1000,
      currency: 'eur',
      checkout_session_id: sessionId,
      merchant_id: brand.brandId,
      expires_at: soon(),
      ...allowance,
    },
    risk_signals: [{ type: 'card_testing', score: 1, action: 'authorized' }],
    metadata: { campaign: 'q4' },
  });
  const issue = async (sessionId: string, allowance: object = {}, method: object = card()): Promise<string> => {
    const answer = await brand.send('POST', at, { body: asked(sessionId, allowance, method) });
    assert.equal(answer.status, 201, answer.text);
    return answer.body.id;
  };
  const complete = async (id: string, token: string, more = {}) =>
    brand.send('POST', `/checkout_sessions/${id}/complete`, { body: paid(token, more) });

  test('is issued for a card to whoever it is delegated to, and pays the session once that its handler asked for it', async () => {
    const made = await session();
    const handler = made.body.capabilities.payment.handlers.find(({ id }) => id === handler_id);
    assert.deepEqual(
      [handler?.name, handler?.requires_delegate_payment, handler?.config.merchant_id],
      ['dev.acp.tokenized.card', true, brand.brandId],
    );
    for (const schema of [handler?.config_schema, ...(handler?.instrument_schemas ?? [])])
      assert.equal((await fetch(schema ?? '')).status, 200);
    const key = randomUUID();
    const body = asked(made.body.id);
    const issued = await brand.send('POST', at, { key, body });
    assert.deepEqual(
      [issued.status, issued.body.metadata],
      [201, { campaign: 'q4', merchant_id: brand.brandId, idempotency_key: key }],
      issued.text,
    );
    assert.match(issued.body.id, /^vt_[a-zA-Z0-9]{64}$/);
    const again = await brand.send('POST', at, { key, body });
    assert.deepEqual([again.text, again.headers.get('idempotent-replayed')], [issued.text, 'true']);
    const other = await brand.send('POST', at, { key, body: asked(made.body.id, { max_amount: 1 }) });
    assert.deepEqual([other.status, other.body.code], [422, 'idempotency_conflict']);
    const done = await complete(made.body.id, issued.body.id);
    assert.deepEqual([done.status, done.body.status], [200, 'completed'], done.text);
    const found = await brand.send('GET', '/.well-known/acp.json');
    assert.ok(found.body.capabilities.services.includes('delegate_payment'));
  });

  test('pays nothing beyond its allowance, and is not used up by that', async () => {
    const { body: one } = await session();
    const { body: two } = await session();
    const noted = world.refused.length;
    const refusals: readonly [object, string][] = [
      [{ checkout_session_id: two.id }, 'payment_token_of_other_session'],
      [{ merchant_id: randomUUID() }, 'payment_token_of_other_merchant'],
      [{ currency: 'usd' }, 'payment_token_of_other_currency'],
      [{ max_amount: 999 }, 'payment_token_insufficient'],
    ];
    for (const [allowance, code] of refusals) {
      const token = await issue(one.id, allowance);
      for (const _ of [1, 2]) {
        const refused = await complete(one.id, token);
        assert.deepEqual(
          [refused.status, refused.body.type, refused.body.code, refused.body.param],
          [400, 'invalid_request', code, '$.payment_data.instrument.credential.token'],
          refused.text,
        );
      }
    }
    for (const token of ['vt_none', 'x', `vt_${'0'.repeat(64)}`])
      assert.equal((await complete(one.id, token)).body.code, 'payment_token_unknown');
    const stranger = await brand.send('POST', at, { body: asked(one.id), agent: 'agent-2' });
    assert.equal((await complete(one.id, stranger.body.id)).body.code, 'payment_token_unknown');
    const elsewhere = await (await world.brand()).send('POST', at, { body: asked(one.id) });
    assert.equal((await complete(one.id, elsewhere.body.id)).body.code, 'payment_token_unknown');
    const still = await brand.send('GET', `/checkout_sessions/${one.id}`);
    assert.equal(still.body.status, 'ready_for_payment');
    const enough = await issue(one.id);
    await world.admin.query(sql`update acp.payment_token set expires_at = clock_timestamp()`);
    assert.equal((await complete(one.id, enough)).body.code, 'payment_token_expired');
    assert.equal((await complete(one.id, await issue(one.id))).body.status, 'completed');
    assert.deepEqual(
      world.refused.slice(noted),
      [
        ...refusals.flatMap(([, code]) => [code, code]),
        ...Array.from({ length: 5 }, () => 'payment_token_unknown'),
        'payment_token_expired',
      ],
      'the log is told of each',
    );
  });

  test('is used once: by a payment that was declined too, and by one of ten that race', async () => {
    const { id } = (await session()).body;
    const token = await issue(id, {}, card(declines));
    const declined = await complete(id, token);
    assert.deepEqual(
      [declined.status, declined.body.status, declined.body.messages[0]?.code],
      [200, 'ready_for_payment', 'payment_declined'],
      declined.text,
    );
    assert.equal((await complete(id, token)).body.code, 'payment_token_used');
    const last = await issue(id);
    const all = await Promise.all(Array.from({ length: 10 }, async () => complete(id, last)));
    const bought = all.filter(({ body }) => body.status === 'completed');
    assert.equal(bought.length, 1);
    for (const one of all) assert.ok(one.status < 500, one.text);
    const [row] = await world.admin.query<{ orders: number; uses: number }>(sql`
      select (select count(*)::int from orders.sales_order where checkout_id = ${id}::uuid) as orders, (select count(*)::int from audit.event
        where event::jsonb ->> 'type' = 'acp.payment_token.used' and event::jsonb -> 'payload' ->> 'checkout_id' = ${id}) as uses`);
    assert.deepEqual(row, { orders: 1, uses: 2 });
  });

  test('of a card whose issuer asks is taken first, and paid with once the buyer has authenticated', async () => {
    for (const [outcome, status] of [
      ['authenticated', 'completed'],
      ['denied', 'ready_for_payment'],
    ] as const) {
      const { id } = (await session()).body;
      const token = await issue(id, {}, card(asks));
      const first = await complete(id, token);
      assert.deepEqual([first.status, first.body.status], [200, 'authentication_required'], first.text);
      assert.notEqual(first.body.authentication_metadata, undefined);
      const without = await complete(id, token);
      assert.deepEqual(
        [without.status, without.body.code, without.body.param],
        [400, 'requires_3ds', '$.authentication_result'],
        without.text,
      );
      const done = await complete(id, token, { authentication_result: { outcome } });
      assert.deepEqual([done.status, done.body.status], [200, status], done.text);
      if (outcome === 'denied') assert.equal((await complete(id, token)).body.code, 'payment_token_used');
    }
  });

  test('is not issued for what is no card, nor for what has ended, nor on a live door', async () => {
    const { id } = (await session()).body;
    const cases: readonly [object, string, string][] = [
      [{ payment_method: card('4242424242424241') }, 'invalid_card', '$.payment_method.number'],
      [{ payment_method: card('4242') }, 'invalid_card', '$.payment_method.number'],
      [{ payment_method: card(good, { exp_month: '13' }) }, 'invalid_card', '$.payment_method.exp_month'],
      [{ payment_method: card(good, { exp_year: '2020' }) }, 'invalid_card', '$.payment_method.exp_year'],
      [{ payment_method: card(good, { cvc: 'x' }) }, 'invalid_card', '$.payment_method.cvc'],
      [{ payment_method: card(good, { colour: 'x' }) }, 'invalid_card', '$.payment_method.colour'],
      [{ payment_method: undefined }, 'invalid_card', '$.payment_method'],
      [{ risk_signals: [] }, 'invalid', '$.risk_signals'],
      [{ metadata: { a: 1 } }, 'invalid', '$.metadata.a'],
      [{ allowance: asked(id, { expires_at: soon(-1000) }).allowance }, 'invalid', '$.allowance.expires_at'],
      [{ allowance: asked(id, { max_amount: -1 }).allowance }, 'invalid', '$.allowance.max_amount'],
      [{ allowance: asked(id, { reason: 'always' }).allowance }, 'invalid', '$.allowance.reason'],
    ];
    for (const [more, code, param] of cases) {
      const answer = await brand.send('POST', at, { body: { ...asked(id), ...more } });
      assert.deepEqual([answer.status, answer.body.code, answer.body.param], [400, code, param], answer.text);
    }
    for (const number of ['tok_visa_abc123', 'constructor']) {
      const network = card(number, { card_number_type: 'network_token' });
      assert.match(await issue(id, {}, network), /^vt_/);
    }
    const keyless = await brand.send('POST', at, { key: null, body: asked(id) });
    assert.equal(keyless.body.code, 'idempotency_key_required');
    const live = await world.brand('live');
    const refused = await live.send('POST', at, { body: asked(id) });
    assert.deepEqual([refused.status, refused.body.code], [404, 'not_found'], refused.text);
    const said = await live.send('GET', '/.well-known/acp.json');
    assert.ok(!said.body.capabilities.services.includes('delegate_payment'));
    const item = await live.goods.variant({ cents: 1000, ships: false });
    const made = await live.send('POST', '/checkout_sessions', { body: { ...begun, line_items: [{ id: item }] } });
    assert.deepEqual(
      made.body.capabilities.payment.handlers.map((one) => one.id),
      ['manual'],
    );
    const tools = await brand.tool('delegate_payment', { meta: { api_version: '2026-04-17' }, payload: asked(id) });
    assert.equal(tools.error?.code, -32_602, 'no model is to see a card');
  });

  test('is one of a thousand that wait at most, however many are asked for at once', async () => {
    const one = await world.brand();
    const body = { ...asked(randomUUID()) };
    const first = await one.send('POST', at, { body });
    assert.equal(first.status, 201, first.text);
    await world.admin.query(
      statement(
        `insert into acp.payment_token (tenant_id, token_id, token_sha256, brand_id, agent_id, checkout_session_id, merchant_id, max_amount, currency, outcome, expires_at)
         select tenant_id, gen_random_uuid(), sha256(int4send(n)), brand_id, agent_id, checkout_session_id, merchant_id, max_amount, currency, outcome, expires_at
         from acp.payment_token, generate_series(1, 997) n where tenant_id = $1::uuid`,
        [one.tenant],
      ),
    );
    const answers = await world.admin.withClient(async (client) => {
      // All of them are here before the first one counts.
      await client.query('begin');
      await client.query('lock table acp.payment_token in share mode');
      const sent = Array.from({ length: 6 }, async () => one.send('POST', at, { body }));
      await waiting(world, sent.length);
      await client.query('rollback');
      return Promise.all(sent);
    });
    const [row] = await world.admin.query<{ held: number }>(
      statement('select count(*)::int as held from acp.payment_token where tenant_id = $1::uuid', [one.tenant]),
    );
    assert.equal(row?.held, 1_000);
    const told = answers.map(({ status, body: said }) => (status === 201 ? 'issued' : said.code)).toSorted();
    assert.deepEqual(told, ['issued', 'issued', ...Array.from({ length: 4 }, () => 'payment_token_limit')]);
  });

  test('is kept as a hash; nothing of the card, nor what pays, is stored or logged', async () => {
    const { id } = (await session()).body;
    const secret = { cvc: '987', name: 'Ann Never Seen', cryptogram: 'cryptogram-never-seen' };
    const token = await issue(id, {}, card('5555555555554444', secret));
    await complete(id, token);
    const tables = await world.admin.query<{ name: string }>(sql`
      select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind = 'r' and n.nspname not in ('pg_catalog', 'information_schema')`);
    let all = world.logged.join('');
    for (const { name } of tables) {
      const [row] = await world.admin.query<{ text: string | null }>(
        statement(`select string_agg(t::text, ' ') as text from ${name} t`, []),
      );
      all += row?.text ?? '';
    }
    assert.ok(all.includes(id), 'it was looked at');
    for (const hidden of ['5555555555554444', 'Ann Never Seen', 'cryptogram-never-seen', token])
      assert.ok(!all.includes(hidden), hidden);
  });
});

/** So many wait for what a transaction holds. */
async function waiting(world: World, many: number): Promise<void> {
  for (;;) {
    const [row] = await world.admin.query<{ waits: number }>(sql`
      select count(distinct pid)::int as waits from pg_locks join pg_stat_activity using (pid) where not granted and datname = current_database()`);
    if ((row?.waits ?? 0) >= many) return;
    await sleep(5);
  }
}
