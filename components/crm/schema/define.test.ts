import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from '@steward/sql';
import { createWorld, refusal, submit, type World } from '../fixtures/world.ts';
import { getContact } from '../contacts/get.ts';
import { defineContactField, setDefaultCountry, type FieldDefinition } from './define.ts';
import { contactFields, readContactSchema, readSchemaVersion } from './schema.ts';

describe('the schema of contacts', () => {
  let world: World;
  before(async () => {
    world = await createWorld();
  });
  after(async () => world[Symbol.asyncDispose]());

  test('each change is a new version, and older ones stay as they were', async () => {
    const context = await world.tenant();
    assert.deepEqual(await readContactSchema(context, {}), { version: 1, defaultCountry: null, fields: [] });
    const { field } = await defineContactField(context, { key: 'city', type: 'text', label: ' City ' });
    assert.deepEqual(field, {
      key: 'city',
      label: 'City',
      type: 'text',
      description: null,
      options: [],
      maxLength: 1000,
      retired: false,
    });
    await defineContactField(context, { key: 'city', label: 'Town', maxLength: 20 });
    await setDefaultCountry(context, { defaultCountry: 'JP' });
    assert.equal((await readContactSchema(context, {})).version, 4);
    assert.deepEqual(
      await Promise.all(
        [1, 2, 3, 4].map(async (version) => (await readSchemaVersion(context, { version: version })).fields[0]?.label),
      ),
      [undefined, 'City', 'Town', 'Town'],
    );
    assert.equal((await readSchemaVersion(context, { version: 3 })).defaultCountry, null);
    assert.equal(await refusal(readSchemaVersion(context, { version: 5 })), 'not_found');
    assert.deepEqual(
      (await world.events(context)).map(({ version, fields }) => [version, fields]),
      [
        [2, ['city']],
        [3, ['city']],
        [4, []],
      ],
    );
  });

  test('saying what is so already makes no version', async () => {
    const context = await world.tenant();
    const first = await defineContactField(context, { key: 'plan', type: 'select', options: [{ value: 'gold' }] });
    const again = await defineContactField(context, { key: 'plan', type: 'select', options: ['gold'] });
    assert.deepEqual([again.version, again.created], [first.version, false]);
    await setDefaultCountry(context, { defaultCountry: null });
    assert.equal((await readContactSchema(context, {})).version, 2);
  });

  test('the default country reads national numbers, and a form may say another', async () => {
    const context = await world.tenant();
    assert.equal(await refusal(submit(context, { phone: '03-1234-5678' })), 'invalid_request');
    await setDefaultCountry(context, { defaultCountry: 'JP' });
    const { contactId } = await submit(context, { phone: '03-1234-5678' });
    assert.equal((await getContact(context, contactId)).phone, '+81312345678');
    const german = await submit(context, { phone: '030 123456', defaultCountry: 'DE' });
    assert.equal((await getContact(context, german.contactId)).phone, '+4930123456');
    assert.equal(await refusal(setDefaultCountry(context, { defaultCountry: 'jp' })), 'invalid_request');
  });

  test('values of retired fields and options stay, new ones are refused, and both can come back', async () => {
    const context = await world.tenant();
    await defineContactField(context, { key: 'plan', type: 'select', options: [{ value: 'gold' }, { value: 'tin' }] });
    const { contactId } = await submit(context, { email: 'a@ex.com', custom: { plan: 'tin' } });
    const { field } = await defineContactField(context, { key: 'plan', options: [{ value: 'gold', label: 'Gold!' }] });
    assert.deepEqual(field.options, [
      { value: 'gold', label: 'Gold!', retired: false },
      { value: 'tin', label: 'tin', retired: true },
    ]);
    assert.equal(await refusal(submit(context, { email: 'b@ex.com', custom: { plan: 'tin' } })), 'invalid_request');
    await defineContactField(context, { key: 'plan', retired: true });
    assert.equal(await refusal(submit(context, { email: 'b@ex.com', custom: { plan: 'gold' } })), 'invalid_request');
    assert.deepEqual((await getContact(context, contactId)).custom, { plan: 'tin' });
    assert.deepEqual(
      (await contactFields(context)).map(({ key }) => key),
      ['email', 'phone', 'name'],
    );
    await defineContactField(context, { key: 'plan', retired: false });
    assert.equal((await submit(context, { email: 'b@ex.com', custom: { plan: 'gold' } })).created, true);
  });

  test('what is no field is refused', async () => {
    const context = await world.tenant();
    await defineContactField(context, { key: 'age', type: 'number' });
    const bad: [FieldDefinition, string][] = [
      [{ key: 'age', type: 'text' }, 'contact_field_fixed'],
      ...[
        'email',
        'contact_id',
        'custom_fields',
        'constructor',
        '__proto__',
        'Age',
        '1a',
        'a-b',
        'ä',
        '',
        'a'.repeat(64),
      ].map((key): [FieldDefinition, string] => [{ key, type: 'text' }, 'invalid_request']),
      [{ key: 'a' }, 'invalid_request'],
      [{ key: 'a', type: 'select' }, 'invalid_request'],
      [{ key: 'a', type: 'select', options: [{ value: 'x' }, { value: ' x ' }] }, 'invalid_request'],
      [{ key: 'a', type: 'select', options: [{ value: ' ' }] }, 'invalid_request'],
      [{ key: 'a', type: 'text', options: [{ value: 'x' }] }, 'invalid_request'],
      [{ key: 'a', type: 'text', label: 'a\nb' }, 'invalid_request'],
      [{ key: 'a', type: 'text', maxLength: 0 }, 'invalid_request'],
      [{ key: 'a', type: 'text', maxLength: 65_537 }, 'invalid_request'],
      [{ key: 'a', type: 'number', maxLength: 5 }, 'invalid_request'],
      [{ key: 'a', type: 'text', description: 'a\u0000' }, 'invalid_request'],
    ];
    for (const [definition, code] of bad)
      assert.equal(await refusal(defineContactField(context, definition)), code, JSON.stringify(definition));
    assert.equal((await readContactSchema(context, {})).version, 2);
  });

  test('fields defined at once all arrive, up to two hundred', async () => {
    const context = await world.tenant();
    const define = async (index: number): Promise<unknown> =>
      defineContactField(context, { key: `f${index}`, type: 'text' });
    await Promise.all(Array.from({ length: 20 }, async (_, index) => define(index)));
    for (let index = 20; index < 200; index += 1) await define(index);
    const { version, fields } = await readContactSchema(context, {});
    assert.deepEqual([version, fields.length, new Set(fields.map(({ key }) => key)).size], [201, 200, 200]);
    assert.equal(await refusal(define(200)), 'contact_field_limit');
  });

  test('fields take no more room than they may, and there are no more versions than there may be', async () => {
    const context = await world.tenant();
    const options = Array.from({ length: 500 }, (_one, n) => ({
      value: `${n}`.padEnd(200, 'v'),
      label: 'l'.repeat(200),
    }));
    const define = async (key: string): Promise<unknown> =>
      defineContactField(context, { key, type: 'select', options });
    await define('a');
    await define('b');
    assert.equal(await refusal(define('c')), 'contact_schema_limit');
    await world.admin.query(sql`
      insert into crm.contact_schema (tenant_id, version, document) select tenant_id, 2000, document from crm.contact_schema
      where tenant_id = ${context.tenant}::uuid and version = 2`);
    assert.equal(await refusal(setDefaultCountry(context, { defaultCountry: 'JP' })), 'contact_schema_limit');
    await define('a');
  });

  test('who may not, may not', async () => {
    const owner = await world.tenant({ alice: 'owner', cara: 'accountant' });
    assert.equal(
      await refusal(defineContactField(world.as(owner.tenant, 'cara'), { key: 'a', type: 'text' })),
      'insufficient_role',
    );
  });
});
