import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  addressDigest,
  addressStates,
  markFreed,
  markRefused,
  markResubscribed,
  markUnsubscribed,
  retryMail,
  noteReturned,
  reportReturned,
  type AddressState,
  type Refusal,
} from '../component.ts';
import { createCleanup } from '../sending/cleanup.ts';
import { head, header, openMailbox, type Mailbox } from '../fixtures/mailbox.ts';
import { emailTo, newTenant, openWorld, until, type World } from '../fixtures/world.ts';

describe('an address', () => {
  let world: World;
  let mailbox: Mailbox;
  let worker: AsyncDisposable;
  let noting = true;
  before(async () => {
    world = await openWorld();
    mailbox = await openMailbox();
    worker = world.worker({
      url: mailbox.url,
      unsubscribeAt: (tenant, address) => `https://fjord.example/${tenant}/${addressDigest(address).repeat(3)}`,
      refused: async ({ tenant, address, reason, stops }) => {
        if (!noting) throw new Error('the database is away');
        await world.write(tenant, async (tx) => markRefused(tx, address, { reason, stops }));
      },
    });
  });
  after(async () => {
    await worker[Symbol.asyncDispose]();
    await mailbox[Symbol.asyncDispose]();
    await world[Symbol.asyncDispose]();
  });

  const settled = async (tenant: string): Promise<string[]> => {
    await until(async () => (await world.rows(tenant)).every(({ state }) => state !== 'queued'));
    return (await world.rows(tenant)).map(({ state, reason }) => `${String(state)} ${String(reason)}`);
  };
  const known = async (tenant: string, address: string): Promise<AddressState | undefined> =>
    world.write(tenant, async (tx) => (await addressStates(tx, [addressDigest(address)])).get(addressDigest(address)));
  const came = (tenant: string): number =>
    mailbox.emails.filter(({ source }) => source.replaceAll('\r\n ', '').includes(tenant)).length;

  test('has one digest, however its case and its domain are written, and a digest of its own', () => {
    const spellings = ['ann@gmail.com', 'Ann@GMAIL.com', 'ann@ＧＭＡＩＬ.com', 'ann@gmail。com', 'ann@ⓖmail.com'];
    assert.equal(new Set(spellings.map(addressDigest)).size, 1);
    assert.equal(addressDigest('ann@bücher.example'), addressDigest('ann@xn--bcher-kva.example'));
    const others = ['ann@gmail.com', 'bo@gmail.com', 'ann@gmail.co', 'ann', '@gmail.com', '', 'ann@', 'ann@exa mple'];
    assert.equal(new Set(others.map(addressDigest)).size, others.length);
  });

  test('that a mail server refuses is noted, and nothing that waits for it or is written to it is tried again', async () => {
    const tenant = newTenant();
    let asked = 0;
    mailbox.refuse = {
      recipient: (address) => {
        if (!address.startsWith('gone')) return undefined;
        asked += 1;
        return 550;
      },
    };
    await world.post(tenant, [emailTo('gone@example.com')]);
    assert.deepEqual(await settled(tenant), ['dead smtp_550']);
    await world.post(tenant, [emailTo('Gone@Example.com'), emailTo('gone@example.com'), emailTo('here@example.com')]);
    assert.deepEqual((await settled(tenant)).toSorted(), [
      'dead address_refused',
      'dead address_refused',
      'dead smtp_550',
      'sent null',
    ]);
    assert.equal(asked, 1, 'the mail server was asked once');
    const state = await known(tenant, 'GONE@example.com');
    assert.deepEqual([state?.refused?.reason, state?.stoppedAt !== null], ['smtp_550', true]);
    const rows = await world.rows(tenant);
    assert.ok(
      rows.every(({ reason, text }) => reason !== 'address_refused' || text === null),
      'they say nothing any more',
    );
    assert.equal(await known(newTenant(), 'gone@example.com'), undefined, 'no other tenant is told');

    mailbox.refuse = {};
    await world.write(tenant, async (tx) => markFreed(tx, addressDigest('gone@example.com')));
    await world.post(tenant, [emailTo('gone@example.com')]);
    await settled(tenant);
    assert.equal(came(tenant), 2);
  });

  test('is not blamed for contents, for a rule of the server, or for a full mailbox: the next email is tried', async () => {
    const tenant = newTenant();
    for (const [answer, refuse] of [
      ['dead smtp_554', { message: () => 554 }],
      ['dead smtp_552', { recipient: () => 552 }],
      ['dead smtp_550', { recipient: () => 550, says: '5.7.1 Relaying denied' }],
    ] as const) {
      const to = `ann${answer.slice(-3)}@example.com`;
      mailbox.refuse = refuse;
      await world.post(tenant, [emailTo(to)]);
      await until(async () => (await known(tenant, to))?.refused?.reason === answer.slice(5));
      assert.equal((await known(tenant, to))?.stoppedAt, null, answer);
    }
    mailbox.refuse = {};
  });

  test('whose refusal cannot be noted is tried again, so that nobody misses it', async () => {
    const tenant = newTenant();
    mailbox.refuse = { recipient: () => 550 };
    noting = false;
    await world.post(tenant, [emailTo('gone@example.com')]);
    await until(async () => (await world.rows(tenant)).some(({ reason }) => reason === 'smtp_550'));
    assert.equal((await world.rows(tenant))[0]?.['state'], 'queued');
    noting = true;
    await world.makeDue(tenant);
    assert.deepEqual(await settled(tenant), ['dead smtp_550']);
    assert.ok((await known(tenant, 'gone@example.com'))?.stoppedAt);
    mailbox.refuse = {};
    assert.equal(await retryMail(world.pool, { tenant }), 1);
    assert.deepEqual(await settled(tenant), ['sent null'], 'an operator who mended it has the address tried again');
    assert.equal((await known(tenant, 'gone@example.com'))?.refused, null);
  });

  test('whose reader ended the emails of a tenant gets none of them, also of those that wait, until they take it back', async () => {
    const tenant = newTenant();
    const digest = addressDigest('ann@example.com');
    const later = new Date(Date.now() + 3_600_000);
    await world.post(tenant, [emailTo('ann@example.com', { notBefore: later })]);
    const first = await world.write(tenant, async (tx) => markUnsubscribed(tx, digest));
    assert.ok(first !== undefined);
    assert.equal(await world.write(tenant, async (tx) => markUnsubscribed(tx, digest)), undefined, 'said once');
    await world.makeDue(tenant);
    await world.post(tenant, [emailTo('ANN@example.com')]);
    assert.deepEqual(await settled(tenant), ['dead unsubscribed', 'dead unsubscribed']);
    assert.equal(came(tenant), 0);
    const other = newTenant();
    await world.post(other, [emailTo('ann@example.com')]);
    assert.deepEqual(await settled(other), ['sent null'], 'another tenant’s emails go on');
    await world.write(tenant, async (tx) => markResubscribed(tx, digest));
    await world.post(tenant, [emailTo('ann@example.com')]);
    await settled(tenant);
    assert.equal(came(tenant), 1);
  });

  test('whose email was taken and came back later is left alone as well, once an operator says so by its Message-ID', async () => {
    const tenant = newTenant();
    await world.post(tenant, [emailTo('full@example.com')]);
    await settled(tenant);
    const { source = '' } = mailbox.emails.at(-1) ?? {};
    const id = /<([0-9a-f-]{36})@/.exec(header(source, 'Message-ID') ?? '')?.[1] ?? '';
    assert.equal(await noteReturned(world.pool, newTenant()), false);
    assert.equal(await noteReturned(world.pool, id), true);
    assert.equal(await noteReturned(world.pool, id), false, 'once');
    const told: Refusal[] = [];
    await assert.rejects(
      reportReturned(world.pool, async () => {
        throw new Error('the database is away');
      }),
    );
    assert.equal(await reportReturned(world.pool, async (refusal) => void told.push(refusal)), 1);
    assert.equal(await reportReturned(world.pool, async (refusal) => void told.push(refusal)), 0);
    const address = addressDigest('full@example.com');
    assert.deepEqual(told, [{ tenant, address, reason: 'came_back', stops: true }]);
    assert.equal((await world.rows(tenant))[0]?.['address'], null, 'nobody knows any more whom it was for');
  });

  test('whose email came back is told of as soon as a server starts, however often it starts anew', async () => {
    const tenant = newTenant();
    await world.post(tenant, [emailTo('back@example.com')]);
    await settled(tenant);
    const [email] = await world.rows(tenant);
    assert.equal(await noteReturned(world.pool, String(email?.['letter_id'])), true);
    const { promise, resolve } = Promise.withResolvers<Refusal>();
    const cleanup = createCleanup(world.pool, { warn: () => undefined }, async (refusal) => resolve(refusal));
    cleanup.start();
    assert.equal((await promise).tenant, tenant);
    await cleanup.stop();
  });

  test('is told in the head of each email where a mail program ends them by one request, in one piece', async () => {
    const tenant = newTenant();
    await world.post(tenant, [emailTo('ann@example.com')]);
    await settled(tenant);
    const { source = '' } = mailbox.emails.at(-1) ?? {};
    const address = `https://fjord.example/${tenant}/${addressDigest('ann@example.com').repeat(3)}`;
    assert.equal(header(source, 'List-Unsubscribe'), `<${address}>`);
    assert.equal(header(source, 'List-Unsubscribe-Post'), 'List-Unsubscribe=One-Click');
    assert.equal(head(source).match(/^list-unsubscribe/gim)?.length, 2);
  });
});
