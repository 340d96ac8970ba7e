import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { anything } from '@steward/audit/testing';
import { newId, Problem } from '@steward/kernel';
import { sql } from '@steward/sql';
import { createWorld, refusal, submit, type World } from '../fixtures/world.ts';
import { defineContactField } from '../schema/define.ts';
import { getContact } from './get.ts';
import { resolveContact } from './resolve.ts';
import { searchContacts } from './search.ts';
import { upsertContact, upsertContacts } from './upsert.ts';

describe('writing a contact', () => {
  let world: World;
  before(async () => {
    world = await createWorld();
  });
  after(async () => world[Symbol.asyncDispose]());

  test('what is given is written over what is there, null takes it away, the rest stays', async () => {
    const context = await world.tenant();
    await defineContactField(context, { key: 'city', type: 'text' });
    await defineContactField(context, { key: 'plan', type: 'select', options: [{ value: 'gold' }, { value: 'tin' }] });
    const first = await upsertContact(context, {
      email: 'Ada@ex.com',
      phone: '+49 30 123456',
      name: 'Ada',
      custom: { city: 'London', plan: 'gold' },
    });
    assert.equal(first.created, true);
    const second = await upsertContact(context, {
      email: 'ada@EX.com',
      phone: null,
      custom: { city: 'Paris', plan: null },
    });
    assert.equal(second.contact.id, first.contact.id);
    assert.deepEqual(second.changed, ['phone', 'custom.city', 'custom.plan']);
    assert.deepEqual(
      [second.contact.phone, second.contact.name, second.contact.custom, second.contact.version],
      [null, 'Ada', { city: 'Paris' }, 2],
    );
    assert.deepEqual(await getContact(context, first.contact.id), second.contact);
    assert.deepEqual((await world.events(context)).slice(2), [
      { type: 'crm.contact.created', contact_id: first.contact.id },
      { type: 'crm.contact.updated', contact_id: first.contact.id, fields: second.changed },
    ]);
  });

  test('saying what is so already changes and records nothing', async () => {
    const context = await world.tenant();
    const { contact } = await upsertContact(context, { email: 'ada@ex.com', name: 'Ada' });
    const again = await upsertContact(context, { email: ' ADA@ex.com', name: 'Ada' });
    assert.deepEqual([again.contact, again.changed], [contact, []]);
    assert.equal((await world.events(context)).length, 1);
  });

  test('an address and a phone of two contacts are refused, naming both', async () => {
    const context = await world.tenant();
    const [ada, bob] = [
      await upsertContact(context, { email: 'ada@ex.com' }),
      await upsertContact(context, { phone: '+4930123456', email: 'bob@ex.com' }),
    ];
    const caught = async (work: Promise<unknown>): Promise<Problem> =>
      work.then(
        () => assert.fail('nothing was refused'),
        (error: unknown) => (error instanceof Problem ? error : assert.fail(String(error))),
      );
    const both = await caught(upsertContact(context, { email: 'ada@ex.com', phone: '+4930123456' }));
    assert.deepEqual([both.code, both.members], ['contact_conflict', { contactIds: [ada.contact.id, bob.contact.id] }]);
    const shared = await caught(upsertContact(context, { email: 'new@ex.com', phone: '+4930123456' }));
    assert.deepEqual([shared.code, shared.members], ['contact_conflict', { contactIds: [bob.contact.id] }]);
    const taken = await caught(upsertContact(context, { contactId: ada.contact.id, email: 'BOB@ex.com' }));
    assert.deepEqual([taken.code, taken.members], ['contact_conflict', { contactIds: [bob.contact.id] }]);
    assert.equal((await searchContacts(context, { limit: 200 })).items.length, 2);
  });

  test('a contact keeps something by which it is known', async () => {
    const context = await world.tenant();
    const { contact } = await upsertContact(context, { email: 'ada@ex.com' });
    assert.equal(
      await refusal(upsertContact(context, { contactId: contact.id, email: null })),
      'contact_identity_required',
    );
    assert.equal(await refusal(upsertContact(context, { custom: {} })), 'contact_identity_required');
    await upsertContact(context, { name: 'Ada' });
    const named = await upsertContact(context, { email: 'x@ex.com', name: 'ADA' });
    assert.equal(
      await refusal(upsertContact(context, { contactId: named.contact.id, email: null })),
      'contact_conflict',
    );
  });

  test('an archived contact is out of sight until it is found by who it is', async () => {
    const context = await world.tenant();
    const { contact } = await upsertContact(context, { email: 'ada@ex.com' });
    await upsertContact(context, { contactId: contact.id, archived: true });
    const listed = async (archived: boolean): Promise<number> =>
      (await searchContacts(context, { archived, limit: 50 })).items.length;
    assert.deepEqual([await listed(false), await listed(true)], [0, 1]);
    await upsertContact(context, { contactId: contact.id, name: 'Ada' });
    assert.equal(await listed(false), 0, 'a change by id leaves it where it is');
    const back = await submit(context, { email: 'ada@ex.com' });
    assert.deepEqual([back.contactId, back.restored, await listed(false)], [contact.id, true, 1]);
    assert.deepEqual(
      (await world.events(context)).map(({ type }) => type),
      ['crm.contact.created', 'crm.contact.archived', 'crm.contact.updated', 'crm.contact.restored'],
    );
  });

  test('whether somebody may be sent news is kept with its time and source, and withdrawn by whoever is told so', async () => {
    const context = await world.tenant();
    const bought = async (order: string, marketingConsent: boolean, more: object = {}) =>
      context.require(anything).write(async (tx) =>
        resolveContact(tx, {
          email: 'ada@ex.com',
          custom: {},
          marketingConsent,
          source: { kind: 'order.placed', refs: { order_id: order } },
          ...more,
        }),
      );
    const read = async () => (await searchContacts(context, { email: 'ada@ex.com', limit: 1 })).items[0];
    const [first, second, third] = [newId(), newId(), newId()];
    assert.deepEqual((await bought(first, true, { test: true })).filled, []);
    assert.equal((await read())?.marketingConsent, null, 'a test is nobody’s word');
    assert.deepEqual((await bought(first, false)).filled, ['test']);
    assert.equal((await read())?.marketingConsent, null, 'nobody was asked');
    assert.deepEqual((await bought(second, true)).filled, ['marketing_consent']);
    const agreed = await read();
    assert.deepEqual(
      [agreed?.marketingConsent?.given, agreed?.marketingConsent?.source],
      [true, { kind: 'order.placed', orderId: second }],
    );
    assert.deepEqual((await bought(third, true)).filled, [], 'the first consent is what it is proved by');
    assert.deepEqual((await bought(third, false)).filled, [], 'an empty box withdraws nothing');
    assert.deepEqual((await read())?.marketingConsent, agreed?.marketingConsent);

    const contactId = agreed?.id;
    const ended = await upsertContact(context, { contactId, marketingConsent: false });
    assert.deepEqual(
      [ended.changed, ended.contact.marketingConsent?.given, ended.contact.marketingConsent?.source],
      [['marketing_consent'], false, { kind: 'upsert' }],
    );
    assert.equal(ended.contact.version, (agreed?.version ?? 0) + 1);
    assert.deepEqual((await upsertContact(context, { contactId, marketingConsent: false })).changed, []);
    assert.deepEqual(
      (await upsertContact(context, { contactId, name: 'Ada' })).contact.marketingConsent,
      ended.contact.marketingConsent,
    );
    assert.deepEqual((await bought(third, true)).filled, [], 'whoever knows the address takes no refusal back');
    const { contact } = await upsertContact(context, { email: 'new@ex.com', marketingConsent: true });
    assert.equal(contact.marketingConsent?.given, true);
    assert.deepEqual(
      (await world.events(context)).flatMap(({ type, fields }) => (type === 'crm.contact.updated' ? [fields] : [])),
      [['test'], ['marketing_consent'], ['marketing_consent'], ['name']],
    );
    assert.deepEqual(
      (await world.events(context)).flatMap(({ type, contact_id, given }) =>
        type === 'crm.contact.consent_changed' ? [[contact_id, given]] : [],
      ),
      [
        [contactId, true],
        [contactId, false],
        [contact.id, true],
      ],
      'the log tells what was said, with a digest of when and where',
    );
  });

  test('a contact can be added to the archive at once', async () => {
    const context = await world.tenant();
    const { contact, created } = await upsertContact(context, { email: 'ada@ex.com', archived: true });
    assert.deepEqual([created, contact.archived], [true, true]);
  });

  test('the longest and strangest that is accepted is kept and found', async () => {
    const context = await world.tenant();
    for (const name of [
      '山'.repeat(200),
      `${'あ い う '.repeat(50)}`.slice(0, 199),
      '\u{1F469}'.repeat(200),
      'ﬁ'.repeat(200),
      'ệ'.repeat(200),
    ]) {
      const { contact } = await upsertContact(context, { name });
      assert.equal(contact.name, name.trim().normalize('NFC'));
      assert.equal((await submit(context, { name })).contactId, contact.id);
    }
    assert.equal(await refusal(upsertContact(context, { name: '\uFDFA'.repeat(200) })), 'invalid_request');
    const email = `${'ä'.repeat(32)}@${'ü'.repeat(20)}.${`${'a'.repeat(60)}.`.repeat(2)}com`;
    const mailed = await upsertContact(context, { email });
    assert.equal(
      (await searchContacts(context, { email: email.toUpperCase(), limit: 1 })).items[0]?.id,
      mailed.contact.id,
    );
    await defineContactField(context, { key: 'notes', type: 'long_text', maxLength: 65_536 });
    const notes = '界'.repeat(21_845);
    await upsertContact(context, { contactId: mailed.contact.id, custom: { notes } });
    assert.equal((await searchContacts(context, { custom: { notes }, limit: 1 })).items[0]?.custom['notes'], notes);
    assert.equal(
      await refusal(upsertContact(context, { contactId: mailed.contact.id, custom: { notes: `${notes}界` } })),
      'invalid_request',
    );
  });

  test('who read an older version is told so', async () => {
    const context = await world.tenant();
    const { contact } = await upsertContact(context, { email: 'ada@ex.com' });
    await upsertContact(context, { contactId: contact.id, name: 'Ada', expectedVersion: 1 });
    assert.equal(
      await refusal(upsertContact(context, { contactId: contact.id, name: 'Eve', expectedVersion: 1 })),
      'stale_contact',
    );
  });

  test('fifty at once with one address make one contact', async () => {
    const context = await world.tenant();
    const all = await Promise.all(
      Array.from({ length: 50 }, async (_, index) =>
        upsertContact(context, { email: 'ada@ex.com', name: `Ada ${index}` }),
      ),
    );
    assert.equal(new Set(all.map(({ contact }) => contact.id)).size, 1);
    assert.equal(all.filter(({ created }) => created).length, 1);
    const [one] = (await searchContacts(context, { limit: 50 })).items;
    assert.equal(one?.version, 50);
    const found = await searchContacts(context, { name: one?.name ?? '', limit: 50 });
    assert.equal(found.items.length, 1, 'it is found by the name it ended with');
    assert.equal((await searchContacts(context, { name: 'ada', limit: 50 })).items.length, 1);
  });

  test('two contacts that want one address at the same moment: one has it, the other is told', async () => {
    const context = await world.tenant();
    for (let round = 0; round < 10; round += 1) {
      const pair = await Promise.all(
        ['a', 'b'].map(async (name) =>
          upsertContact(context, { phone: `+4930123${name === 'a' ? 4 : 5}${10 + round}` }),
        ),
      );
      const outcomes = await Promise.all(
        pair.map(async ({ contact }) =>
          refusal(upsertContact(context, { contactId: contact.id, email: `wanted${round}@ex.com` })),
        ),
      );
      assert.deepEqual(outcomes.toSorted(), ['contact_conflict', 'nothing was refused']);
    }
  });

  test('of many, what is right is written and what is not says why, and sending it all again does no harm', async () => {
    const context = await world.tenant();
    const { contact } = await upsertContact(context, { phone: '+4930123456' });
    const all = [
      { email: 'ada@ex.com', name: 'Ada' },
      { email: 'nobody' },
      { phone: '+4930123456', name: 'Switchboard' },
      { email: 'ADA@ex.com', phone: '+4930123456' },
      {},
      { email: 'Ada@ex.com', name: 'Ada Lovelace' },
      { custom: { unheard: 1 }, name: 'Eve' },
    ];
    const { items: entries } = await upsertContacts(context, { contacts: all });
    assert.deepEqual(
      entries.map(({ status, problem }) => problem?.code ?? status),
      [
        'created',
        'invalid_request',
        'changed',
        'contact_conflict',
        'contact_identity_required',
        'changed',
        'invalid_request',
      ],
    );
    assert.equal(entries[2]?.contactId, contact.id);
    const listed = async () => (await searchContacts(context, { limit: 50 })).items;
    assert.deepEqual(
      (await listed()).map(({ name }) => name),
      ['Ada Lovelace', 'Switchboard'],
    );
    const { items: again } = await upsertContacts(context, { contacts: all.slice(5) });
    assert.deepEqual(
      again.map(({ status }) => status),
      ['unchanged', 'refused'],
    );
    const both = [0, 1].map(async () =>
      upsertContacts(context, {
        contacts: Array.from({ length: 100 }, (_, index) => ({ email: `many${index}@ex.com` })),
      }),
    );
    const statuses = (await Promise.all(both)).flatMap(({ items }) => items).map(({ status }) => status);
    assert.deepEqual(
      [statuses.filter((status) => status === 'created').length, statuses.includes('refused')],
      [100, false],
    );
    assert.equal((await searchContacts(context, { query: 'many', limit: 200 })).items.length, 100);
    assert.equal((await searchContacts(context, { email: '@ex.com', limit: 200 })).items.length, 101);
  });

  test('faults are told where they stand', async () => {
    const context = await world.tenant();
    await assert.rejects(
      upsertContact(context, { email: 'nobody', custom: { unheard: 1, blank: null, name: 'x' }, defaultCountry: 'XX' }),
      (error: unknown) => {
        assert.ok(error instanceof Problem);
        assert.deepEqual(error.errors?.map(({ pointer }) => pointer).toSorted(), [
          '/custom/blank',
          '/custom/name',
          '/custom/unheard',
          '/defaultCountry',
          '/email',
        ]);
        return true;
      },
    );
  });

  test('the application cannot reach, move or delete contacts of another tenant', async () => {
    const [one, two] = [await world.tenant(), await world.tenant()];
    const { contact } = await upsertContact(one, { email: 'ada@ex.com', name: 'Ada' });
    for (const work of [
      async () => getContact(two, contact.id),
      async () => upsertContact(two, { contactId: contact.id, name: 'Eve' }),
      async () => getContact(two, newId()),
    ])
      assert.equal(await refusal(work()), 'not_found');
    const attack = async (text: string): Promise<string> =>
      world.pool.withClient(async (client) => {
        await client.query(`begin; select set_config('app.tenant_id', '${two.tenant}', true)`);
        try {
          const { rowCount } = await client.query(text);
          return `${rowCount} rows`;
        } catch (error) {
          return (error as Error).message;
        } finally {
          await client.query('rollback');
        }
      });
    assert.equal(await attack(`update crm.contact set name = 'x' where contact_id = '${contact.id}'`), '0 rows');
    assert.equal(await attack('select from crm.contact_term'), '0 rows');
    assert.match(await attack('delete from crm.contact'), /permission denied/);
    assert.match(await attack(`update crm.contact_schema set version = 3`), /permission denied/);
    assert.match(await attack(`update crm.timeline_entry set kind = 'x'`), /permission denied/);
    assert.match(
      await attack(
        `insert into crm.contact (tenant_id, contact_id, name, name_key, source) values ('${one.tenant}', gen_random_uuid(), 'x', 'x', '{}')`,
      ),
      /row-level security/,
    );
    const untenanted = world.pool.query(sql`
      select * from crm.resolve_contact(gen_random_uuid(), null, null, null, 'x', 'x', '{}', '{}', '{}', null, 'x', '{}', false)`);
    await assert.rejects(untenanted, /transaction of its tenant/);
  });

  test('roles that only look may not write', async () => {
    const owner = await world.tenant({ alice: 'owner', vera: 'viewer', cara: 'accountant' });
    const { contact } = await upsertContact(owner, { email: 'ada@ex.com' });
    for (const user of ['vera', 'cara']) {
      const context = world.as(owner.tenant, user);
      assert.equal((await getContact(context, contact.id)).id, contact.id);
      assert.equal(await refusal(upsertContact(context, { email: 'b@ex.com' })), 'insufficient_role');
    }
    assert.equal(await refusal(getContact(world.as(owner.tenant, 'mallory'), contact.id)), 'tenant_forbidden');
  });
});
