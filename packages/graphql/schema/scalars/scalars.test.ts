import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseConstValue, type GraphQLScalarType } from 'graphql';
import { bigInt } from './big-int.ts';
import { dateTime } from './date-time.ts';
import { json } from './json.ts';
import { utc } from './utc.ts';

const literal = (type: GraphQLScalarType, text: string): unknown => type.coerceInputLiteral?.(parseConstValue(text));

describe('DateTime', () => {
  it('answers UTC with milliseconds for dates, milliseconds and stored texts', () => {
    const text = '2026-11-20T08:30:00.120Z';
    for (const value of [text, Date.parse(text), new Date(text)]) assert.equal(dateTime.coerceOutputValue(value), text);
  });
  it('reads RFC 3339 with any offset and cuts further digits', () => {
    assert.equal(dateTime.coerceInputValue('2026-11-20T08:30:00.1239+05:30'), '2026-11-20T03:00:00.123Z');
    assert.equal(dateTime.coerceInputValue('2026-01-01t00:00:00-00:01'), '2026-01-01T00:01:00.000Z');
    assert.equal(dateTime.coerceInputValue('0001-01-01T00:00:00Z'), '0001-01-01T00:00:00.000Z');
    assert.equal(literal(dateTime, '"2024-02-29T23:59:59Z"'), '2024-02-29T23:59:59.000Z');
  });
  it('refuses what is no moment of RFC 3339', () => {
    const wrong = [
      '',
      '2026-11-20',
      '2026-02-29T00:00:00Z',
      '2026-01-01T24:00:00Z',
      '2026-01-01T00:00:60Z',
      '2026-01-01T00:00:00',
    ];
    wrong.push(
      '2026-01-01T00:00:00+24:00',
      '2026-1-1T00:00:00Z',
      '+012026-01-01T00:00:00Z',
      '0000-01-01T00:00:00+00:01',
    );
    for (const text of wrong) assert.throws(() => dateTime.coerceInputValue(text), { name: 'GraphQLError' }, text);
    for (const value of [0, null, {}, true])
      assert.throws(() => dateTime.coerceInputValue(value), { name: 'GraphQLError' });
    assert.throws(() => literal(dateTime, '1'), { name: 'GraphQLError' });
  });
});

describe('BigInt', () => {
  it('carries 64 bits both ways without rounding', () => {
    assert.equal(bigInt.coerceOutputValue(2n ** 63n - 1n), '9223372036854775807');
    assert.equal(bigInt.coerceInputValue('-9223372036854775808'), -(2n ** 63n));
    assert.equal(bigInt.coerceInputValue(7), 7n);
    assert.equal(literal(bigInt, '9007199254740993'), 9_007_199_254_740_993n);
  });
  it('refuses what is no integer of 64 bits', () => {
    for (const value of [
      '9223372036854775808',
      '1'.repeat(40),
      '',
      '01',
      '1.0',
      '0x1',
      ' 1',
      1.5,
      2 ** 53,
      null,
      {},
      true,
    ]) {
      assert.throws(() => bigInt.coerceInputValue(value), { name: 'GraphQLError' }, String(value));
    }
  });
});

describe('JSON', () => {
  it('reads an object as it stands in the document', () => {
    const value = literal(json, '{ a: [1, 2.5e3, "x\\n\\"", """block""", null, true], b: { c: -0 } }');
    assert.deepEqual(value, { a: [1, 2500, 'x\n"', 'block', null, true], b: { c: -0 } });
  });
  it('keeps __proto__ as a key of its own', () => {
    const value = literal(json, '{ __proto__: { admin: true } }') as object;
    assert.deepEqual(Object.keys(value), ['__proto__']);
    assert.equal('admin' in value, false);
  });
  it('refuses what is no object, and numbers that a double cannot carry', () => {
    for (const text of ['1', '"x"', '[{}]', 'null', 'WORD', '{ a: WORD }', '{ a: 9007199254740993 }', '{ a: 1e400 }']) {
      assert.throws(() => literal(json, text), { name: 'GraphQLError' }, text);
    }
    const deep = `${'{a:'.repeat(40)}1${'}'.repeat(40)}`;
    assert.throws(() => literal(json, deep), { name: 'GraphQLError' });
    for (const value of [1, 'x', [], null]) assert.throws(() => json.coerceInputValue(value), { name: 'GraphQLError' });
  });
});

describe('a moment in UTC', () => {
  it('is written as the engine writes it, in any order of days', () => {
    const moments = [
      0,
      1,
      -1,
      86_399_999,
      86_400_000,
      -86_400_001,
      1e12 + 7,
      8.64e15,
      -8.64e15,
      -62_167_219_200_001,
      1.9,
      -1.9,
    ];
    for (let step = 0; step < 2_000; step += 1)
      moments.push(Math.floor(Math.sin(step) * 4e12), 1e12 + step * 1_234_567);
    for (const moment of moments) assert.equal(utc(moment), new Date(moment).toISOString());
  });
  it('is refused where there is none', () => {
    for (const moment of [Number.NaN, Infinity, 8.64e15 + 1]) assert.throws(() => utc(moment), RangeError);
  });
});
