import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql, type Row } from '@steward/sql';
import { createWorld, refusal, submit, type World } from '../fixtures/world.ts';
import { writeContacts } from '../permissions.ts';
import { defineContactField } from '../schema/define.ts';
import { resolveContact } from './resolve.ts';

describe('resolving a contact', () => {
  let world: World;
  before(async () => {
    world = await createWorld();
  });
  after(async () => world[Symbol.asyncDispose]());

  const contacts = async (tenant: string): Promise<Row[]> =>
    world.admin.query(sql`
      select contact_id as id, email, phone, name, custom from crm.contact where tenant_id = ${tenant}::uuid order by created_at`);

  test('the same person in any spelling of e-mail address or phone is one contact', async () => {
    const ada = await world.tenant();
    const first = await submit(ada, { email: ' Ada@Müller.DE ', name: 'Ada Lovelace' });
    assert.equal(first.created, true);
    const second = await submit(ada, { email: 'ada@xn--mller-kva.de', phone: '030 123456', defaultCountry: 'DE' });
    assert.deepEqual([second.contactId, second.created, second.filled], [first.contactId, false, ['phone']]);
    const third = await submit(ada, { phone: '+49 (0)30 123456' });
    assert.equal(third.contactId, first.contactId);
    assert.deepEqual(await contacts(ada.tenant), [
      { id: first.contactId, email: 'ada@müller.de', phone: '+4930123456', name: 'Ada Lovelace', custom: {} },
    ]);
  });

  test('what is empty is filled and nothing is overwritten', async () => {
    const context = await world.tenant();
    await defineContactField(context, { key: 'city', type: 'text' });
    await defineContactField(context, { key: 'age', type: 'number' });
    const first = await submit(context, { email: 'a@ex.com', name: 'Ada', custom: { city: 'London' } });
    const second = await submit(context, {
      email: 'A@EX.com',
      name: 'Mallory',
      phone: '+4930123456',
      custom: { city: 'Paris', age: '36' },
    });
    assert.deepEqual(second.filled, ['phone', 'custom.age']);
    const third = await submit(context, { email: 'a@ex.com', phone: '+49301234567' });
    assert.deepEqual([third.filled, third.conflict], [[], undefined]);
    assert.deepEqual(await contacts(context.tenant), [
      {
        id: first.contactId,
        email: 'a@ex.com',
        phone: '+4930123456',
        name: 'Ada',
        custom: { city: 'London', age: 36 },
      },
    ]);
    assert.deepEqual((await world.events(context)).slice(2), [
      { type: 'crm.contact.created', contact_id: first.contactId },
      { type: 'crm.contact.updated', contact_id: first.contactId, fields: ['phone', 'custom.age'] },
    ]);
  });

  test('a test key changes nothing of a contact that is none of tests, and its submission still leads there', async () => {
    const context = await world.tenant();
    await defineContactField(context, { key: 'city', type: 'text' });
    const byMail = await submit(context, { email: 'a@ex.com' });
    const byPhone = await submit(context, { phone: '+4930123456' });
    await world.admin.query(sql`
      update crm.contact set archived_at = clock_timestamp() where contact_id = ${byMail.contactId}::uuid`);
    const before = await contacts(context.tenant);
    const said = { name: 'Try', custom: { city: 'Testville' }, test: true };
    for (const [contact, one] of [
      [byMail, { ...said, email: 'a@ex.com', phone: '+4930999999' }],
      [byPhone, { ...said, phone: '+4930123456', email: 'try@ex.com' }],
    ] as const) {
      const { contactId, created, filled, restored } = await submit(context, one);
      assert.deepEqual([contactId, created, filled, restored], [contact.contactId, false, [], false]);
    }
    assert.deepEqual(await contacts(context.tenant), before);
    const tried = await submit(context, { email: 'only@ex.com', test: true });
    assert.deepEqual((await submit(context, { ...said, email: 'only@ex.com' })).filled, ['name', 'custom.city']);
    assert.deepEqual((await submit(context, { email: 'only@ex.com' })).filled, ['test']);
    assert.deepEqual((await submit(context, { email: 'only@ex.com', phone: '+4930777777', test: true })).filled, []);
    assert.equal((await submit(context, { email: 'only@ex.com' })).contactId, tried.contactId);
  });

  test('where e-mail address and phone belong to two contacts the address wins, the phone stays, and it is recorded', async () => {
    const context = await world.tenant();
    const byMail = await submit(context, { email: 'a@ex.com' });
    const byPhone = await submit(context, { phone: '+4930123456' });
    const both = await submit(context, { email: 'a@ex.com', phone: '+49 30 123456', name: 'Ada' });
    assert.deepEqual([both.contactId, both.conflict, both.filled], [byMail.contactId, byPhone.contactId, ['name']]);
    const rows = await contacts(context.tenant);
    assert.deepEqual(
      rows.map((row) => [row['id'], row['phone']]),
      [
        [byMail.contactId, null],
        [byPhone.contactId, '+4930123456'],
      ],
    );
    assert.deepEqual((await world.events(context)).at(-1), {
      type: 'crm.contact.identity_conflict',
      contact_id: byMail.contactId,
      phone_of: byPhone.contactId,
    });
  });

  test('an address that nobody has is not lost to the owner of a shared phone', async () => {
    const context = await world.tenant();
    const ada = await submit(context, { email: 'ada@ex.com', phone: '+4930123456' });
    const bob = await submit(context, { email: 'bob@ex.com', phone: '+4930123456' });
    assert.equal(bob.created, true);
    assert.equal(bob.conflict, ada.contactId);
    assert.deepEqual(
      (await contacts(context.tenant)).map((row) => [row['email'], row['phone']]),
      [
        ['ada@ex.com', '+4930123456'],
        ['bob@ex.com', null],
      ],
    );
  });

  test('a phone finds its contact, which takes the address it lacked', async () => {
    const context = await world.tenant();
    const first = await submit(context, { phone: '+4930123456' });
    const second = await submit(context, { email: 'ada@ex.com', phone: '+4930123456' });
    assert.deepEqual([second.contactId, second.filled], [first.contactId, ['email']]);
    assert.equal((await submit(context, { email: 'ADA@ex.com' })).contactId, first.contactId);
  });

  test('a name says who somebody is only where nothing else is known', async () => {
    const context = await world.tenant();
    const withMail = await submit(context, { email: 'john@ex.com', name: 'John Smith' });
    const alone = await submit(context, { name: '  john\u00a0 SMITH ' });
    assert.notEqual(alone.contactId, withMail.contactId);
    assert.equal((await submit(context, { name: 'John Smith' })).contactId, alone.contactId);
    assert.notEqual((await submit(context, { name: 'John Smith', phone: '+4930123456' })).contactId, alone.contactId);
  });

  test('fifty identical submissions at once make one contact, one event of its making and fifty entries on its timeline', async () => {
    const context = await world.tenant();
    const said = { email: 'ada@ex.com', phone: '+4930123456', name: 'Ada' };
    const all = await Promise.all(Array.from({ length: 50 }, async () => submit(context, said)));
    assert.equal(new Set(all.map(({ contactId }) => contactId)).size, 1);
    assert.equal(all.filter(({ created }) => created).length, 1);
    assert.equal((await contacts(context.tenant)).length, 1);
    assert.deepEqual(
      (await world.events(context)).map(({ type }) => type),
      ['crm.contact.created'],
    );
    const [count] = await world.admin.query(
      sql`select count(*)::int as entries from crm.timeline_entry where tenant_id = ${context.tenant}::uuid`,
    );
    assert.equal(count?.['entries'], 50);
  });

  test('crossing addresses and phones at once never wait for one another and never share an address', async () => {
    const context = await world.tenant();
    const [mails, phones] = [
      ['a@ex.com', 'b@ex.com', 'c@ex.com'],
      ['+4930123456', '+4930123457', '+4930123458'],
    ];
    await Promise.all(
      Array.from({ length: 90 }, async (_, index) =>
        submit(context, {
          ...(index % 7 === 0 ? {} : { email: mails[index % 3] }),
          ...(index % 5 === 0 ? {} : { phone: phones[Math.floor(index / 3) % 3] }),
          ...(index % 35 === 0 ? { name: 'Nobody' } : {}),
        }),
      ),
    );
    const rows = await contacts(context.tenant);
    for (const column of ['email', 'phone']) {
      const held = rows.map((row) => row[column]).filter((value) => value !== null);
      assert.equal(new Set(held).size, held.length, `${column} is held once`);
      assert.equal(held.length, 3, `every ${column} found its contact`);
    }
  });

  test('whoever waits for a contact that gets another address meanwhile is not taken for its owner', async () => {
    const context = await world.tenant();
    const phone = '+4930123456';
    const shared = await submit(context, { phone });
    const filled = Promise.withResolvers<void>();
    const commit = Promise.withResolvers<void>();
    const first = context.require(writeContacts).write(async (tx) => {
      const resolved = await resolveContact(tx, {
        email: 'first@ex.com',
        phone,
        custom: {},
        source: { kind: 'form.submitted', refs: {} },
      });
      filled.resolve();
      await commit.promise;
      return resolved;
    });
    await filled.promise;
    const second = submit(context, { email: 'second@ex.com', phone });
    const waiting = sql`
      select count(*)::int as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    while ((await world.admin.query(waiting))[0]?.['waiting'] !== 1) await sleep(5);
    commit.resolve();
    assert.equal((await first).contactId, shared.contactId);
    const other = await second;
    assert.deepEqual([other.created, other.conflict], [true, shared.contactId]);
    assert.deepEqual(
      (await contacts(context.tenant)).map((row) => [row['email'], row['phone']]),
      [
        ['first@ex.com', phone],
        ['second@ex.com', null],
      ],
    );
  });

  test('another tenant has contacts of its own', async () => {
    const [one, two] = [await world.tenant(), await world.tenant()];
    const first = await submit(one, { email: 'a@ex.com' });
    const second = await submit(two, { email: 'a@ex.com' });
    assert.notEqual(first.contactId, second.contactId);
    assert.equal(second.created, true);
  });

  test('nothing is stored of what is not valid, or says nothing of who it is', async () => {
    const context = await world.tenant();
    assert.equal(await refusal(submit(context, { email: 'nobody' })), 'invalid_request');
    assert.equal(await refusal(submit(context, { phone: '030 123456' })), 'invalid_request');
    assert.equal(await refusal(submit(context, { name: 'Ada\r\nBcc: x@y.z' })), 'invalid_request');
    assert.equal(await refusal(submit(context, { email: 'a@ex.com', custom: { unheard: 1 } })), 'invalid_request');
    assert.equal(await refusal(submit(context, { name: ' \u200b ' })), 'contact_identity_required');
    assert.deepEqual(await contacts(context.tenant), []);
    assert.deepEqual(await world.events(context), []);
  });
});
