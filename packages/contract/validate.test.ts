import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Problem } from '@steward/kernel';
import { z } from 'zod';
import { validator } from './validate.ts';

test('a body that is missing is told what to send, not that a field without a name is required', () => {
  const check = validator(z.strictObject({ hours: z.int().default(24) }), 'body');
  assert.throws(
    () => check(undefined),
    (error: unknown) =>
      error instanceof Problem &&
      error.code === 'invalid_request' &&
      error.errors?.[0]?.pointer === '' &&
      error.errors[0].detail.includes('Send a JSON object'),
  );
  assert.deepEqual(check({}), { hours: 24 });
});

test('a format is told as what is wanted, and a schema’s own words stay', () => {
  const check = validator(
    z.strictObject({ id: z.uuid(), day: z.iso.date(), at: z.iso.datetime(), own: z.uuid('Give the id of a form') }),
    'body',
  );
  assert.throws(
    () => check({ id: 'x', day: '2026-02-30', at: 'x', own: 'x' }),
    (error: unknown) => {
      assert.deepEqual(
        (error as Problem).errors?.map(({ detail }) => detail),
        [
          'Give an id (UUID).',
          'Give an existing day as YYYY-MM-DD.',
          'Give a time of RFC 3339, such as 2026-03-31T12:00:00Z.',
          'Give the id of a form.',
        ],
      );
      return true;
    },
  );
});

test('a list that is too long is told by itself, before anything in it is judged', () => {
  const line = z.strictObject({ account: z.string(), amount: z.string() });
  const check = validator(z.strictObject({ parts: z.record(z.string(), z.array(line).max(3).nullable()) }), 'body');
  const faults = (value: unknown): unknown[] => {
    try {
      check(value);
    } catch (error) {
      return (error as Problem).errors?.map(({ pointer, code }) => `${pointer} ${code}`) ?? [];
    }
    return [];
  };
  assert.deepEqual(faults({ parts: { a: null, b: Array.from({ length: 20_000 }, () => ({})) } }), ['/parts/b too_big']);
  assert.deepEqual(faults({ parts: { a: [{}] } }), ['/parts/a/0/account required', '/parts/a/0/amount required']);
  assert.deepEqual(faults({ parts: { a: [{ account: '1', amount: '2' }] } }), []);
});

test('a choice that is missing is told as missing, and one that is none as wrong', () => {
  const check = validator(
    z.strictObject({ lines: z.array(z.strictObject({ side: z.enum(['debit', 'credit']) })) }),
    'body',
  );
  const codeOf = (line: unknown): unknown => {
    try {
      return check({ lines: [line] });
    } catch (error) {
      return (error as Problem).errors?.map(({ pointer, code }) => `${pointer} ${code}`).join();
    }
  };
  assert.equal(codeOf({}), '/lines/0/side required');
  assert.equal(codeOf({ side: 'both' }), '/lines/0/side invalid_value');
  assert.equal(codeOf({ side: null }), '/lines/0/side invalid_value');
});

test('a fault of a schema without words of its own says how to mend it, of alternatives the one that was meant', () => {
  const check = validator(
    z.strictObject({
      text: z.string().min(2).max(3),
      count: z.int().max(5),
      flag: z.boolean(),
      mark: z.enum(['.', ',']),
      list: z.array(z.string()).min(1),
      either: z.union([z.string(), z.number(), z.strictObject({ value: z.string() })]),
      meant: z.union([z.string(), z.strictObject({ value: z.string() })]),
      own: z.string().refine(() => false),
    }),
    'body',
  );
  const given = {
    text: 'long',
    count: 9,
    flag: 'true',
    mark: ';',
    list: [],
    either: true,
    meant: { value: 1 },
    own: 'x',
  };
  assert.throws(
    () => check(given),
    (error: unknown) => {
      assert.deepEqual(
        (error as Problem).errors?.map(({ pointer, code, detail }) => `${pointer} ${code}: ${detail}`),
        [
          '/text too_big: Give at most 3 characters.',
          '/count too_big: Give 5 or less.',
          '/flag invalid_type: Give true or false, without quotes.',
          '/mark invalid_value: Give "." or ",".',
          '/list too_small: Give at least 1 item.',
          '/either invalid_union: Give a text, a number or an object.',
          '/meant/value invalid_type: Give a text.',
          '/own invalid_value: Give another value: this one is not accepted.',
        ],
      );
      return true;
    },
  );
});

test('a name that is none is told the one that it was meant for, at its place', () => {
  const field = z.strictObject({ mapsTo: z.string().optional(), label: z.string().optional() });
  const check = validator(z.strictObject({ siteId: z.string().optional(), fields: z.array(field).optional() }), 'body');
  const told = (value: unknown): readonly string[] => {
    try {
      check(value);
    } catch (error) {
      return (error as Problem).errors?.map(({ pointer, detail }) => `${pointer} ${detail}`) ?? [];
    }
    return [];
  };
  const none = 'There is no such field.';
  assert.deepEqual(told({ site_id: 'a' }), [`/site_id ${none} Did you mean siteId?`]);
  assert.deepEqual(
    told({ fields: [{ maps_to: 'email', lable: 'a', lebel: 'a', labels: 'a', colour: 'a', siteId: 'a' }] }).map((one) =>
      one.replace('/fields/0/', ''),
    ),
    [
      `maps_to ${none} Did you mean mapsTo?`,
      `lable ${none} Did you mean label?`,
      `lebel ${none} Did you mean label?`,
      `labels ${none} Did you mean label?`,
      `colour ${none}`,
      `siteId ${none}`,
    ],
  );
  assert.deepEqual(told({ ['siteId'.repeat(200_000)]: 1, __proto__: 1 }).length, 1);
});
