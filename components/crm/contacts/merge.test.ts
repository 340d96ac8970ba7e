import assert from 'node:assert/strict';
import { glob, readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import { isAsItWas } from '@steward/access';
import { newId } from '@steward/kernel';
import { anything } from '@steward/audit/testing';
import { sql, type TenantContext } from '@steward/sql';
import { tablesWith } from '@steward/testing';
import { createWorld, refusal, submit, type World } from '../fixtures/world.ts';
import { defineContactField } from '../schema/define.ts';
import { listTimeline } from '../timeline/entry.ts';
import { eraseContact } from './erase.ts';
import { getContact } from './get.ts';
import { mergeContacts } from './merge.ts';
import { searchContacts } from './search.ts';
import { upsertContact } from './upsert.ts';

describe('merging two contacts', () => {
  let world: World;
  before(async () => {
    world = await createWorld();
  });
  after(async () => world[Symbol.asyncDispose]());

  /** What the timeline tells of news, the last first. */
  const told = async (context: TenantContext, contactId: string): Promise<string[]> =>
    (await listTimeline(context, { contactId, limit: 50 })).items
      .map(({ kind }) => kind)
      .filter((kind) => kind.startsWith('consent.'));

  test('is announced on the bus by ids, as every change of a contact is', async () => {
    const context = await world.tenant();
    const keep = await submit(context, { email: 'ada@ex.com' });
    await submit(context, { email: 'ada@ex.com', name: 'Ada' });
    await submit(context, { email: 'ada@ex.com', name: 'Nothing new' });
    const other = await submit(context, { email: 'a.l@ex.com', phone: '+4930123456' });
    await upsertContact(context, { contactId: keep.contactId, archived: true });
    await submit(context, { email: 'ada@ex.com' });
    await mergeContacts(context, { contactId: keep.contactId, duplicateId: other.contactId });
    const tried = await submit(context, { email: 'try@ex.com', test: true });
    await submit(context, { email: 'try@ex.com' });
    const announced = await world.admin.query<{ type: string; subject: string; data: string }>(
      sql`select type, subject, data from bus.outbox where tenant_id = ${context.tenant}::uuid order by position`,
    );
    assert.deepEqual(
      announced.map(({ type, subject, data }) => [type, subject, JSON.parse(data) as unknown]),
      (
        [
          ['created', keep, {}],
          ['updated', keep, { fields: ['name'] }],
          ['created', other, {}],
          ['archived', keep, {}],
          ['restored', keep, {}],
          ['merged', keep, { mergedId: other.contactId, fields: ['phone'] }],
          ['created', tried, { test: true }],
          ['updated', tried, { fields: ['test'] }],
        ] as const
      ).map(([what, { contactId }, more]) => [`crm.contact.${what}`, contactId, { contactId, ...more }]),
    );
    const recorded = await world.events(context);
    assert.equal(recorded.length, announced.length, 'nothing is recorded of a contact that is not announced');
  });

  test('keeps the last no to news, whichever of the two it was said of, and a yes only with the address that it was said of', async () => {
    const context = await world.tenant();
    const said = async (email: string, marketingConsent?: boolean) =>
      (await upsertContact(context, { email, marketingConsent })).contact;
    const first = await said('first@ex.com', true);
    const second = await said('second@ex.com', false);
    const third = await said('third@ex.com', true);
    const silent = await said('silent@ex.com');
    const once = await mergeContacts(context, { contactId: first.id, duplicateId: second.id });
    assert.deepEqual([once.filled, once.contact.marketingConsent], [['marketing_consent'], second.marketingConsent]);
    const twice = await mergeContacts(context, { contactId: third.id, duplicateId: first.id });
    assert.deepEqual([twice.filled, twice.contact.marketingConsent], [[], third.marketingConsent]);
    const last = await mergeContacts(context, { contactId: silent.id, duplicateId: third.id });
    assert.deepEqual([last.filled, last.contact.marketingConsent], [[], null]);
    await submit(context, { email: 'third@ex.com', marketingConsent: true });
    assert.equal((await getContact(context, silent.id)).marketingConsent, null, 'another address agrees for itself');
    // An address that refused comes back with its refusal.
    const back = await upsertContact(context, { contactId: silent.id, email: 'second@ex.com' });
    assert.deepEqual(back.contact.marketingConsent, second.marketingConsent);
    assert.equal((await told(context, silent.id))[0], 'consent.refused');
  });

  test('a yes to news ends where the contact gets another address, and is given for that one anew', async () => {
    const context = await world.tenant();
    const phone = '+4930123456';
    const { contactId } = await submit(context, { phone, marketingConsent: true });
    const news = async () => (await getContact(context, contactId)).marketingConsent?.given;
    assert.equal(await news(), true);
    await submit(context, { phone, email: 'stranger@ex.com' });
    assert.equal(await news(), undefined, 'filled in by whoever knows the phone');
    await submit(context, { email: 'stranger@ex.com', marketingConsent: true });
    assert.equal(await news(), true);
    const moved = await upsertContact(context, { contactId, email: 'other@ex.com' });
    assert.deepEqual(moved.changed, ['email', 'marketing_consent']);
    assert.deepEqual(await told(context, contactId), [
      'consent.ended',
      'consent.given',
      'consent.ended',
      'consent.given',
    ]);
    assert.equal(await news(), undefined, 'changed by a member');
    const asked = await upsertContact(context, { contactId, email: 'third@ex.com', marketingConsent: true });
    assert.equal(asked.contact.marketingConsent?.given, true);
    const taking = await submit(context, { phone: '+4930999999', marketingConsent: true });
    const silent = await submit(context, { email: 'silent@ex.com' });
    const merged = await mergeContacts(context, { contactId: taking.contactId, duplicateId: silent.contactId });
    assert.deepEqual([merged.filled, merged.contact.marketingConsent], [['email', 'marketing_consent'], null]);
    assert.deepEqual(await told(context, taking.contactId), ['consent.ended', 'consent.given']);
  });

  test('whatever else writes an e-mail address of a contact is looked at here: a yes to news is of an address', async () => {
    const writes: string[] = [];
    const root = new URL('../', import.meta.url);
    for await (const file of glob('**/*.{ts,sql}', { cwd: root, exclude: ['migrations/**', '**/*.test.ts'] })) {
      const text = await readFile(new URL(file, root), 'utf8');
      if (/\b(?:update|insert into)\s+(?:crm\.)?contact\b[^;`]*(?:\bemail\b|settingTold)/i.test(text))
        writes.push(file);
    }
    assert.deepEqual(writes.toSorted(), [
      // It ends one, or brings a no back.
      'contacts/change.ts',
      // The one whose address remains speaks.
      'contacts/merge.ts',
      // Its caller ends one where an address was filled in.
      'functions/resolve-contact.sql',
    ]);
  });

  test('the first keeps what it has and takes what it lacks; everything of the second leads to it', async () => {
    const context = await world.tenant();
    for (const key of ['city', 'plan']) await defineContactField(context, { key, type: 'text' });
    const keep = await submit(context, { email: 'ada@ex.com', name: 'Ada', custom: { city: 'London' } });
    const other = await submit(context, {
      email: 'a.l@ex.com',
      phone: '+4930123456',
      custom: { city: 'X', plan: 'gold' },
    });
    await submit(context, { email: 'a.l@ex.com' });
    const merged = await mergeContacts(context, { contactId: keep.contactId, duplicateId: other.contactId });
    assert.deepEqual([merged.filled, merged.entries], [['phone', 'custom.plan'], 2]);
    assert.deepEqual(merged.contact.custom, { city: 'London', plan: 'gold' });
    assert.deepEqual(merged.contact.otherEmails, ['a.l@ex.com']);
    assert.equal((await getContact(context, other.contactId)).id, keep.contactId, 'its id');
    for (const said of [{ email: 'A.L@ex.com' }, { phone: '+4930123456' }, { email: 'ada@ex.com' }])
      assert.equal((await submit(context, said)).contactId, keep.contactId, JSON.stringify(said));
    for (const filter of [{ email: 'a.l@ex.com' }, { query: 'a.l@' }, { custom: { plan: 'GOLD' } }, {}]) {
      const { items } = await searchContacts(context, { ...filter, limit: 50 });
      assert.deepEqual(
        items.map(({ id }) => id),
        [keep.contactId],
        JSON.stringify(filter),
      );
    }
    for (const id of [keep.contactId, other.contactId])
      assert.equal((await listTimeline(context, { contactId: id, limit: 50 })).items.length, 7);
    assert.deepEqual(
      (await world.events(context)).findLast(({ type }) => type === 'crm.contact.merged'),
      {
        type: 'crm.contact.merged',
        contact_id: keep.contactId,
        merged_id: other.contactId,
        fields: ['phone', 'custom.plan'],
      },
    );
  });

  test('what it does not take over is told, kept on the timeline, and gone with the person', async () => {
    const context = await world.tenant();
    for (const key of ['city', 'plan', 'pet']) await defineContactField(context, { key, type: 'text' });
    const same = { pet: 'Rex' };
    const keep = await submit(context, { email: 'a@ex.com', name: 'Ada', custom: { ...same, city: 'London' } });
    const other = await submit(context, {
      email: 'b@ex.com',
      name: 'Edalina Gone',
      custom: { ...same, city: 'Paris', plan: 'x' },
    });
    const last = await submit(context, { email: 'c@ex.com', name: 'Ida', custom: { plan: 'y' } });
    const { discarded } = await mergeContacts(context, { contactId: keep.contactId, duplicateId: other.contactId });
    assert.deepEqual(discarded, { name: 'Edalina Gone', custom: { city: 'Paris' } });
    const second = await mergeContacts(context, { contactId: last.contactId, duplicateId: keep.contactId });
    assert.deepEqual(second.discarded, { name: 'Ada', custom: { plan: 'x' } });
    const merges = async (): Promise<unknown[]> =>
      (await listTimeline(context, { contactId: last.contactId, limit: 50 })).items
        .filter(({ kind }) => kind === 'contact.merged')
        .map((one) => [one.refs, one.discarded]);
    assert.deepEqual(await merges(), [
      [{ mergedId: keep.contactId }, second.discarded],
      [{ mergedId: other.contactId }, discarded],
    ]);
    // A bare signpost takes nothing, and an address that moves about takes nothing away.
    await upsertContact(context, { contactId: last.contactId, email: 'b@ex.com' });
    assert.equal((await merges()).length, 2);
    assert.deepEqual(await tablesWith(world.admin, 'Edalina Gone'), ['crm.contact']);
    await context.require(anything).write(async (tx) => eraseContact(tx, other.contactId, 'requested'));
    assert.deepEqual(await tablesWith(world.admin, 'Edalina Gone'), []);
  });

  test('chains of merges lead to the last, and a merged address can become the first one', async () => {
    const context = await world.tenant();
    const [a, b, c] = await Promise.all(
      ['a@ex.com', 'b@ex.com', 'c@ex.com'].map(async (email) => (await upsertContact(context, { email })).contact.id),
    );
    await mergeContacts(context, { contactId: b ?? '', duplicateId: a ?? '' });
    await mergeContacts(context, { contactId: c ?? '', duplicateId: a ?? '' });
    for (const id of [a, b, c]) assert.equal((await getContact(context, id ?? '')).id, c);
    assert.equal(
      await refusal(mergeContacts(context, { contactId: a ?? '', duplicateId: a ?? '' })),
      'invalid_request',
    );
    const again = await mergeContacts(context, { contactId: a ?? '', duplicateId: b ?? '' });
    assert.deepEqual([again.contact.id, isAsItWas(again)], [c, true]);
    assert.equal(await refusal(mergeContacts(context, { contactId: a ?? '', duplicateId: newId() })), 'not_found');
    const { contact } = await upsertContact(context, { contactId: a, email: 'a@ex.com' });
    assert.deepEqual([contact.id, contact.email, contact.otherEmails], [c, 'a@ex.com', ['b@ex.com', 'c@ex.com']]);
    for (const email of ['a@ex.com', 'b@ex.com', 'c@ex.com'])
      assert.equal((await submit(context, { email })).contactId, c, email);
  });

  test('a contact known by its name alone is still found by it', async () => {
    const context = await world.tenant();
    const [named, mailed] = [await submit(context, { name: 'Ada' }), await submit(context, { email: 'ada@ex.com' })];
    await mergeContacts(context, { contactId: named.contactId, duplicateId: mailed.contactId });
    assert.equal((await submit(context, { name: 'ada' })).contactId, named.contactId);
    assert.equal((await submit(context, { email: 'ada@ex.com' })).contactId, named.contactId);
    const bob = await submit(context, { name: 'Bob' });
    await mergeContacts(context, { contactId: named.contactId, duplicateId: bob.contactId });
    assert.equal((await submit(context, { name: 'Bob' })).contactId, named.contactId);
  });

  test('submissions that arrive meanwhile are on the timeline of the contact that stays', async () => {
    const context = await world.tenant();
    for (let round = 0; round < 5; round += 1) {
      const keep = await submit(context, { email: `keep${round}@ex.com` });
      const other = await submit(context, { email: `other${round}@ex.com` });
      const merges = [0, 1].map(async () =>
        mergeContacts(context, { contactId: keep.contactId, duplicateId: other.contactId }),
      );
      const sent = await Promise.all(
        Array.from({ length: 12 }, async (_, index) =>
          submit(context, { email: `${index % 2 === 0 ? 'keep' : 'other'}${round}@ex.com` }),
        ),
      );
      assert.ok(sent.every(({ created }) => !created));
      const same = (await Promise.all(merges)).map(isAsItWas);
      assert.deepEqual(same.toSorted(), [false, true]);
      assert.equal((await listTimeline(context, { contactId: other.contactId, limit: 50 })).items.length, 15);
    }
  });

  test('it takes a role that may', async () => {
    const owner = await world.tenant({ alice: 'owner', dev: 'developer' });
    const [a, b] = [await submit(owner, { name: 'A' }), await submit(owner, { name: 'B' })];
    assert.equal(
      await refusal(mergeContacts(world.as(owner.tenant, 'dev'), { contactId: a.contactId, duplicateId: b.contactId })),
      'insufficient_role',
    );
  });
});
