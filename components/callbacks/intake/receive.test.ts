import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { newId, Problem } from '@steward/kernel';
import type { TenantContext } from '@steward/sql';
import { sql } from '@steward/sql';
import { pauseConnection, removeConnection, resumeConnection } from '../connections/change.ts';
import { giveSecrets } from '../connections/give-secrets.ts';
import { getConnection } from '../connections/list.ts';
import { connectProvider } from '../connections/make.ts';
import { codeOf, createWorld, type Process, signingSecret, stripeEvent, type World } from '../fixtures/world.ts';
import { type Claim, createClaims } from './claims.ts';
import { nobody } from './receive.ts';

describe('the intake of callbacks', () => {
  let world: World;
  let one: Process;
  let context: TenantContext;
  let connection: string;
  before(async () => {
    world = await createWorld();
    one = world.process();
    one.start();
    context = await world.tenant();
    connection = await world.connected(context, one);
  });
  after(async () => world[Symbol.asyncDispose]());
  const event = (more: Record<string, unknown> = {}): { id: string; body: string } => {
    const id = `evt_${randomUUID()}`;
    return { id, body: stripeEvent(id, more) };
  };

  test('takes 200 deliveries of one event at once as one, and carries it out once', async () => {
    const { id, body } = event();
    const answers = await Promise.all(Array.from({ length: 200 }, async () => one.receive(body, { connection })));
    assert.ok(answers.every(({ status }) => status === 200));
    const rows = await world.settled(context.tenant, 1);
    assert.deepEqual(
      rows.filter(({ event_id: event }) => event === id).map(({ status }) => status),
      ['applied'],
    );
    assert.equal((await world.effects(context.tenant)).filter(({ event_id: event }) => event === id).length, 1);
  });

  test('keeps another body under the id of a taken delivery, tells the log of it, and does not carry it out', async () => {
    const { id, body } = event({ amount: 1 });
    await one.receive(body, { connection });
    const forged = stripeEvent(id, { amount: 99_999 });
    for (let times = 0; times < 3; times += 1) assert.equal((await one.receive(forged, { connection })).status, 200);
    await world.settled(context.tenant, 3);
    const rows = (await world.deliveries(context.tenant)).filter(({ provider_delivery_id: of }) => of === id);
    assert.deepEqual(rows.map(({ status }) => status).toSorted(), ['applied', 'conflicting']);
    assert.deepEqual(
      (await world.effects(context.tenant)).filter(({ event_id: of }) => of === id).map(({ amount }) => amount),
      ['1'],
    );
    assert.ok((await world.events(context.tenant)).some(({ type }) => type === 'callbacks.delivery.conflicted'));
  });

  test('takes what comes at once together, each as itself: of two bodies under one id one, and what is at fault alone is refused', async () => {
    const other = await world.tenant();
    const there = await world.connected(other, one);
    const twice = [event({ amount: 1 }), event({ amount: 2 })].map(({ body }, index) =>
      body.replace(/evt_[0-9a-f-]+/, `evt_twice`).replace('"amount":', `"n":${index},"amount":`),
    );
    const own = Array.from({ length: 12 }, () => event());
    const answers = await Promise.all([
      ...own.map(async ({ body }, index) => one.receive(body, { connection: index % 2 === 0 ? connection : there })),
      ...twice.map(async (body) => one.receive(body, { connection })),
    ]);
    assert.ok(answers.every(({ status }) => status === 200));
    const [here, elsewhere] = [await world.deliveries(context.tenant), await world.deliveries(other.tenant)];
    for (const [index, { id, body }] of own.entries())
      assert.equal(
        String((index % 2 === 0 ? here : elsewhere).find(({ event_id: of }) => of === id)?.['body']),
        body,
        'each has its own body',
      );
    assert.equal(elsewhere.length, 6);
    const statuses = here.filter(({ event_id: of }) => of === 'evt_twice').map(({ status }) => String(status));
    assert.equal(statuses.length, 2);
    assert.equal(statuses.filter((status) => status === 'conflicting').length, 1);

    const batches: number[] = [];
    const take = createClaims({
      query: async (statement) => {
        batches.push((JSON.parse(String(statement.values[0])) as unknown[]).length);
        return one.pool.query(statement);
      },
    });
    const claimOf = (topic: string): Claim => ({
      tenant: nobody,
      deliveryId: newId(),
      receiver: 'shop.payments',
      provider: 'stripe',
      connectionId: null,
      account: null,
      eventId: newId(),
      topic,
      live: null,
      resource: null,
      occurredAt: null,
      item: 0,
      headers: {},
      mentions: [],
      digest: Buffer.alloc(32),
      signed: null,
      seal: Buffer.alloc(32),
      status: 'unclaimed',
      providerDeliveryId: newId(),
      body: Buffer.from(topic),
    });
    const settled = await Promise.allSettled(
      ['a', 'b'.repeat(201), 'c', 'd'].map(async (topic) => take(claimOf(topic))),
    );
    assert.deepEqual(
      settled.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled', 'fulfilled'],
    );
    assert.equal(batches[0], 4);
    assert.deepEqual(
      (await world.deliveries(nobody))
        .map(({ topic, body }) => [topic, String(body)])
        .filter(([topic]) => String(topic).length === 1)
        .toSorted(),
      [
        ['a', 'a'],
        ['c', 'c'],
        ['d', 'd'],
      ],
    );
  });

  test('refuses what is not signed, of the wrong time or mode, or by whoever has no secret here, and stores nothing of it', async () => {
    const before = (await world.deliveries(context.tenant)).length + (await world.deliveries(nobody)).length;
    const { body } = event();
    const refusals = {
      'another secret': [async () => one.receive(body, { connection, secret: 'whsec_other' }), 'callback_unverified'],
      'a changed body': [
        async () =>
          one.receive(`${body} `, {
            connection,
            headers: { 'stripe-signature': `t=${Math.floor(Date.now() / 1000)},v1=00` },
          }),
        'callback_unverified',
      ],
      'no header': [
        async () => one.receive(body, { connection, headers: { 'stripe-signature': undefined } }),
        'callback_malformed',
      ],
      'a stale time': [async () => one.receive(body, { connection, at: Date.now() - 301_000 }), 'callback_unverified'],
      'a future time': [async () => one.receive(body, { connection, at: Date.now() + 302_000 }), 'callback_unverified'],
      'no connection': [async () => one.receive(body, { connection: randomUUID() }), 'provider_not_configured'],
      'no id': [async () => one.receive(body, { connection: `${connection}'--` }), 'provider_not_configured'],
      'nobody’s account': [async () => one.receive(event({ account: 'acct_x' }).body), 'provider_not_configured'],
      'the other mode': [async () => one.receive(event({ livemode: false }).body, { connection }), 'callback_refused'],
      'no JSON': [async () => one.receive('{"id": 1', { connection }), 'callback_malformed'],
      'a BOM': [async () => one.receive(`\uFEFF${body}`, { connection }), 'callback_malformed'],
      'no id of the event': [
        async () => one.receive('{"type":"thing.happened"}', { connection }),
        'callback_malformed',
      ],
    } as const;
    for (const [what, [work, code]] of Object.entries(refusals)) assert.equal(await codeOf(work()), code, what);
    assert.equal((await world.deliveries(context.tenant)).length + (await world.deliveries(nobody)).length, before);
  });

  test('shows at a connection why what came to its address was refused last, until its secrets are given anew', async () => {
    const own = await world.tenant();
    const id = await world.connected(own, one);
    const health = async (): Promise<unknown[]> => {
      const { lastRefusedAt, lastRefusal } = await getConnection(own, { connectionId: id }, one.ports);
      return [lastRefusedAt !== null, lastRefusal];
    };
    assert.deepEqual(await health(), [false, null]);
    await one.receive(event().body, { connection: id });
    assert.deepEqual(await health(), [false, null], 'what is taken is none');
    const forged = async () => one.receive(event().body, { connection: id, secret: 'whsec_other' });
    assert.equal(await codeOf(forged()), 'callback_unverified');
    const why = (await health())[1];
    assert.match(String(why), /^callback_unverified: The signature is not of a secret/);
    assert.deepEqual(await health(), [true, why]);
    const stale = async () => one.receive(event().body, { connection: id, at: Date.now() - 301_000 });
    assert.equal(await codeOf(stale()), 'callback_unverified');
    assert.deepEqual(await health(), [true, why], 'not more than one in ten seconds is noted');
    await giveSecrets(own, { connectionId: id, secrets: { signing: 'whsec_of_later_0001' } }, one.ports);
    assert.deepEqual(await health(), [false, null]);
    const another = world.process();
    assert.equal(
      await codeOf(another.receive(event().body, { connection: id, at: Date.now() - 301_000 })),
      'callback_unverified',
    );
    assert.match(String((await health())[1]), /compare the clocks/);
  });

  test('keeps the body to the byte and no credential or signature', async () => {
    const { id, body } = event({ amount: '1.00' });
    await one.receive(body, { connection });
    const row = (await world.deliveries(context.tenant)).find(({ event_id: of }) => of === id);
    assert.equal(String(row?.['body']), body);
    assert.deepEqual(row?.['headers'], { 'x-note': 'kept' });
  });

  test('holds what comes to a paused connection and carries it out once that is resumed', async () => {
    await pauseConnection(context, { connectionId: connection }, one.ports);
    const { id, body } = event();
    await one.receive(body, { connection });
    const held = (await world.deliveries(context.tenant)).find(({ event_id: of }) => of === id);
    assert.equal(held?.['status'], 'held');
    const { length } = await world.settled(context.tenant, (await world.deliveries(context.tenant)).length - 1);
    await resumeConnection(context, { connectionId: connection }, one.ports);
    await world.settled(context.tenant, length + 1);
    assert.ok((await world.effects(context.tenant)).some(({ event_id: of }) => of === id));
  });

  test('takes the secret before the last for a while, and neither once the connection is removed', async () => {
    const own = await world.connected(context, one);
    const fresh = { signing: 'whsec_fresh' };
    await giveSecrets(context, { connectionId: own, secrets: fresh, overlapHours: 1 }, one.ports);
    for (const secret of [signingSecret, 'whsec_fresh'])
      assert.equal(await codeOf(one.receive(event().body, { connection: own, secret })), 'taken');
    await giveSecrets(context, { connectionId: own, secrets: { signing: 'whsec_leaked' }, overlapHours: 0 }, one.ports);
    for (const secret of [signingSecret, 'whsec_fresh'])
      assert.equal(await codeOf(one.receive(event().body, { connection: own, secret })), 'callback_unverified');
    await removeConnection(context, { connectionId: own }, one.ports);
    assert.equal(
      await codeOf(one.receive(event().body, { connection: own, secret: 'whsec_leaked' })),
      'provider_not_configured',
    );
  });

  test('takes no secret that was copied badly, and keeps the one that it has', async () => {
    const refusal = async (connectionId: string, signing: string): Promise<string> =>
      giveSecrets(context, { connectionId, secrets: { signing } }, one.ports).then(
        () => 'taken',
        (error: unknown) => (error instanceof Problem ? error.detail : String(error)),
      );
    const own = await world.connected(context, one);
    for (const signing of [' whsec_pasted', 'whsec_pasted\n', ' '])
      assert.equal(
        await refusal(own, signing),
        '/secrets/signing: White space stands before or after it: give it without.',
      );
    assert.equal(await codeOf(one.receive(event().body, { connection: own })), 'taken');
    const made = { receiver: 'shop.payments', provider: 'adyen', name: 'Terminal', live: false };
    const { id: adyen } = await connectProvider(context, made, one.ports);
    const wrong = '/secrets/signing: It is not written as this is: HMAC key of the webhook, hexadecimal.';
    const copied = ' It has characters that the provider does not write, such as the … of an example: copy it whole.';
    assert.equal(await refusal(adyen, 'ab…'), `${wrong}${copied}`);
    for (const signing of ['zz', 'ab', `${'ab'.repeat(32)}:`]) assert.equal(await refusal(adyen, signing), wrong);
    assert.equal(await refusal(adyen, 'ab'.repeat(32)), 'taken');
    const { id: easypost } = await connectProvider(context, { ...made, provider: 'easypost' }, one.ports);
    assert.equal(await refusal(easypost, 'schön und geheim'), 'taken', 'who made the webhook chose it');
  });

  test('finds the tenant of the deployment’s secret by an account that the provider has confirmed, and by no other', async () => {
    const secret = 'whsec_deployment';
    const deployed = world.process({
      secrets: [{ secret, settings: {} }],
      accountOf: async (_connection, { signing }) => (signing === 'of acct_a' ? 'acct_a' : undefined),
    });
    const [owner, squatter] = [await world.tenant(), await world.tenant()];
    // Whoever only says that an account is theirs is sent nothing of it.
    await world.connected(squatter, deployed, { account: 'acct_a' });
    const sent = async (account: string): Promise<string> => {
      const { id, body } = event({ account });
      assert.equal((await deployed.receive(body, { secret })).status, 200);
      const [row] = await world.admin.query<{ tenant_id: string }>(
        sql`select tenant_id from callbacks.delivery where event_id = ${id}`,
      );
      return row?.tenant_id ?? '';
    };
    assert.equal(await sent('acct_a'), nobody);
    const own = await world.connected(owner, deployed);
    await giveSecrets(owner, { connectionId: own, secrets: { signing: 'of acct_a' } }, deployed.ports);
    assert.equal(await sent('acct_a'), owner.tenant);
    assert.equal(await sent('acct_b'), nobody);
    // Nor does another organization take it over.
    const second = await world.connected(squatter, deployed);
    assert.equal(
      await codeOf(giveSecrets(squatter, { connectionId: second, secrets: { signing: 'of acct_a' } }, deployed.ports)),
      'connection_exists',
    );
    // The address of a connection takes that connection's secret alone.
    assert.equal(await codeOf(deployed.receive(event().body, { secret, connection: own })), 'callback_unverified');
  });

  test('is of one organization for each account, however many are given its key at once, and stays with that account', async () => {
    const asking = world.process({
      accountOf: async (_connection, { signing = '' }) => (signing.startsWith('of ') ? signing.slice(3) : undefined),
    });
    const tenants = await Promise.all(Array.from({ length: 8 }, async () => world.tenant()));
    const own = await Promise.all(
      tenants.map(async (tenant) => ({ tenant, connection: await world.connected(tenant, asking) })),
    );
    const give = async ({ tenant, connection: connectionId }: (typeof own)[number], signing: string) =>
      codeOf(giveSecrets(tenant, { connectionId, secrets: { signing } }, asking.ports));
    const answers = await Promise.all(own.map(async (one) => give(one, 'of acct_raced')));
    assert.deepEqual(answers.toSorted(), [...Array.from({ length: 7 }, () => 'connection_exists'), 'taken']);
    const first = own[answers.indexOf('taken')] ?? assert.fail('one');
    assert.equal(await give(first, 'of acct_other'), 'provider_refused');
    assert.equal(
      await codeOf(asking.receive(event().body, { connection: first.connection, secret: 'of acct_other' })),
      'callback_unverified',
    );
    assert.equal(await give(first, 'of acct_raced'), 'taken', 'rotated');
  });
});
