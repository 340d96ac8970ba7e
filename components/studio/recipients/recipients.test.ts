import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { newId } from '@steward/kernel';
import { addressDigest } from '@steward/mail';
import { sql, type TenantContext } from '@steward/sql';
import { createForm, createSite, publishForm, type Studio } from '../component.ts';
import { anyWork, contactForm, createWorld, recipients, refused, type World } from '../fixtures/world.ts';
import { createAddressing } from './addressing.ts';
import { listRecipients } from './list.ts';
import { retryRecipient } from './retry.ts';

describe('an address that a form names', () => {
  let world: World;
  let studio: Studio;
  before(async () => {
    world = await createWorld();
    studio = world.another({ toStrangers: false });
  });
  after(async () => world[Symbol.asyncDispose]());

  const published = async (tenant: TenantContext, ...notificationEmails: string[]): Promise<string> => {
    const site = await createSite(tenant, { name: newId(), origins: ['https://fjord.example'] }, studio.deps);
    const form = await createForm(tenant, contactForm(site.id, { notificationEmails }), studio.deps);
    await publishForm(tenant, { formId: form.id }, studio.deps);
    return form.id;
  };
  const asked = async (): Promise<string[]> => {
    const rows = await world.admin.query<{ recipient: string }>(
      sql`select recipient from mail.letter where subject = 'Do you want letters about a form?' order by recipient`,
    );
    return rows.map(({ recipient }) => recipient);
  };

  test('is asked once when it is published, if it is no member’s and nobody else is told', async () => {
    const tenant = await world.tenant();
    const formId = await published(tenant, 'new@other.example', 'owner@fjord.example');
    await published(tenant, 'NEW@other.example');
    assert.deepEqual(
      (await asked()).filter((to) => /new@/i.test(to)),
      ['new@other.example'],
    );
    const { items: found } = await listRecipients(tenant, { formId }, studio.deps);
    assert.deepEqual(
      found.map(({ address, standing, told }) => [address, standing, told]),
      [
        ['new@other.example', 'unconfirmed', false],
        ['owner@fjord.example', 'member', true],
      ],
    );
    await retryRecipient(tenant, { formId, address: 'New@Other.example' }, studio.deps);
    assert.equal((await asked()).filter((to) => /new@/i.test(to)).length, 1, 'not twice within a day');
    await world.admin.query(sql`update mail.address set asked_at = asked_at - interval '25 hours'`);
    await retryRecipient(tenant, { formId, address: 'new@other.example' }, studio.deps);
    assert.equal((await asked()).filter((to) => /new@/i.test(to)).length, 2);
    assert.equal(
      (await refused(retryRecipient(tenant, { formId, address: 'x@other.example' }, studio.deps))).code,
      'not_found',
    );
    const stranger = await world.tenant();
    assert.equal((await refused(listRecipients(stranger, { formId }, studio.deps))).code, 'form_not_found');
  });

  test('is told that doing nothing ends the letters only where that is so', async () => {
    for (const [toStrangers, said] of [
      [false, /do nothing/],
      [true, /come until you stop them/],
    ] as const) {
      const tenant = await world.tenant();
      const { deps } = world.another({ toStrangers });
      const address = `unasked-${toStrangers}@other.example`;
      const formId = await published(tenant, address);
      await world.admin.query(sql`delete from mail.letter where recipient = ${address}`);
      await world.admin.query(sql`update mail.address set asked_at = asked_at - interval '25 hours'`);
      await retryRecipient(tenant, { formId, address }, deps);
      const rows = await world.admin.query<{ text: string }>(
        sql`select text from mail.letter where recipient = ${address}`,
      );
      assert.equal(rows.length, 1);
      assert.match(rows[0]?.text ?? '', said);
    }
  });

  test('is asked by few tenants a day, however many name it, and none can tell whether others did', async () => {
    const told: (string | null | undefined)[] = [];
    for (let index = 0; index < 8; index += 1) {
      const tenant = await world.tenant();
      const formId = await published(tenant, 'victim@other.example');
      const { askedAt } = await retryRecipient(tenant, { formId, address: 'victim@other.example' }, studio.deps);
      told.push(askedAt);
      assert.equal((await listRecipients(tenant, { formId }, studio.deps)).items[0]?.askedAt, askedAt);
      assert.deepEqual(
        (await world.events(tenant.tenant)).filter((type) => type.startsWith('studio.recipient.')),
        ['studio.recipient.asked'],
      );
      const [left] = await world.admin.query<{ letters: number }>(sql`
        select letters from studio.notified_hour where tenant_id = ${tenant.tenant}::uuid`);
      assert.equal(left?.letters, 1, 'it counts alike');
    }
    assert.ok(told.every((at) => typeof at === 'string'));
    assert.equal((await asked()).filter((to) => to === 'victim@other.example').length, 5);
  });

  test('is asked whatever else others have sent there', async () => {
    const address = 'flooded@other.example';
    const other = await world.tenant();
    await world.admin.query(sql`
      insert into studio.notified_hour (tenant_id, form_id, recipient, hour, submissions, letters)
      values (${other.tenant}::uuid, ${newId()}::uuid, decode(${addressDigest(address)}, 'hex'),
        date_trunc('hour', now(), 'UTC'), 200, 200)`);
    await published(await world.tenant(), address);
    assert.equal((await asked()).filter((to) => to === address).length, 1);
  });

  test('is told once it was confirmed, and no more once its reader ended it, of which the log has ids alone', async () => {
    const tenant = await world.tenant();
    const formId = await published(tenant, 'ann@other.example');
    const told = async () => (await listRecipients(tenant, { formId }, studio.deps)).items.map((one) => one.told);
    const { recipients } = studio;
    const linked = { tenant: tenant.tenant, address: addressDigest('ANN@other.example') };
    assert.equal((await recipients.look(linked)).confirmed, false);
    assert.deepEqual(await told(), [false]);
    await Promise.all([recipients.confirm(linked), recipients.confirm(linked)]);
    assert.deepEqual(await told(), [true]);
    assert.equal((await recipients.unsubscribe(linked)).unsubscribed, true);
    await recipients.unsubscribe(linked);
    assert.deepEqual(await told(), [false]);
    assert.equal(
      (await refused(retryRecipient(tenant, { formId, address: 'ann@other.example' }, studio.deps))).code,
      'recipient_unsubscribed',
    );
    await recipients.resubscribe(linked);
    await recipients.refused({
      tenant: tenant.tenant,
      address: addressDigest('ann@other.example'),
      reason: 'smtp_550',
      stops: true,
    });
    assert.deepEqual(await told(), [false]);
    await retryRecipient(tenant, { formId, address: 'ann@other.example' }, studio.deps);
    assert.deepEqual(await told(), [true]);
    const events = (await world.events(tenant.tenant)).filter((type) => type.startsWith('studio.recipient.'));
    assert.deepEqual(
      events.map((type) => type.slice('studio.recipient.'.length)),
      ['asked', 'confirmed', 'unsubscribed', 'resubscribed', 'refused', 'freed'],
    );
    const [row] = await world.admin.query<{ all: string }>(
      sql`select string_agg(e::text, ' ') as all from audit.event e where tenant_id = ${tenant.tenant}::uuid`,
    );
    assert.ok(!/other\.example/.test(row?.all ?? ''));
    assert.ok(
      !(row?.all ?? '').includes(addressDigest('ann@other.example')),
      'nor what an address could be guessed by',
    );
  });

  test('that a brand names for its orders is asked under the same rules, in words of its own, and told once it confirmed', async () => {
    const tenant = await world.tenant();
    const brandId = newId();
    const addressing = createAddressing({ ...recipients, toStrangers: false });
    const among = ['orders@other.example', 'owner@fjord.example'];
    const write = tenant.require(anyWork).write;
    const ask = async () => write(async (tx) => addressing.ask(tx, brandId, among));
    assert.deepEqual([await ask(), await ask()], [1, 0], 'once a day');
    const [mail, ...others] = await world.admin.query<{ subject: string; text: string }>(
      sql`select subject, text from mail.letter where recipient = any (${among}::text[])`,
    );
    assert.deepEqual([mail?.subject, others.length], ['Do you want letters about new orders?', 0]);
    assert.match(mail?.text ?? '', /new orders of a shop/);
    const standings = async () =>
      write(async (tx) =>
        (await addressing.among(tx, among)).map(({ standing, told }) => `${standing} ${told ? 'told' : 'not told'}`),
      );
    assert.deepEqual(await standings(), ['unconfirmed not told', 'member told']);
    const linked = { tenant: tenant.tenant, address: addressDigest('orders@other.example') };
    const { confirm, unsubscribe } = addressing.links(linked.tenant, linked.address);
    assert.deepEqual(studio.recipients.open('confirm', confirm.split('/').at(-1) ?? ''), linked);
    assert.deepEqual(studio.recipients.open('unsubscribe', unsubscribe.split('/').at(-1) ?? ''), linked);
    await studio.recipients.confirm(linked);
    assert.deepEqual(await standings(), ['confirmed told', 'member told']);
    assert.equal(await ask(), 0);
    await studio.recipients.unsubscribe(linked);
    assert.deepEqual(await standings(), ['confirmed not told', 'member told']);
    const anyone = createAddressing(recipients);
    const stranger = ['new-stranger@other.example'];
    assert.equal(await write(async (tx) => anyone.ask(tx, brandId, stranger)), 0, 'written to without being asked');
    const asked = await world.admin.query<{ said: string }>(sql`
      select e::text as said from audit.event e where tenant_id = ${tenant.tenant}::uuid and type = 'studio.recipient.asked'`);
    assert.equal(asked.length, 1);
    assert.ok(asked[0]?.said.includes(brandId) && !asked[0].said.includes('form_id'));
  });
});
