import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { permit } from '@steward/access';
import { createBus, openOperator } from '@steward/bus';
import { createLog, createMetrics, newId } from '@steward/kernel';
import { sql, type Row } from '@steward/sql';
import { issueKey, submissionConsumer } from '@steward/studio';
import { tablesWith } from '@steward/testing';
import { ask, contactFields, createWorld, submit, type Running, type Shop, type World } from '../fixtures/world.ts';
import { readSubmission } from '../submissions/get.ts';
import { eraseContact } from './erase-contact.ts';
import { eraseSubmission } from './erase-submission.ts';
import { eraseTests } from './erase-tests.ts';

let world: World;
let server: Running;
before(async () => {
  world = await createWorld();
  server = await world.start();
});
after(async () => world[Symbol.asyncDispose]());

const telling = { fields: contactFields ?? [], notificationEmails: ['desk@fjord.example', 'owner@fjord.example'] };

const code = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'nothing was refused',
    (error: unknown) => (error as { code?: string }).code ?? String(error),
  );

const any = permit('any', ['owner']);

/** The studio follows what is submitted until it is disposed of. */
function follow(): AsyncDisposable {
  const consumer = submissionConsumer({
    readSubmission,
    submissionPage: (id) => `https://fjord.example/${id}`,
    submissionsPage: (id) => `https://fjord.example/${id}`,
    membersAmong: async (_tx, addresses) => new Set(addresses),
    leftAmong: async () => new Map(),
    links: { to: () => 'https://fjord.example/letters', open: () => undefined },
    toStrangers: true,
  });
  const bus = createBus({
    tenancy: server.tenancy,
    log: createLog('silent'),
    metrics: createMetrics(),
    consumers: [consumer],
  });
  bus.start();
  return { [Symbol.asyncDispose]: async () => bus[Symbol.asyncDispose]() };
}

/** Once the studio has had all that was announced in the tenant. */
async function followed(tenant: string): Promise<void> {
  for (;;) {
    const [row] = await world.admin.query<{ behind: number }>(sql`
      select count(*)::int as behind from bus.outbox o where tenant_id = ${tenant}::uuid
        and type = 'commerce.storefront.form.submitted' and o.position > coalesce((select i.position from bus.inbox i
          where i.tenant_id = ${tenant}::uuid and i.consumer = 'studio.submissions'), 0)`);
    if (row?.behind === 0) return;
    await sleep(20);
  }
}

const emailsOf = async (tenant: string): Promise<Row[]> =>
  world.admin.query(sql`select state, text from mail.letter where tenant_id = ${tenant}::uuid order by letter_id`);

const events = async ({ context }: Shop, type: string): Promise<unknown[]> => {
  const rows = await world.admin.query<{ event: string }>(sql`
    select event from audit.event where tenant_id = ${context.tenant}::uuid and type = ${type} order by sequence`);
  return rows.map(({ event }) => (JSON.parse(event) as { payload: unknown }).payload);
};

describe('an erased person', () => {
  test('is in no table any more, while ids, lists and others stay; repeating it says the same', async () => {
    await using _studio = follow();
    const shop = await server.shop(telling);
    const { context } = shop;
    const marker = `vanish${newId().slice(-8)}`;
    const sent = {
      email: `${marker}@example.com`,
      full_name: `Gone ${marker}`,
      message: `It is ${marker}.`,
      extra: [marker],
    };
    const { body } = await submit(server, shop, { data: sent });
    const { body: second } = await submit(server, shop, { data: { ...sent, message: 'Again' } });
    await submit(server, shop, { data: { email: 'stays@example.com', message: 'Here' } });
    await followed(context.tenant);
    assert.equal((await emailsOf(context.tenant)).length, 6);
    assert.deepEqual(await tablesWith(world.admin, marker), [
      'commerce.submission',
      'crm.contact',
      'crm.contact_term',
      'mail.letter',
    ]);
    const id = String(body['contactId']);
    const erased = await eraseContact(context, { contactId: id, reason: 'consent_withdrawn' });
    assert.deepEqual(erased, {
      contactId: id,
      mergedIds: [],
      parties: [],
      submissions: 2,
      orders: 0,
      erasedAt: erased.erasedAt,
    });
    assert.deepEqual(await tablesWith(world.admin, marker), []);
    assert.deepEqual(await eraseContact(context, { contactId: id, reason: 'requested' }), erased);
    assert.deepEqual(
      (await emailsOf(context.tenant)).map(({ text }) => /stays@example/.test(String(text))),
      [true, true],
    );
    const listed = await world.admin.query(sql`
      select submission_id, contact_id, data, erased_at is null as kept from commerce.submission
      where tenant_id = ${context.tenant}::uuid order by submission_id`);
    assert.deepEqual(
      listed.slice(0, 2),
      [body, second].map((one) => ({ submission_id: one['submissionId'], contact_id: id, data: '{}', kept: false })),
    );
    assert.equal(listed[2]?.['data'], '{"email":"stays@example.com","message":"Here"}');
    assert.deepEqual(await events(shop, 'crm.contact.erased'), [
      { contact_id: id, merged_ids: [], reason: 'consent_withdrawn' },
    ]);
    assert.deepEqual(await events(shop, 'commerce.submission.erased'), [
      { submission_ids: [body['submissionId'], second['submissionId']], reason: 'consent_withdrawn' },
    ]);
    const announced = await world.admin.query(sql`
      select type, subject, data from bus.outbox where tenant_id = ${context.tenant}::uuid and type like '%.erased' order by position`);
    assert.deepEqual(announced, [
      { type: 'crm.contact.erased', subject: id, data: JSON.stringify({ contactId: id, mergedIds: [] }) },
      {
        type: 'commerce.submission.erased',
        subject: null,
        data: JSON.stringify({ submissionIds: [body['submissionId'], second['submissionId']] }),
      },
    ]);
    const again = await submit(server, shop, { data: sent });
    assert.equal(again.status, 201);
    assert.notEqual(again.body['contactId'], id);
  });

  test('comes back by no replay from the beginning, and not by events that nobody had yet', async () => {
    const shop = await server.shop(telling);
    const { tenant } = shop.context;
    const marker = `vanish${newId().slice(-8)}`;
    const { body } = await submit(server, shop, { data: { email: `${marker}@example.com`, message: marker } });
    // No process has followed yet: as after a crash right behind the commit.
    await eraseContact(shop.context, { contactId: String(body['contactId']), reason: 'requested' });
    const check = async (): Promise<void> => {
      await followed(tenant);
      assert.deepEqual(await tablesWith(world.admin, marker), []);
      assert.deepEqual(await emailsOf(tenant), []);
      const rows = await world.admin.query(sql`
        select submission_id, contact_id from studio.submission where tenant_id = ${tenant}::uuid`);
      assert.deepEqual(rows, [{ submission_id: body['submissionId'], contact_id: body['contactId'] }]);
    };
    await using _studio = follow();
    await check();
    await world.admin.query(sql`delete from studio.submission where tenant_id = ${tenant}::uuid`);
    const operator = openOperator(world.db.ownerUrl);
    assert.ok((await operator.replay('studio.submissions', { beginning: true }, tenant)) > 0n);
    await operator[Symbol.asyncDispose]();
    for (let waits = 0; waits < 500; waits += 1) {
      const rows = await world.admin.query(sql`select from studio.submission where tenant_id = ${tenant}::uuid`);
      if (rows.length > 0) break;
      await sleep(20);
    }
    await check();
  });

  test('may be erased by owner and admin, in their own tenant, and while no legal hold stands', async () => {
    const context = await server.tenant({ alice: 'owner', adam: 'admin', mia: 'merchandiser', vera: 'viewer' });
    const { tenant } = context;
    const site = await server.site(context);
    const shop = { ...site, formId: await server.form(context, site.siteId) };
    const { body } = await submit(server, shop, { data: { email: 'ann@example.com' } });
    const [id, submissionId] = [String(body['contactId']), String(body['submissionId'])];
    const stranger = await server.tenant({ bob: 'owner' });
    for (const user of ['mia', 'vera']) {
      assert.equal(
        await code(eraseContact(server.context(tenant, user), { contactId: id, reason: 'requested' })),
        'insufficient_role',
      );
      assert.equal(
        await code(eraseSubmission(server.context(tenant, user), { submissionId, reason: 'requested' })),
        'insufficient_role',
      );
    }
    for (const other of [server.context(stranger.tenant, 'bob')]) {
      assert.equal(await code(eraseContact(other, { contactId: id, reason: 'requested' })), 'not_found');
      assert.equal(await code(eraseSubmission(other, { submissionId, reason: 'requested' })), 'not_found');
    }
    assert.equal(
      await code(eraseContact(server.context(tenant, 'bob'), { contactId: id, reason: 'requested' })),
      'tenant_forbidden',
    );
    await context
      .require(any)
      .write(async (tx) => tx.query(sql`select audit.place_hold(${newId()}, 'case 17', 'user:alice')`));
    assert.equal(await code(eraseContact(context, { contactId: id, reason: 'requested' })), 'legal_hold');
    assert.equal(await code(eraseSubmission(context, { submissionId, reason: 'requested' })), 'legal_hold');
    assert.deepEqual(await events(shop, 'crm.contact.erased'), []);
    await context.require(any).write(async (tx) => tx.query(sql`select audit.release_hold('user:alice')`));
    assert.equal(
      (await eraseContact(server.context(tenant, 'adam'), { contactId: id, reason: 'requested' })).submissions,
      1,
    );
  });

  test('leaves a submission that says so to members, and an empty line in what they take along', async () => {
    const shop = await server.shop();
    const { body } = await submit(server, shop, { data: { email: 'ann@example.com', message: 'x' } });
    const id = String(body['submissionId']);
    const { erasedAt } = await eraseSubmission(shop.context, { submissionId: id, reason: 'unlawful' });
    assert.deepEqual(await eraseSubmission(shop.context, { submissionId: id, reason: 'requested' }), {
      submissionId: id,
      erasedAt,
    });
    assert.deepEqual(await events(shop, 'commerce.submission.erased'), [{ submission_ids: [id], reason: 'unlawful' }]);
    const kept = await shop.context.require(any).write(async (tx) => readSubmission(tx, id));
    assert.equal(kept, undefined);
    const contacts = await world.admin.query(
      sql`select email from crm.contact where tenant_id = ${shop.context.tenant}::uuid`,
    );
    assert.deepEqual(contacts, [{ email: 'ann@example.com' }]);
    assert.equal(
      await code(eraseSubmission(shop.context, { submissionId: newId(), reason: 'requested' })),
      'not_found',
    );
    assert.equal((await ask(server, `/api/submissions/${id}/erasure`, { method: 'POST' })).status, 401);
  });

  test('cannot be changed or deleted by the application in another way', async () => {
    const shop = await server.shop();
    await submit(server, shop, { data: { email: 'ann@example.com' } });
    for (const statement of [
      sql`update commerce.submission set data = '{"a":1}'`,
      sql`delete from commerce.submission`,
    ])
      await assert.rejects(
        shop.context.require(any).write(async (tx) => tx.query(statement)),
        /permission denied/,
      );
  });
});

describe('what came with test keys', () => {
  const tried = async (shop: Shop): Promise<Shop> => {
    const { key } = await issueKey(
      shop.context,
      { siteId: shop.siteId, label: 'Try', mode: 'test' },
      server.studio.deps,
    );
    return { ...shop, key: key ?? '' };
  };
  const rest = async ({ context: { tenant } }: Shop): Promise<unknown> =>
    world.admin.query(sql`
      select (select array_agg(data order by submission_id) from commerce.submission where tenant_id = ${tenant}::uuid) as said,
        (select array_agg(email order by email) from crm.contact where tenant_id = ${tenant}::uuid) as contacts`);

  const nothing = { orders: 0, checkouts: 0, submissions: 0, contacts: 0 };

  test('goes together, with the contacts that nobody else has brought, and nothing of anybody else', async () => {
    const shop = await server.shop(telling);
    const test = await tried(shop);
    const say = async (of: Shop, email: string): Promise<unknown> =>
      (await submit(server, of, { data: { email } })).body['contactId'];
    const later = await say(test, 'later@example.com');
    const only = await say(test, 'only@example.com');
    assert.equal(await say(test, 'only@example.com'), only);
    assert.equal(await say(shop, 'later@example.com'), later);
    await say(shop, 'live@example.com');
    await say(test, 'live@example.com');
    const noContact = {
      ...test,
      formId: await server.form(shop.context, shop.siteId, {
        fields: [{ name: 'note', label: 'Note', type: 'text', required: false }],
      }),
    };
    await submit(server, noContact, { data: { note: 'only a try' } });
    const viewer = server.context(shop.context.tenant, 'vera');
    assert.equal(await code(eraseTests(viewer, {})), 'tenant_forbidden');
    assert.deepEqual(await eraseTests(shop.context, { before: '2020-01-01T00:00:00Z' }), {
      ...nothing,
      more: false,
    });
    assert.deepEqual(await eraseTests(shop.context, {}), { ...nothing, submissions: 5, contacts: 1, more: false });
    assert.deepEqual(await rest(shop), [
      {
        said: ['{}', '{}', '{}', '{"email":"later@example.com"}', '{"email":"live@example.com"}', '{}', '{}'],
        contacts: ['later@example.com', 'live@example.com'],
      },
    ]);
    assert.deepEqual(await events(shop, 'crm.contact.erased'), [
      { contact_id: only, merged_ids: [], reason: 'no_longer_needed' },
    ]);
    assert.equal((await events(shop, 'commerce.submission.erased')).length, 1);
    assert.deepEqual(await eraseTests(shop.context, {}), { ...nothing, more: false });
    assert.notEqual(await say(test, 'only@example.com'), only);
    await shop.context
      .require(any)
      .write(async (tx) => tx.query(sql`select audit.place_hold(${newId()}, 'case 18', 'user:alice')`));
    assert.equal(await code(eraseTests(shop.context, {})), 'legal_hold');
    assert.equal((await ask(server, '/api/test-data/erasure', { method: 'POST' })).status, 401);
  });

  test('goes a hundred at a time, and says when there is more', async () => {
    const shop = await tried(await server.shop());
    await Promise.all(
      Array.from({ length: 103 }, async (_one, n) => submit(server, shop, { data: { email: `p${n}@example.com` } })),
    );
    const calls = [];
    do calls.push(await eraseTests(shop.context, {}));
    while (calls.at(-1)?.more === true);
    assert.deepEqual(
      calls.map(({ submissions, contacts }) => [submissions, contacts]),
      [
        [100, 0],
        [3, 100],
        [0, 3],
      ],
    );
    assert.deepEqual(await rest(shop), [{ said: Array.from({ length: 103 }, () => '{}'), contacts: null }]);
  });

  test('stays where a live submission of the same person comes first', async () => {
    for (let round = 0; round < 8; round += 1) {
      const shop = await server.shop();
      const test = await tried(shop);
      const data = { email: 'ann@example.com' };
      const { body } = await submit(server, test, { data });
      const [{ contacts }, live] = await Promise.all([eraseTests(shop.context, {}), submit(server, shop, { data })]);
      assert.equal(live.status, 201);
      assert.equal(live.body['contactId'] === body['contactId'], contacts === 0);
      const left = await world.admin.query(sql`
        select contact_id, test from crm.contact where tenant_id = ${shop.context.tenant}::uuid`);
      assert.deepEqual(left, [{ contact_id: live.body['contactId'], test: false }]);
    }
  });
});

describe('erasing while', () => {
  test('the same person submits takes each submission whole: before it and gone, or after it and of a new contact', async () => {
    await using _studio = follow();
    const second = await world.start();
    for (let round = 0; round < 8; round += 1) {
      const shop = await server.shop(telling);
      const { tenant } = shop.context;
      const marker = `vanish${newId().slice(-8)}`;
      const data = { email: `${marker}@example.com`, message: marker };
      const { body } = await submit(server, shop, { data });
      const id = String(body['contactId']);
      const [erased, ...answers] = await Promise.all([
        eraseContact(shop.context, { contactId: id, reason: 'requested' }),
        ...Array.from({ length: 12 }, async (_one, n) => submit(n % 2 === 0 ? server : second, shop, { data })),
      ]);
      assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201]));
      const rows = await world.admin.query<{ contact_id: string; erased: boolean; says: string }>(sql`
        select contact_id, erased_at is not null as erased, data as says from commerce.submission where tenant_id = ${tenant}::uuid`);
      assert.equal(rows.length, 13);
      for (const row of rows)
        assert.deepEqual([row.erased, row.says === '{}'], [row.contact_id === id, row.contact_id === id]);
      assert.equal(rows.filter(({ erased: gone }) => gone).length, erased.submissions);
      const later = rows.filter(({ erased: gone }) => !gone).length;
      assert.equal(new Set(rows.map(({ contact_id }) => contact_id)).size, later === 0 ? 1 : 2);
      await followed(tenant);
      // Two recipients each, of which none of an erased one is left.
      assert.equal((await emailsOf(tenant)).length, 2 * later);
    }
  });

  test('a letter is being sent leaves nothing that is sent once more', async () => {
    const shop = await server.shop(telling);
    const { tenant } = shop.context;
    const { body } = await submit(server, shop, { data: { email: 'ann@example.com', message: 'x' } });
    {
      await using _studio = follow();
      await followed(tenant);
    }
    const claimed = await server.pool.query<{ letter_id: string; attempts: number }>(sql`
      select letter_id, attempts from mail.claim(${'00000000-0000-0000-0000-000000000000'}::uuid, 100, interval '5 minutes')
      where tenant_id = ${tenant}::uuid`);
    assert.equal(claimed.length, 2);
    await eraseContact(shop.context, { contactId: String(body['contactId']), reason: 'requested' });
    assert.deepEqual(await emailsOf(tenant), []);
    const outcomes = claimed.map((one, n) => ({
      tenant_id: tenant,
      ...one,
      state: n === 0 ? 'sent' : 'queued',
      reason: null,
      wait: 0,
    }));
    await server.pool.query(sql`select mail.settle(${JSON.stringify(outcomes)}::json)`);
    assert.deepEqual(await emailsOf(tenant), []);
  });
});
