import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isChosen, labelling, labels } from '@steward/console-app/labels';
import { openPool, sql } from '@steward/sql';
import { createTestDatabase } from '@steward/testing';
import { z } from 'zod';
import { components } from './components.ts';
import { migrationSources } from './migrations.ts';

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly [keyword: string]: unknown;
}

/** Names of members in a JSON Schema, but for those below what somebody chose. */
function* namesIn(schema: unknown): Generator<string> {
  if (Array.isArray(schema)) for (const one of schema) yield* namesIn(one);
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return;
  const { properties = {}, ...rest } = schema as Schema;
  for (const [name, of] of Object.entries(properties)) {
    yield name;
    if (!isChosen(name)) yield* namesIn(of);
  }
  for (const keyword of ['items', 'anyOf', 'oneOf', 'allOf', 'prefixItems', 'additionalProperties', '$defs'])
    yield* namesIn(keyword === '$defs' ? Object.values(rest[keyword] ?? {}) : rest[keyword]);
}

describe('what people decide about, in their language', () => {
  test('has words for every member that a command takes and answers, for every noun and every fact of one', async () => {
    const names = new Set<string>();
    const commands = components.flatMap(({ tools = [] }) => tools).filter(({ tier }) => tier !== 'read');
    assert.ok(commands.length > 150, `only ${commands.length} commands`);
    for (const { input, output } of commands)
      for (const schema of [input, output])
        for (const name of namesIn(z.toJSONSchema(schema, { unrepresentable: 'any', io: 'input' }))) names.add(name);
    const nouns = components.flatMap((one) => one.nouns ?? []);
    assert.ok(nouns.length > 50, `only ${nouns.length} nouns`);
    await using db = await createTestDatabase(migrationSources);
    await using admin = openPool({ url: db.adminUrl, size: 1 });
    for (const { noun, table, parts = {}, also = {} } of nouns) {
      for (const one of [noun, ...Object.keys(parts), ...Object.keys(also)]) names.add(one);
      const tables = [table, ...Object.values(parts).map((part) => part.table)];
      for (const row of await admin.query<{ name: string }>(sql`
        select attname::text as name from pg_attribute
        where attrelid = any(${tables}::regclass[]) and attnum > 0 and not attisdropped`))
        names.add(row.name);
    }
    assert.ok(names.size > 500, `only ${names.size} names`);
    const { en, ...translated } = labels;
    const { label: english } = labelling(en);
    for (const [language, own] of Object.entries(translated)) {
      const { label } = labelling(own);
      const without = [...names].filter(
        (name) => label(name, null, new Map()) === english(name, null, new Map()) && !Object.hasOwn(own, name),
      );
      assert.deepEqual(without, [], language);
    }
  });

  test('leaves what somebody chose to call something as it is, and takes no word for what a table is born with', () => {
    for (const own of Object.values(labels)) {
      const { label, path } = labelling(own);
      const none = new Map<string, string>();
      assert.deepEqual(path(['custom', 'total', 'payment_id'], null, none).slice(1), ['Total', 'Payment id']);
      assert.equal(labelling(own, true).label('amount', null, none), 'Amount');
      for (const name of ['constructor', '__proto__', 'toString', 'hasOwnProperty'])
        assert.match(label(name, null, none), new RegExp(name.replaceAll('_', ''), 'i'));
    }
  });

  test('calls an id by what it names where that is shown, and says that it is an id where it is not', () => {
    const party = '0190f5a0-0000-7000-8000-000000000001';
    const { label } = labelling(labels.de);
    assert.equal(label('party_id', party, new Map([[party, 'Müller GmbH']])), 'Kunde oder Lieferant');
    assert.equal(label('party_id', party, new Map()), 'Kunde oder Lieferant (ID)');
    assert.equal(label('variantIds', [], new Map()), 'Varianten (ID)');
    assert.equal(label('unheard_of', 1, new Map()), 'Unheard of');
  });
});
