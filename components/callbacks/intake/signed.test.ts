import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { allAdapters } from '../adapters/all.ts';
import { giveSecrets } from '../connections/give-secrets.ts';
import { connectProvider } from '../connections/make.ts';
import { createProviders, now, type Provider, type World as Providers } from '../fixtures/genuine.ts';
import { createWorld, type Process, stripeEvent, type World } from '../fixtures/world.ts';

// Every adapter that there is, and any that is added.

const nobody = allAdapters(async () => undefined);

describe('what comes again', () => {
  const stack = new AsyncDisposableStack();
  let world: World;
  let genuine: Providers;
  let one: Process;
  before(async () => {
    genuine = stack.use(await createProviders());
    world = stack.use(await createWorld());
    one = world.process({ adapters: allAdapters(genuine.plaidKeys), adapterPorts: genuine.ports });
  });
  after(async () => stack.disposeAsync());

  const connect = async (provider: string, { current }: Pick<Provider, 'current'>) => {
    const context = await world.tenant();
    const wish = { receiver: 'shop.payments', provider, name: 'Till', live: true, settings: current.settings };
    const { id } = await connectProvider(context, wish, one.ports);
    if (current.secret !== '')
      await giveSecrets(context, { connectionId: id, secrets: { signing: current.secret } }, one.ports);
    return { context, id };
  };

  for (const { name, coverage } of nobody)
    test(`of ${name} with the same signed part and another that is not signed is a repetition: nothing is kept, charged or told`, async () => {
      const provider = genuine.providers[name] ?? assert.fail('fixtures/genuine.ts says how the provider signs');
      const { context, id } = await connect(name, provider);
      const address = `https://shop.example/webhooks/payments?c=${id}`;
      const arrived = await provider.sign(Buffer.from(provider.event), provider.current, now, address);
      const send = async (of: typeof arrived) => one.take({ ...of, url: address }, id);
      await send(arrived);
      const charged = one.charged();
      const [first, ...others] = await world.deliveries(context.tenant);
      assert.deepEqual([first?.['status'], first?.['repeats'], others], ['waiting', 0, []]);
      const bodies = new Set<string>();
      for (let number = 1; number <= 25; number += 1) {
        const again = provider.beside(arrived, number);
        bodies.add(again.body.toString('latin1'));
        await send(again);
      }
      assert.ok(coverage === 'body' || name === 'shipstation' || bodies.size === 25, 'bodies differ');
      assert.equal(one.charged(), charged);
      const rows = await world.deliveries(context.tenant);
      assert.deepEqual(
        rows.map(({ delivery_id: kept, status, repeats }) => [kept, status, repeats]),
        [[first?.['delivery_id'], 'waiting', 25]],
      );
      const told = (await world.events(context.tenant)).map(({ type }) => type);
      assert.ok(!told.includes('callbacks.delivery.conflicted'), told.join());
    });

  test('of easypost with other blanks behind a whole weight, which its library does not sign, is a repetition', async () => {
    const { easypost } = genuine.providers;
    assert.ok(easypost !== undefined);
    const { context, id } = await connect('easypost', easypost);
    const { headers } = await easypost.sign(Buffer.from(easypost.event.replace('17', '17.0')), easypost.current);
    for (const blanks of ['', ' ', '  ']) {
      const body = Buffer.from(easypost.event.replace('17', `17${blanks}`));
      await one.take({ body, headers, url: '', receivedAt: now }, id);
    }
    const rows = await world.deliveries(context.tenant);
    assert.deepEqual(
      rows.map(({ status, repeats }) => [status, repeats]),
      [['waiting', 2]],
    );
  });

  test('with another signed part is kept and told three times, and charged no more often, however often and however different it comes', async () => {
    const secret = 'whsec_of_the_till_0001';
    const { context, id } = await connect('stripe', { current: { secret, settings: {} } });
    const send = async (amount: number) => {
      const body = stripeEvent('evt_often', { amount });
      const at = Math.floor(Date.now() / 1000);
      const v1 = createHmac('sha256', secret).update(`${at}.${body}`).digest('hex');
      const headers = { 'stripe-signature': `t=${at},v1=${v1}` };
      return one.take({ body: Buffer.from(body), headers, url: '', receivedAt: Date.now() }, id);
    };
    const before = one.charged();
    await send(1);
    const each = one.charged() - before;
    for (const amount of [2, 2, 2, 3, 4, 5, 6, 7, 8, 9, 2, 1]) assert.equal((await send(amount)).status, 200);
    assert.equal(one.charged() - before, 4 * each);
    const rows = await world.deliveries(context.tenant);
    assert.deepEqual(
      rows.map(({ status, repeats, body }) => [
        status,
        repeats,
        (JSON.parse(String(body)) as { amount: number }).amount,
      ]),
      [
        ['waiting', 1, 1],
        ['conflicting', 0, 2],
        ['conflicting', 0, 3],
        ['conflicting', 0, 4],
      ],
    );
    const told = (await world.events(context.tenant)).filter(({ type }) => type === 'callbacks.delivery.conflicted');
    assert.equal(told.length, 3);
  });
});
