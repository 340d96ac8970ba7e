import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql, type TenantContext } from '@steward/sql';
import { anything } from '@steward/audit/testing';
import { createWorld, refusal, submit, type World } from '../fixtures/world.ts';
import { defineContactField } from '../schema/define.ts';
import { eraseContact, type ErasedContact } from './erase.ts';
import { getContact } from './get.ts';
import { mergeContacts } from './merge.ts';
import { searchContacts } from './search.ts';
import { upsertContact } from './upsert.ts';

let world: World;
before(async () => {
  world = await createWorld();
});
after(async () => world[Symbol.asyncDispose]());

const erase = async (context: TenantContext, id: string): Promise<ErasedContact> =>
  context.require(anything).write(async (tx) => eraseContact(tx, id, 'requested'));

/** What of a tenant's contacts is left without its contact; and how many contacts there are. */
const leftovers = async ({ tenant }: TenantContext): Promise<Record<string, unknown>> => {
  const [row = {}] = await world.admin.query(sql`
    select (select count(*)::int from crm.contact where tenant_id = ${tenant}::uuid) as contacts,
      (select count(*)::int from crm.contact_term t where t.tenant_id = ${tenant}::uuid and not exists (
        select from crm.contact c where c.tenant_id = t.tenant_id and c.contact_id = t.contact_id)) as terms,
      (select count(*)::int from crm.timeline_entry t where t.tenant_id = ${tenant}::uuid and not exists (
        select from crm.contact c where c.tenant_id = t.tenant_id and c.contact_id = t.contact_id)) as entries`);
  return row;
};

describe('an erased contact', () => {
  test('goes with all that were merged into it, is told again to whoever repeats it, and leaves others as they were', async () => {
    const context = await world.tenant();
    await defineContactField(context, { key: 'pet', type: 'text' });
    const { contact: keep } = await upsertContact(context, {
      email: 'Gone@example.com',
      name: 'Gone Girl',
      custom: { pet: 'Parrot' },
    });
    const { contact: second } = await upsertContact(context, { email: 'gone@old.example', phone: '+4930901820' });
    const { contact: third } = await upsertContact(context, { email: 'gone@older.example' });
    await upsertContact(context, { email: 'stays@example.com', name: 'Gone Girl' });
    await mergeContacts(context, { contactId: second.id, duplicateId: third.id });
    await mergeContacts(context, { contactId: keep.id, duplicateId: second.id });
    await submit(context, { email: 'gone@older.example' });
    const first = await erase(context, third.id);
    assert.deepEqual(
      [first.contactId, first.mergedIds, first.values.toSorted(), first.fresh],
      [
        keep.id,
        [second.id, third.id].toSorted(),
        ['+4930901820', 'gone@example.com', 'gone@old.example', 'gone@older.example'],
        true,
      ],
    );
    for (const id of [keep.id, second.id, third.id]) {
      assert.equal(await refusal(getContact(context, id)), 'not_found');
      const { values, fresh, ...rest } = await erase(context, id);
      assert.deepEqual(
        [rest, values, fresh],
        [{ contactId: first.contactId, mergedIds: first.mergedIds, erasedAt: first.erasedAt }, [], false],
      );
    }
    assert.deepEqual(await leftovers(context), { contacts: 1, terms: 0, entries: 0 });
    const { items } = await searchContacts(context, { name: 'gone', limit: 10 });
    assert.deepEqual(
      items.map(({ email }) => email),
      ['stays@example.com'],
    );
    const events = (await world.events(context)).filter(({ type }) => type === 'crm.contact.erased');
    assert.deepEqual(events, [
      { type: 'crm.contact.erased', contact_id: keep.id, merged_ids: first.mergedIds, reason: 'requested' },
    ]);
    const again = await submit(context, { email: 'gone@example.com', phone: '+4930901820' });
    assert.equal(again.created, true);
    assert.deepEqual((await getContact(context, again.contactId)).custom, {});
  });

  test('is nobody to another tenant, and nobody can erase who never was', async () => {
    const [context, other] = [await world.tenant(), await world.tenant({ bob: 'owner' })];
    const { contact } = await upsertContact(context, { email: 'ann@example.com' });
    assert.equal(await refusal(erase(other, contact.id)), 'not_found');
    assert.equal((await getContact(context, contact.id)).email, 'ann@example.com');
    await erase(context, contact.id);
    assert.equal(await refusal(erase(other, contact.id)), 'not_found');
  });

  test('cannot be deleted by the application in another way', async () => {
    const context = await world.tenant();
    const { contact } = await upsertContact(context, { email: 'ann@example.com' });
    for (const table of [
      sql`delete from crm.contact`,
      sql`insert into crm.erased_contact (tenant_id, contact_id, erased_as)
      values (${context.tenant}::uuid, ${contact.id}::uuid, ${contact.id}::uuid)`,
    ])
      await assert.rejects(
        context.require(anything).write(async (tx) => tx.query(table)),
        /permission denied/,
      );
  });
});

describe('erasing while', () => {
  const rounds = 12;

  test('submissions of the same person come in leaves no half of anybody, by whatever address they come', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const context = await world.tenant();
      const { contact: keep } = await upsertContact(context, { email: 'a@example.com' });
      const { contact: old } = await upsertContact(context, { email: 'b@example.com', phone: '+4930901820' });
      await mergeContacts(context, { contactId: keep.id, duplicateId: old.id });
      const said = [{ email: 'a@example.com' }, { email: 'b@example.com' }, { phone: '+4930901820', name: 'A' }];
      const [erased, ...resolved] = await Promise.all([
        erase(context, round % 2 === 0 ? keep.id : old.id),
        ...Array.from({ length: 9 }, async (_one, n) => submit(context, said[n % 3] ?? {})),
      ]);
      assert.equal(erased.contactId, keep.id);
      const { contacts, ...left } = await leftovers(context);
      assert.deepEqual(left, { terms: 0, entries: 0 });
      const later = new Set(resolved.map(({ contactId }) => contactId).filter((id) => id !== keep.id));
      assert.equal(contacts, later.size);
      assert.equal(await refusal(getContact(context, keep.id)), 'not_found');
    }
  });

  test('somebody merges erases both, or the merge finds nobody', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const context = await world.tenant();
      const { contact: keep } = await upsertContact(context, { email: 'a@example.com', name: 'Ann' });
      const { contact: other } = await upsertContact(context, { email: 'b@example.com', name: 'Bea' });
      const whom = round % 2 === 0 ? keep : other;
      const [merged, erased] = await Promise.all([
        refusal(mergeContacts(context, { contactId: keep.id, duplicateId: other.id })),
        erase(context, whom.id),
      ]);
      const { contacts, ...left } = await leftovers(context);
      assert.deepEqual(left, { terms: 0, entries: 0 });
      if (merged === 'not_found') assert.deepEqual([contacts, erased.mergedIds], [1, []]);
      else
        assert.deepEqual(
          [merged, contacts, erased.contactId, erased.mergedIds],
          ['nothing was refused', 0, keep.id, [other.id]],
        );
    }
  });

  test('members write to it, and twice at once, is done once', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const context = await world.tenant();
      const { contact } = await upsertContact(context, { email: 'a@example.com' });
      const [one, two, wrote] = await Promise.all([
        erase(context, contact.id),
        erase(context, contact.id),
        refusal(upsertContact(context, { contactId: contact.id, name: `Secret ${round}` })),
      ]);
      assert.equal(Number(one.fresh) + Number(two.fresh), 1);
      assert.equal(one.erasedAt, two.erasedAt);
      assert.ok(['not_found', 'nothing was refused'].includes(wrote), wrote);
      assert.deepEqual(await leftovers(context), { contacts: 0, terms: 0, entries: 0 });
    }
  });
});
