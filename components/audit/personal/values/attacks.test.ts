import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from '@steward/sql';
import { verifyChains } from '@steward/verification';
import { serve, type Called, type Site } from '../../fixtures/serve.ts';
import { createWorld, sample, type Process, type World } from '../../fixtures/world.ts';

const secret = 'ada.lovelace@example.com';
const order = (payload: Readonly<Record<string, unknown>> = {}, changes: Readonly<Record<string, unknown>> = {}) =>
  sample({ payload: { order_id: '1001', customer_id: 'c-1', customer_email: secret, ...payload }, ...changes });

describe('attacks on sealed values', () => {
  let world: World;
  let one: Process;
  let site: Site;
  let tenant: string;
  before(async () => {
    world = await createWorld();
    one = world.process();
    site = await serve(one);
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

  test('refuses payloads that claim to be sealed, in any grammar, and takes the word as a value', async () => {
    const forged = { deep: [{ $sealed: '1', key: '01980a4e-7d00-7000-8000-00000000a11d', value: 'AA' }] };
    for (const type of ['commerce.order.noted', 'commerce.order.imported']) {
      const refused = await post(sample({ type, payload: { order_id: '1', ...forged } }));
      assert.deepEqual([refused.status, refused.body['code']], [422, 'invalid_payload']);
    }
    const said = { order_id: '"$sealed":', also: '$sealed' };
    assert.deepEqual((await post(sample({ payload: said }))).body['payload'], said);
    const tagged = sample({ dimensional_tags: { $sealed: 'yes' } });
    assert.equal((await post(tagged)).status, 201);
  });

  test('makes no key for whoever may not record', async () => {
    for (const user of ['mallory', 'vera'])
      assert.equal((await post(order({ customer_id: 'untouched' }), user)).status, 403);
    const rows = await world.admin.query(sql`select from audit.subject_key where subject = 'untouched'`);
    assert.equal(rows.length, 0);
  });

  test('opens no value that was moved to another place, event or tenant', async () => {
    const { body } = await post(order({ customer_name: 'Grace', customer_id: 'moved' }));
    const original = await stored(body['id']);
    const seals = [...original.matchAll(/\{"\$sealed":"1"[^}]*\}/g)].map(([text]) => text);
    const [email = '', name = ''] = seals;
    const swapped = original.replace(email, 'X').replace(name, email).replace('X', name);
    const victim = await post(order({ customer_id: 'moved' }));
    const [own = ''] = /\{"\$sealed":"1"[^}]*\}/.exec(await stored(victim.body['id'])) ?? [];
    const put = async (id: unknown, text: string) =>
      world.admin.withClient(async (client) => {
        await client.query('set session_replication_role = replica');
        await client.query('alter table audit.event disable trigger user');
        await client.query('update audit.event set event = $2 where id = $1', [id, text]);
        await client.query('alter table audit.event enable always trigger append_only');
        await client.query('alter table audit.event enable trigger sealed_with_living_keys');
        await client.query('reset session_replication_role');
      });
    await put(body['id'], swapped);
    const places = (await read(body['id'])).body['payload'] as Record<string, unknown>;
    assert.deepEqual(places['customer_email'], JSON.parse(name));
    assert.deepEqual(places['customer_name'], JSON.parse(email));
    await put(body['id'], original);
    await put(victim.body['id'], (await stored(victim.body['id'])).replace(own, email));
    const moved = (await read(victim.body['id'])).body['payload'] as Record<string, unknown>;
    assert.deepEqual(moved['customer_email'], JSON.parse(email));
    assert.equal(((await read(body['id'])).body['payload'] as Record<string, unknown>)['customer_email'], secret);
  });

  test('are found by verification where a value was moved, and nothing else is', async () => {
    const verdict = await verifyChains({ ownerUrl: world.database.ownerUrl });
    assert.equal(verdict.findings.filter(({ tenant: of }) => of !== tenant).length, 0);
    // The moved value above is found as what it is.
    assert.deepEqual(
      verdict.findings.map(({ kind }) => kind),
      ['text'],
    );
  });
});
