import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { allAdapters } from '@steward/callbacks';
import { createProviders, type Providers } from '@steward/callbacks/testing';
import { formatAmount } from '@steward/kernel';
import { sql } from '@steward/sql';
import { createStub, type Asked, type Said, type Stub } from '@steward/testing/stub-api';
import { Environment } from 'braintree';
import { createWorld, type Json, type World } from '../world/index.ts';
import { braintreeOf, type MoneyProvider, moneyProviders, movements } from './money-providers.ts';
import { openTenant } from './tenant.ts';

/** Routes of accounting where no money of a provider of payments moves. */
const others = new Set(['accounting.bank_feed', 'accounting.tax_forms']);

describe('money at providers of payments', () => {
  const stack = new AsyncDisposableStack();
  const answers = new Map<string, (asked: Asked) => Said>();
  const stubs = new Map<string, Stub>();
  let world: World;
  let genuine: Providers;

  before(async () => {
    genuine = stack.use(await createProviders());
    for (const name of Object.keys(moneyProviders))
      stubs.set(name, stack.use(await createStub((asked) => answers.get(name)?.(asked) ?? { status: 404, body: {} })));
    const urlOf = (name: string): string => stubs.get(name)?.url ?? '';
    world = stack.use(
      await createWorld({
        ACCOUNTING_STRIPE_URL: urlOf('stripe'),
        ACCOUNTING_PAYPAL_URL: urlOf('paypal'),
        ACCOUNTING_SQUARE_URL: urlOf('square'),
        ACCOUNTING_AUTHORIZE_NET_URL: urlOf('authorizenet'),
        ACCOUNTING_ADYEN_REPORTS_URL: urlOf('adyen'),
        ACCOUNTING_BRAINTREE_URL: urlOf('braintree'),
        CALLBACK_KEYS_FROM_LOOPBACK: 'allow',
      }),
    );
  });
  after(async () => stack.disposeAsync());

  const connectable = async (): Promise<Map<string, Json>> => {
    const user = 'asks@example.com';
    const { tenant } = await world.signUp(user);
    const { body } = await world.call(`${world.server.addresses.portal}/api/providers`, {
      token: await world.token({ user, approver: true }),
      tenant,
    });
    const items = body['items'] as unknown as Json[];
    return new Map(
      items
        .filter(({ receiver }) => String(receiver).startsWith('accounting.') && !others.has(String(receiver)))
        .map((one) => [String(one['provider']), one]),
    );
  };

  test('is played for each of them that can be connected, and of what one cannot tell it is said why', async () => {
    assert.deepEqual([...(await connectable()).keys()].toSorted(), Object.keys(moneyProviders).toSorted());
    for (const [name, provider] of Object.entries(moneyProviders)) {
      const { lines, without, unnamed } = provider();
      for (const kind of movements)
        assert.equal((lines[kind] ?? []).length > 0, without[kind] === undefined, `${name}: ${kind}`);
      const { namesAccount = false } = allAdapters(async () => undefined).find((one) => one.name === name) ?? {};
      assert.equal(unnamed !== undefined, namesAccount, `${name}: an event that names no account`);
    }
  });

  /** An organization that has connected the provider. */
  const connected = async (name: string, provider: MoneyProvider, user = name) => {
    answers.set(name, provider.answer);
    const { receiver } = (await connectable()).get(name) ?? {};
    const own = await openTenant(world, `${user}@example.com`, { defaultCurrency: 'USD' });
    const { sign, current } = genuine.providers[name] ?? assert.fail(`nobody signs for ${name}`);
    const { account, settings, secrets } = provider;
    const id = await own.connect(
      { receiver, provider: name, settings: { ...current.settings, ...settings }, ...(account && { account }) },
      current.secret === '' ? secrets : { ...secrets, signing: current.secret },
    );
    const path = String(receiver).replace('accounting.', '/webhooks/');
    const url = `${world.server.addresses.accounting}${path}?c=${id}`;
    const send = async (event: string): Promise<void> => {
      const { headers, body } = await sign(Buffer.from(event), current, Date.now(), url);
      const answer = await world.call(url, {
        method: 'POST',
        body: body.toString(),
        headers: { 'content-type': 'application/json', ...(headers as Record<string, string>) },
      });
      assert.equal(answer.status, 200, `${name}: ${JSON.stringify(answer.body)}`);
    };
    return { own, send };
  };

  for (const [name, play] of Object.entries(moneyProviders))
    test(`of ${name} becomes no line where it is of another account, or a charge is of no positive amount`, async () => {
      const provider = play();
      const { own, send } = await connected(name, provider, `no-${name}`);
      await using _ = own.admin;
      for (const [event, why] of [
        [provider.foreign.event(), provider.foreign.why],
        ...(provider.unnamed === undefined ? [] : [[provider.unnamed(), /does not say whose account/] as const]),
        [provider.charge(-1_000), /has an amount below nothing/],
        // Such as a card that is only looked at.
        [provider.charge(0), undefined],
      ] as const) {
        await send(event);
        const last = (await own.settled()).at(-1);
        assert.equal(last?.['status'] === 'dead', why !== undefined, `${String(last?.['topic'])}: ${String(why)}`);
        if (why !== undefined) assert.match(String(last?.['last_error']), why);
      }
      const lines = await own.admin.query(sql`
        select from accounting.bank_line where tenant_id = ${own.tenant}::uuid`);
      assert.equal(lines.length, 0);
      await send(provider.charge(1_100));
      assert.equal((await own.settled()).at(-1)?.['status'], 'applied', 'and the same one otherwise does');
    });

  for (const [name, play] of Object.entries(moneyProviders))
    test(`of ${name} becomes lines of its clearing account, and a payout equals them to the unit, or says by how much not`, async () => {
      const provider = play();
      const { own, send } = await connected(name, provider);
      await using _ = own.admin;
      for (const events of provider.events) {
        for (const event of events()) await send(event);
        const deliveries = await own.settled();
        assert.deepEqual(
          deliveries
            .filter(({ status }) => status !== 'applied' && status !== 'ignored')
            .map(({ topic, last_error: error }) => [topic, error]),
          [],
        );
      }
      const lines = await own.admin.query<{ kind: string; amount: bigint; currency: string }>(sql`
        select m.kind, l.amount, f.currency from accounting.bank_line l
        join accounting.feed_movement m on m.tenant_id = l.tenant_id and m.line_id = l.line_id
        join accounting.feed f on f.tenant_id = m.tenant_id and f.feed_id = m.feed_id and f.account_id = l.account_id
        where l.tenant_id = ${own.tenant}::uuid and l.withdrawn_at is null`);
      const said = Map.groupBy(lines, ({ kind }) => kind);
      assert.deepEqual(
        Object.fromEntries(
          [...said].map(([kind, of]) => [kind, of.map((one) => formatAmount(one.amount, one.currency)).toSorted()]),
        ),
        provider.lines,
      );
      const [back] = await own.admin.query<{ lines: number }>(sql`
        select count(*)::int as lines from accounting.bank_line where tenant_id = ${own.tenant}::uuid and withdrawn_at is not null`);
      assert.equal(back?.lines, provider.takenBack ?? 0, 'whatever tells of a movement, its line stays');
      const { payouts } = await own.act('service_list_payouts', {});
      const amounts = (payouts as unknown as Json[]).map((one) =>
        ['amount', 'sum', 'difference'].map((member) => String(one[member]?.['amount'])),
      );
      assert.deepEqual(amounts.toSorted(), provider.payouts);
    });

  test('is said by the stand-in of Braintree as its own library reads it', async () => {
    const url = new URL(stubs.get('braintree')?.url ?? '');
    const gateway = braintreeOf(new Environment(url.hostname, url.port, '', false, '', ''));
    const stub = moneyProviders['braintree']?.();
    answers.set('braintree', (asked) => stub?.answer(asked) ?? { status: 404, body: '' });
    const one = await gateway.transaction.find('afv56j');
    assert.deepEqual(
      [one.type, one.status, one.amount, one.disbursementDetails.settlementAmount],
      ['sale', 'settled', '120.00', '116.50'],
    );
    const { dispute } = await gateway.dispute.find('dp1');
    assert.deepEqual([dispute.status, dispute.amountDisputed], ['open', '25.0']);
    const found = await new Promise<string[]>((resolve, reject) => {
      gateway.transaction.search(
        (search) => search.ids().in(['afv56j', 'kj8hjk']),
        (error, response) => {
          if (error !== null && error !== undefined) return reject(error as Error);
          const ids: string[] = [];
          return response.each((_error, { id }) => {
            ids.push(id);
            if (ids.length === 2) resolve(ids);
          });
        },
      );
    });
    assert.deepEqual(found, ['afv56j', 'kj8hjk']);
  });
});
