import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { newId, type Problem } from '@steward/kernel';
import { addressDigest } from '@steward/mail';
import { sql, type TenantContext } from '@steward/sql';
import { createWorld, type World } from '../fixtures/letters.ts';
import { byDoor, placing } from '../fixtures/world.ts';
import { eraseOrders } from '../orders/erase.ts';
import { getLetterSettings } from './get-settings.ts';
import { quotas } from './quota.ts';
import { updateLetterSettings } from './update-settings.ts';

const [read, change] = [byDoor(getLetterSettings), byDoor(updateLetterSettings)];

describe('settings of letters', () => {
  let world: World;
  before(async () => {
    world = await createWorld();
  });
  after(async () => world[Symbol.asyncDispose]());

  const opened = async () => {
    const tenant = await world.tenant({ alice: 'owner', bob: 'merchandiser' });
    return { tenant, brandId: newId(), alice: world.as(tenant, 'alice') };
  };
  const set = async (context: TenantContext, input: object) => change(context, input, world.letterPorts);
  const bought = async (tenant: string, brandId: string, email: string) => {
    const before = world.received.length;
    const order = await world.place(
      tenant,
      placing([{}], { brandId, buyer: { email, name: 'Ann', phone: null, vatNumber: null, marketing: false } }),
    );
    await world.sent(tenant);
    const came = world.received.slice(before);
    return {
      told: came.filter(({ subject }) => subject === `New order ${order.number}`),
      letter: came.find(({ to }) => to === email),
    };
  };
  const codesAt = async (work: Promise<unknown>): Promise<Record<string, string>> => {
    try {
      await work;
    } catch (error) {
      return Object.fromEntries((error as Problem).errors?.map(({ pointer, code }) => [pointer, code]) ?? []);
    }
    return assert.fail('nothing was refused');
  };

  test('are as ever until somebody changes them; what is given changes alone, and each change is recorded once', async () => {
    const { tenant, brandId, alice } = await opened();
    const unset = { brandId, replyTo: null, newOrdersTo: null, version: 1 };
    assert.deepEqual(await read(alice, { brandId }, world.letterPorts), unset);
    const replyTo = `help-${brandId}@shop.example`;
    for (let time = 0; time < 2; time += 1)
      assert.deepEqual(await set(alice, { brandId, replyTo }), { ...unset, replyTo, version: 2 });
    const newOrdersTo = [{ address: 'bob@fjord.example', standing: 'member', told: true }];
    const both = { brandId, replyTo, newOrdersTo, version: 3 };
    assert.deepEqual(await set(alice, { brandId, newOrdersTo: ['bob@fjord.example'] }), both);
    assert.deepEqual(await read(alice, { brandId }, world.letterPorts), both);
    assert.deepEqual(await set(alice, { brandId, replyTo: null, newOrdersTo: null }), { ...unset, version: 4 });
    const events = await world.admin.query<{ said: string }>(sql`
      select e::text as said from audit.event e
      where tenant_id = ${tenant}::uuid and type = 'commerce.letter_settings.changed'`);
    assert.equal(events.length, 3);
    assert.ok(events.every(({ said }) => !said.includes('shop.example') && !said.includes('fjord.example')));
    const other = await world.tenant();
    assert.deepEqual(await read(world.as(other, 'alice'), { brandId }, world.letterPorts), unset);
  });

  test('refuse what is no address, the same mailbox twice, and too many', async () => {
    const { brandId, alice } = await opened();
    const many = Array.from({ length: 11 }, (_one, index) => `a${index}@shop.example`);
    for (const [given, at] of [
      [{ replyTo: 'a@shop.example\r\nBcc: b@shop.example' }, { '/replyTo': 'invalid_format' }],
      [{ replyTo: 'a@shop.example, b@shop.example' }, { '/replyTo': 'invalid_format' }],
      [{ newOrdersTo: ['a@shop.example', 'A@SHOP.example'] }, { '/newOrdersTo/1': 'duplicate_email' }],
      [{ newOrdersTo: ['user:1'] }, { '/newOrdersTo/0': 'invalid_format' }],
      [{ newOrdersTo: many }, { '/newOrdersTo': 'too_big' }],
    ] as const)
      assert.deepEqual(await codesAt(set(alice, { brandId, ...given })), at);
    const nowhere = { ...world.letterPorts, brandName: async () => undefined };
    const none = { '/brandId': 'not_found' };
    assert.deepEqual(await codesAt(change(alice, { brandId, replyTo: null }, nowhere)), none);
    assert.deepEqual(await codesAt(read(alice, { brandId }, nowhere)), none);
  });

  test('say where buyers of the brand answer to, and of no other brand', async () => {
    const { tenant, brandId, alice } = await opened();
    await set(alice, { brandId, replyTo: 'help@shop.example' });
    const { letter, told } = await bought(tenant, brandId, 'answers@example.com');
    assert.equal(letter?.replyTo, 'help@shop.example');
    assert.deepEqual(
      told.map(({ to, replyTo, unsubscribe }) => [to, replyTo, unsubscribe]),
      [['alice@fjord.example', '', '']],
    );
    assert.equal((await bought(tenant, newId(), 'elsewhere@example.com')).letter?.replyTo, '');
    world.wish('help@shop.example', 'left');
    const after = await bought(tenant, brandId, 'later@example.com');
    assert.equal(after.letter?.replyTo, '', 'nobody answers to whoever is a member no more');
  });

  test('say who is told of new orders in place of the owners: members, and addresses that may be written to', async () => {
    const { tenant, brandId, alice } = await opened();
    const id = brandId.slice(-8);
    const [wanted, unwanted, unasked, silent] = ['wanted', 'unwanted', 'unasked', 'silent'].map(
      (one) => `${one}-${id}@else.example`,
    ) as [string, string, string, string];
    world.wish(wanted, 'wanted');
    world.wish(unwanted, 'unwanted');
    world.wish(unasked, 'unasked');
    await set(alice, { brandId, newOrdersTo: ['bob@fjord.example', wanted, unwanted, unasked, silent] });
    const { told } = await bought(tenant, brandId, `one-${id}@example.com`);
    assert.deepEqual(told.map(({ to }) => to).toSorted(), ['bob@fjord.example', unasked, wanted].toSorted());
    for (const { to, text, html, unsubscribe } of told) {
      const ends = `https://shop.example/unsubscribe/${addressDigest(to)}`;
      assert.ok(text.includes(`End these letters: ${ends}`) && html.includes(`href="${ends}"`));
      assert.equal(unsubscribe, `<${ends}>`);
      const confirms = text.includes('Confirm that you want these letters: https://shop.example/confirm/');
      assert.equal(confirms, to === unasked, 'who has confirmed is not asked to');
    }
    const [noted] = await world.admin.query<{ said: string }>(sql`
      select string_agg(l::text, ' ') as said from orders.letter l where tenant_id = ${tenant}::uuid`);
    assert.ok(!/else\.example/.test(noted?.said ?? ''), 'no address is kept with what was told');
    assert.ok(![wanted, 'bob@fjord.example'].some((one) => noted?.said.includes(addressDigest(one))));
    await set(alice, { brandId, newOrdersTo: [] });
    assert.deepEqual((await bought(tenant, brandId, `two-${id}@example.com`)).told, [], 'nobody');
    await set(alice, { brandId, newOrdersTo: null });
    const { told: owners } = await bought(tenant, brandId, `three-${id}@example.com`);
    assert.deepEqual(
      owners.map(({ to }) => to),
      ['alice@fjord.example'],
    );
  });

  test('take back what waits: an address that is no longer named, or wants no letters, gets none', async () => {
    const { tenant, brandId, alice } = await opened();
    const id = brandId.slice(-8);
    const [left, ended, stays] = ['left', 'ended', 'stays'].map((one) => `${one}-${id}@else.example`) as [
      string,
      string,
      string,
    ];
    for (const one of [left, ended, stays]) world.wish(one, 'wanted');
    await set(alice, { brandId, newOrdersTo: [left, ended, stays] });
    await world.mailServer('dead');
    const { number } = await world.place(tenant, placing([{}], { brandId }));
    await world.handled(tenant);
    await set(alice, { brandId, newOrdersTo: [ended, stays] });
    world.wish(ended, 'unwanted');
    // A letter that was written before is on its way until its attempt has failed.
    await world.triedAgain(tenant);
    await world.mailServer('alive');
    await world.sent(tenant);
    const told = world.received.filter(({ subject, to }) => subject === `New order ${number}` && to.includes(id));
    assert.deepEqual(
      told.map(({ to }) => to),
      [stays],
    );
  });

  test('send an address that did not ask for letters no more of them than a buyer gets, and forget it with the order', async () => {
    const { tenant, brandId, alice } = await opened();
    const stranger = `stranger-${brandId.slice(-8)}@else.example`;
    world.wish(stranger, 'unasked');
    await set(alice, { brandId, newOrdersTo: [stranger] });
    const ids: string[] = [];
    for (let time = 0; time <= quotas.toAddress; time += 1)
      ids.push((await world.place(tenant, placing([{}], { brandId }))).id);
    await world.sent(tenant);
    assert.equal(world.received.filter(({ to }) => to === stranger).length, quotas.toAddress);
    const digests = async () =>
      world.admin.query(
        sql`select from orders.letter where tenant_id = ${tenant}::uuid and address = decode(${addressDigest(stranger)}, 'hex')`,
      );
    assert.equal((await digests()).length, ids.length);
    await world.write(tenant, async (tx) => eraseOrders(tx, { orderIds: ids }, 'requested'));
    assert.equal((await digests()).length, 0);
  });
});
