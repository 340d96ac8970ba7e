import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { anything } from '@steward/audit/testing';
import { newId } from '@steward/kernel';
import { sql, statement, type TenantContext } from '@steward/sql';
import { createWorld, refusal, submit, type World } from '../fixtures/world.ts';
import { readContacts } from '../permissions.ts';
import { defineContactField, setDefaultCountry } from '../schema/define.ts';
import { contactSchemaIn } from '../schema/schema.ts';
import { writeContacts } from '../permissions.ts';
import { eraseContact } from './erase.ts';
import { mergeContacts } from './merge.ts';
import { searchContacts, searchStatement, sourcesOf, type ContactFilter } from './search.ts';
import { upsertContact } from './upsert.ts';

describe('searching contacts', () => {
  let world: World;
  before(async () => {
    world = await createWorld();
  });
  after(async () => world[Symbol.asyncDispose]());

  const people = [
    {
      email: 'ada@müller.de',
      phone: '+4930123456',
      name: 'Ada Lovelace',
      custom: { city: 'London', tags: ['a', 'b'] },
    },
    { email: 'grace@example.com', phone: '+14155552671', name: 'Grace Hopper', custom: { city: 'New  York', age: 85 } },
    { email: 'adam@example.com', name: 'Ådam Müller', custom: { city: 'LONDON', tags: ['b'], on: true } },
    { email: 'yamada@example.jp', name: '山田太郎', custom: { notes: 'x'.repeat(300) } },
  ];

  const founded = async (): Promise<TenantContext> => {
    const context = await world.tenant();
    for (const [key, type] of [
      ['city', 'text'],
      ['age', 'number'],
      ['on', 'boolean'],
      ['notes', 'long_text'],
    ] as const)
      await defineContactField(context, { key, type });
    await defineContactField(context, { key: 'tags', type: 'multiselect', options: [{ value: 'a' }, { value: 'b' }] });
    await setDefaultCountry(context, { defaultCountry: 'DE' });
    for (const person of people) await upsertContact(context, person);
    return context;
  };

  test('by anything at hand, in any spelling', async () => {
    const context = await founded();
    for (const [filter, names] of [
      [{}, ['山田太郎', 'Ådam Müller', 'Grace Hopper', 'Ada Lovelace']],
      [{ email: 'ADA@xn--mller-kva.de' }, ['Ada Lovelace']],
      [{ email: '@example.com' }, ['Ådam Müller', 'Grace Hopper']],
      [{ phone: '030/123456' }, ['Ada Lovelace']],
      [{ phone: '(415) 555-2671', defaultCountry: 'US' }, ['Grace Hopper']],
      [{ name: 'ada' }, ['Ådam Müller', 'Ada Lovelace']],
      [{ name: 'muller ad' }, ['Ådam Müller']],
      [{ name: 'MÜLL' }, ['Ådam Müller']],
      [{ name: '太郎' }, ['山田太郎']],
      [{ name: '田' }, ['山田太郎']],
      [{ name: 'lace' }, []],
      [{ query: 'ada' }, ['Ådam Müller', 'Ada Lovelace']],
      [{ query: 'Yamad' }, ['山田太郎']],
      [{ query: 'yamad', email: '@example.jp' }, ['山田太郎']],
      [{ query: 'yamad', email: '@example.com' }, []],
      [{ query: 'Ada@' }, ['Ada Lovelace']],
      [{ query: 'grace@example.com' }, ['Grace Hopper']],
      [{ query: '@müller.de' }, ['Ada Lovelace']],
      [{ query: '0049 30 123456' }, ['Ada Lovelace']],
      [{ query: '030/123456' }, ['Ada Lovelace']],
      [{ query: '+49 30' }, ['Ada Lovelace']],
      [{ query: '555-2671' }, ['Grace Hopper']],
      [{ query: '2671' }, ['Grace Hopper']],
      [{ query: '2672' }, []],
      [{ custom: { city: 'london' } }, ['Ådam Müller', 'Ada Lovelace']],
      [{ custom: { city: 'new york' } }, ['Grace Hopper']],
      [{ custom: { city: 'london', tags: 'a' } }, ['Ada Lovelace']],
      [{ custom: { tags: ['a', 'b'] } }, ['Ada Lovelace']],
      [{ custom: { age: '85' } }, ['Grace Hopper']],
      [{ custom: { on: 'yes' } }, ['Ådam Müller']],
      [{ custom: { notes: 'X'.repeat(300) } }, ['山田太郎']],
      [{ name: 'ada', custom: { city: 'london' }, email: 'adam@example.com' }, ['Ådam Müller']],
    ] as const) {
      const { items } = await searchContacts(context, { ...filter, limit: 50 });
      assert.deepEqual(
        items.map(({ name }) => name),
        names,
        JSON.stringify(filter),
      );
    }
  });

  test('what cannot be looked for is refused with the reason', async () => {
    const context = await founded();
    for (const filter of [
      { email: 'nobody' },
      { phone: 'x' },
      { name: '!!!' },
      { query: ' ' },
      { custom: { unheard: 1 } },
      { custom: { age: 'many' } },
      { query: 'x', defaultCountry: 'XX' },
    ])
      assert.equal(
        await refusal(searchContacts(context, { ...filter, limit: 50 })),
        'invalid_request',
        JSON.stringify(filter),
      );
  });

  test('pages follow one another without gap or repeat', async () => {
    const context = await founded();
    for (const filter of [{}, { name: 'a' }, { custom: { city: 'london' } }] satisfies ContactFilter[]) {
      const whole = (await searchContacts(context, { ...filter, limit: 200 })).items.map(({ id }) => id);
      const paged: string[] = [];
      for (let before: string | null | undefined; before !== null;) {
        const page = await searchContacts(context, { ...filter, limit: 1, cursor: before ?? undefined });
        paged.push(...page.items.map(({ id }) => id));
        before = page.nextCursor;
      }
      assert.deepEqual(paged, whole);
    }
  });

  test('ids tell no time, and contacts of one moment have a place each, also once the last of a page is gone', async () => {
    const context = await founded();
    const { contact } = await upsertContact(context, { email: 'eve@example.com' });
    // As ids were before: older than all, by its time.
    const old = newId();
    await world.admin.query(sql`
      update crm.contact set contact_id = ${old}::uuid, created_at = '2020-01-01T00:00:00.123456Z' where contact_id = ${contact.id}::uuid`);
    await upsertContact(context, { email: 'ida@example.com' });
    await submit(context, { email: 'joe@example.com' });
    await world.admin.query(sql`
      update crm.contact set created_at = '2025-01-01T00:00:00.123456Z' where tenant_id = ${context.tenant}::uuid and contact_id <> ${old}::uuid`);
    const whole = (await searchContacts(context, { limit: 200 })).items.map(({ id }) => id);
    assert.deepEqual(whole, [...whole.slice(0, -1).toSorted().toReversed(), old]);
    assert.deepEqual(
      whole.slice(0, -1).filter((id) => id[14] !== '4'),
      [],
    );
    const paged: string[] = [];
    for (let before: string | null | undefined; before !== null;) {
      const { items, nextCursor } = await searchContacts(context, { limit: 1, cursor: before ?? undefined });
      paged.push(...items.map(({ id }) => id));
      await context.require(anything).write(async (tx) => eraseContact(tx, items[0]?.id ?? '', 'requested'));
      before = nextCursor;
    }
    assert.deepEqual(paged, whole);
  });

  test('test contacts are those that nobody but test keys has brought', async () => {
    const context = await world.tenant();
    const told = async (email: string): Promise<unknown> =>
      (await searchContacts(context, { email, limit: 1 })).items[0]?.test;
    const brought = async (email: string, test: boolean): Promise<unknown> =>
      (await submit(context, { email, test })).filled;
    for (const email of ['a@ex.com', 'b@ex.com', 'c@ex.com', 'd@ex.com']) await brought(email, true);
    await brought('live@ex.com', false);
    assert.deepEqual([await told('a@ex.com'), await told('live@ex.com')], [true, false]);
    assert.deepEqual([await brought('a@ex.com', true), await told('a@ex.com')], [[], true]);
    assert.deepEqual([await brought('live@ex.com', true), await told('live@ex.com')], [[], false]);
    // Saying nothing of it brings nothing.
    const [first] = (await searchContacts(context, { email: 'a@ex.com', limit: 1 })).items;
    assert.deepEqual((await upsertContact(context, { contactId: first?.id })).changed, []);
    assert.equal(await told('a@ex.com'), true);
    // Seen live; written by a member, even where nothing is new; made one with a contact that is none of tests.
    assert.deepEqual([await brought('a@ex.com', false), await told('a@ex.com')], [['test'], false]);
    assert.deepEqual(
      [(await upsertContact(context, { email: 'b@ex.com' })).changed, await told('b@ex.com')],
      [['test'], false],
    );
    const id = async (email: string): Promise<string> => (await upsertContact(context, { email })).contact.id;
    const [, , c, d] = (await searchContacts(context, { limit: 9 })).items.toReversed().map((one) => one.id);
    assert.equal((await mergeContacts(context, { contactId: c ?? '', duplicateId: d ?? '' })).contact.test, true);
    assert.equal(
      (await mergeContacts(context, { contactId: c ?? '', duplicateId: await id('live@ex.com') })).contact.test,
      false,
    );
    await brought('e@ex.com', true);
    const among = async (test?: boolean): Promise<unknown> =>
      (await searchContacts(context, { test, limit: 9 })).items.map(({ email }) => email);
    assert.deepEqual(await among(true), ['e@ex.com']);
    assert.deepEqual(await among(false), ['c@ex.com', 'b@ex.com', 'a@ex.com']);
    assert.deepEqual(await among(), ['e@ex.com', 'c@ex.com', 'b@ex.com', 'a@ex.com']);
    assert.deepEqual(
      (await searchContacts(context, { test: false, email: '@ex.com', limit: 1 })).items[0]?.email,
      'c@ex.com',
    );
  });

  test('what a contact is no longer is not found', async () => {
    const context = await founded();
    await upsertContact(context, { email: 'grace@example.com', name: 'Rear Admiral', custom: { city: null } });
    for (const filter of [{ name: 'hopper' }, { custom: { city: 'new york' } }])
      assert.deepEqual((await searchContacts(context, { ...filter, limit: 50 })).items, []);
    assert.equal((await searchContacts(context, { name: 'admiral', limit: 50 })).items.length, 1);
  });

  test('among a hundred thousand contacts every search goes by an index', async () => {
    const context = await founded();
    const { tenant } = context;
    // In parts, so that no statement takes long on a busy machine.
    for (let from = 1; from < 100_000; from += 10_000)
      await world.admin.query(sql`
        with added as (
          insert into crm.contact (tenant_id, contact_id, email, email_key, phone, name, name_key, custom, source)
          select ${tenant}::uuid, gen_random_uuid(), mail, mail, '+49301' || (1000000 + i), 'Person ' || i, 'person ' || i,
            jsonb_build_object('city', 'city' || i % 500), '{"kind":"import"}'
          from (
            select i, 'person' || i || '@example' || i % 100 || '.com' as mail
            from generate_series(${from}::int, ${from + 9999}::int) i
          ) people
          returning tenant_id, contact_id, created_at, email, phone, name, custom
        )
        insert into crm.contact_term (tenant_id, field, value, created_at, contact_id)
        select tenant_id, field, value, created_at, contact_id from added,
          lateral (values ('name', 'person'), ('phone', reverse(substr(phone, 2))), ('name', split_part(name, ' ', 2)),
            ('email', split_part(email, '@', 2)), ('custom.city', custom ->> 'city')) term (field, value)
        where value = 'person' or field = 'custom.city' or right(phone, 1) = '7'`);
    await world.admin.query(sql`analyze crm.contact, crm.contact_term`);
    const schema = await context.require(writeContacts).write(contactSchemaIn);
    const limit = 50;
    for (const filter of [
      {},
      { email: 'person77@example77.com' },
      { email: '@example77.com' },
      { query: 'person77@' },
      { phone: '0301 1000077' },
      { query: '000077' },
      { query: '+49301 10000' },
      { name: 'person 77777' },
      { name: 'person' },
      { custom: { city: 'city77' } },
      { name: '777', custom: { city: 'city277' } },
    ] as readonly ContactFilter[]) {
      const asked = searchStatement(tenant, sourcesOf(schema, filter), filter, { limit });
      const [explained] = await context
        .require(readContacts)
        .read(statement(`explain (format json) ${asked.text}`, asked.values));
      const plan = JSON.stringify(explained?.['QUERY PLAN']);
      // A word that all bear leaves no choice but reading all that bear it.
      const shape = filter.name === 'person' ? /"Seq Scan"[^}]*"Relation Name":"contact"/ : /"Node Type":"Seq Scan"/;
      assert.doesNotMatch(plan, shape, JSON.stringify(filter));
      assert.match(plan, /Index/, JSON.stringify(filter));
      const { items } = await searchContacts(context, { ...filter, limit });
      assert.ok(items.length > 0, JSON.stringify(filter));
    }
  });
});
