import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { undeclared } from '@steward/kernel';
import { sql } from '@steward/sql';
import { verifyChains } from '@steward/verification';
import { serve, type Called, type Site } from '../../fixtures/serve.ts';
import { anything, createWorld, sample, type Process, type World } from '../../fixtures/world.ts';
import type { Grammar } from '../../grammars/grammar.ts';
import { openValue } from './sealed-value.ts';

const secret = 'ada.lovelace@example.com';
const order = (payload: Readonly<Record<string, unknown>> = {}, changes: Readonly<Record<string, unknown>> = {}) =>
  sample({ payload: { order_id: '1001', customer_id: 'c-1', customer_email: secret, ...payload }, ...changes });

const crm: Grammar = {
  name: 'crm',
  events: [
    {
      types: 'crm.people.met',
      major: 1,
      open: true,
      schema: {
        type: 'object',
        properties: {
          people: {
            type: 'array',
            items: {
              type: 'object',
              properties: {
                id: { type: 'string', minLength: 1, maxLength: 200 },
                details: { type: 'object', 'x-personal': { subject: '/people/*/id' } },
              },
              required: ['id'],
            },
          },
        },
        required: ['people'],
      },
    },
  ],
};

test('a value that an earlier version sealed opens, and at no other place of its event', () => {
  const [tenant, event] = ['01980a4e-7d00-7000-8000-000000000001', '01980a4e-7d00-7000-8000-000000000002'];
  const value = 'Xgcmm5x-moX9RBqYPe04WhQZWJ341lxVaoThcU8JCPvK30ukyCGrR52mVMK1v0zcLWaR56QuSkYShVIdG0oa';
  const kept = { $sealed: '1', key: '01980a4e-7d00-7000-8000-00000000a11d', value } as const;
  const open = (pointer: string) => openValue(Buffer.alloc(32, 7), { tenant, event, pointer }, kept);
  assert.deepEqual(open('/customer/email'), { value: { email: 'ada@example.com', n: 1.5 } });
  assert.equal(open('/customer/name'), undefined);
});

describe('sealing personal data', () => {
  let world: World;
  let one: Process;
  let site: Site;
  let tenant: string;
  before(async () => {
    world = await createWorld();
    one = world.process({ grammars: [crm] });
    site = await serve(one, 'with GraphQL');
    tenant = await one.tenant({ alice: 'owner', vera: 'viewer' });
  });
  after(async () => {
    await site[Symbol.asyncDispose]();
    await world[Symbol.asyncDispose]();
  });
  const post = async (body: unknown, user = 'alice'): Promise<Called> =>
    site.call('/api/audit/events', { tenant, body, user });
  const read = async (id: unknown, user = 'vera'): Promise<Called> =>
    site.call(`/api/audit/events/${String(id)}`, { tenant, user });
  const stored = async (id: unknown): Promise<string> => {
    const [row] = await world.admin.query<{ event: string }>(sql`select event from audit.event where id = ${id}`);
    return row?.event ?? '';
  };

  test('answers and reads the value, and stores only what the key of the subject opens', async () => {
    const posted = await post(order({ customer_name: 'Ada "U+2028\u2028" Lovelace' }));
    assert.equal(posted.status, 201, JSON.stringify(posted.body));
    assert.deepEqual((posted.body['payload'] as Record<string, unknown>)['customer_email'], secret);
    assert.deepEqual((await read(posted.body['id'])).body, posted.body);
    const text = await stored(posted.body['id']);
    assert.match(
      text,
      /"customer_email":\{"\$sealed":"1","key":"[0-9a-f-]{36}","value":"[\w-]+"\},"customer_id":"c-1"/,
    );
    assert.ok(!text.includes('Lovelace') && !text.includes('lovelace'));
  });

  test('leaves nothing of the value in any table of the audit log', async () => {
    await post(order());
    const tables = await world.admin.query<{ name: string }>(sql`
      select quote_ident(relname) as name from pg_class c join pg_namespace n on n.oid = relnamespace
      where nspname = 'audit' and relkind in ('r', 'p')`);
    assert.ok(tables.length >= 5);
    for (const { name } of tables) {
      const rows = await world.admin.withClient(async (client) =>
        client.query<{ row: string }>(`select t::text as row from audit.${name} t`),
      );
      const hexadecimal = Buffer.from('lovelace').toString('hex');
      for (const { row } of rows.rows) assert.ok(!row.includes('lovelace') && !row.includes(hexadecimal), name);
    }
  });

  test('opens over GraphQL, in lists, and for every event of a page', async () => {
    await Promise.all(Array.from({ length: 5 }, async (_, n) => post(order({ customer_id: `page-${n}` }))));
    const list = await site.call('/api/audit/events?type=commerce.order.imported&limit=5', { tenant });
    for (const item of list.body['items'] as { payload: Record<string, unknown> }[])
      assert.equal(item.payload['customer_email'], secret);
    const graph = await site.call('/graphql', {
      tenant,
      body: { query: '{ auditEvents(type: "commerce.order.imported", limit: 5) { id payload } }' },
    });
    assert.equal(JSON.stringify(graph.body).split(secret).length, 6);
  });

  test('seals whole objects in lists, each for its own subject, and opens them as they were', async () => {
    const people = [
      { id: 'p-1', details: { name: 'Ann', ages: [1, 2.5, null], $erased: false } },
      { id: 'p-2' },
      { id: 'p-3', details: {} },
    ];
    const met = sample({ type: 'crm.people.met', grammar: 'crm', payload: { people, place: 'Oslo' } });
    const { body } = await post(met);
    assert.deepEqual((await read(body['id'])).body['payload'], { people, place: 'Oslo' });
    const text = await stored(body['id']);
    assert.ok(!text.includes('Ann') && text.includes('Oslo'));
    assert.equal(new Set([...text.matchAll(/"key":"([^"]+)"/g)].map(([, key]) => key)).size, 2);
  });

  test('keeps one key for a subject, and another for the same subject of another tenant', async () => {
    const keyOf = async (called: Called): Promise<string | undefined> =>
      /"key":"([^"]+)"/.exec(await stored(called.body['id']))?.[1];
    const first = await keyOf(await post(order({ customer_id: 'same' })));
    assert.equal(await keyOf(await post(order({ customer_id: 'same' }))), first);
    const other = await one.tenant();
    const there = await site.call('/api/audit/events', { tenant: other, body: order({ customer_id: 'same' }) });
    assert.notEqual(await keyOf(there), first);
  });

  test('answers a repeated key with the first event, though it would be sealed anew', async () => {
    const first = await post(order({}, { idempotency_key: 'personal-0001' }));
    const again = await post(order({ customer_email: 'eve@example.com' }, { idempotency_key: 'personal-0001' }));
    assert.equal(again.headers.get('idempotent-replayed'), 'true');
    assert.deepEqual(again.body, first.body);
  });

  test('holds the payload to its schema and its limit before sealing', async () => {
    const nobody = await post(sample({ payload: { order_id: '1', customer_email: secret } }));
    assert.deepEqual([nobody.status, nobody.body['code']], [422, 'invalid_payload']);
    const odd = await post(order({ customer_id: 'a\u0000b' }));
    assert.deepEqual([odd.status, odd.body['code']], [422, 'invalid_payload']);
    const people = Array.from({ length: 257 }, (_, n) => ({ id: `p-${n}`, details: {} }));
    const many = await post(sample({ type: 'crm.people.met', grammar: 'crm', payload: { people } }));
    assert.deepEqual([many.status, many.body['code']], [422, 'invalid_payload']);
    const bytes = Buffer.byteLength(JSON.stringify({ people: [{ details: { note: '' }, id: 'p' }] }));
    const full = (size: number) => ({ people: [{ details: { note: 'x'.repeat(size - bytes) }, id: 'p' }] });
    const met = (payload: unknown) => post(sample({ type: 'crm.people.met', grammar: 'crm', payload }));
    assert.equal((await met(full(65_536))).status, 201);
    assert.equal((await met(full(65_537))).body['code'], 'invalid_envelope');
  });

  test("seals a verb's own events in its transaction, or not at all", async () => {
    const context = one.as(tenant, 'alice');
    const event = undeclared({
      type: 'commerce.order.imported',
      eventVersion: '1.0.0',
      grammar: 'commerce',
      source: 'commerce',
      payload: { order_id: '7', customer_id: 'of-a-verb', customer_email: secret },
    });
    await assert.rejects(
      context.require(anything).write(async (tx) => {
        tx.record(event);
        tx.record({ ...event, type: 'Wrong' });
      }),
    );
    const keys = sql`select from audit.subject_key where subject = 'of-a-verb'`;
    assert.equal((await world.admin.query(keys)).length, 0);
    const id = await context.require(anything).write(async (tx) => tx.record(event));
    assert.equal((await world.admin.query(keys)).length, 1);
    assert.ok(!(await stored(id)).includes(secret));
    assert.deepEqual((await read(id)).body['payload'], event.payload);
    const forged = { ...event, payload: { order_id: '7', $sealed: '1' } };
    await assert.rejects(
      context.require(anything).write(async (tx) => tx.record(forged)),
      /\$sealed/,
    );
  });

  test('leaves every chain whole', async () => {
    assert.deepEqual((await verifyChains({ ownerUrl: world.database.ownerUrl })).findings, []);
  });
});
