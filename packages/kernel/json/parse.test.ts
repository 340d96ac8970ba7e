import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Problem } from '../errors.ts';
import { parseJson } from './parse.ts';

const refused = (text: string | Uint8Array, about: RegExp): void => {
  assert.throws(
    () => parseJson(text),
    (error: unknown) =>
      error instanceof Problem && error.code === 'invalid_json' && error.status === 400 && about.test(error.detail),
    String(text).slice(0, 60),
  );
};

test('what JSON can carry without loss is read as JSON.parse reads it', () => {
  for (const text of [
    '{"a":[1,2.5,-0.1e-3,true,null,"\\u00e9\\n"],"b":{"a":1}}',
    '[]',
    '"x"',
    '0.1',
    '9007199254740991',
    '-9007199254740991',
    '1e15',
    '[[],{"a":{}}]',
    '{"":1}',
    '"\\\\"',
    '{"a\\"b":1,"a":2}',
    '[{"k":1},{"k":2}]',
  ]) {
    assert.deepEqual(parseJson(text), JSON.parse(text), text);
  }
});

test('a key given twice is refused, however it is spelled and wherever it stands', () => {
  refused('{"a":1,"a":2}', /twice/);
  refused('{"a":1,"\\u0061":2}', /twice/);
  refused('[{"x":{"k":[],"z":1,"k":0}}]', /twice/);
  refused('{"__proto__":1,"__proto__":2}', /twice/);
});

test('a number that a double cannot carry as written is refused', () => {
  refused('9007199254740993', /2\^53/);
  refused('[-9007199254740992]', /2\^53/);
  refused('1e20', /2\^53/);
  refused('9.007199254740993e15', /2\^53/);
  refused('1e400', /out of range/);
  refused('-1E400', /out of range/);
  refused('1e-400', /out of range/);
  refused('0.123456789012345678', /17 significant/);
  refused('{"n":9007199254740993.0}', /2\^53/);
  refused('-0.0012345678901234567800e3', /17 significant/);
  refused(`1.${'0'.repeat(100_000)}1`, /400 characters/);
  refused(`[${'9'.repeat(100_000)}]`, /400 characters|out of range/);
  refused(`1e${'0'.repeat(100_000)}1`, /400 characters/);
  assert.equal(parseJson('0.000000000000000000000000000'), 0);
  assert.equal(parseJson('-0.0012345678901234567000e3'), -1.2345678901234567);
  assert.equal(parseJson(`1.${'0'.repeat(300)}`), 1);
  assert.equal(parseJson(`0.${'0'.repeat(323)}5`), 5e-324);
  assert.equal(parseJson('1000000000000000'), 1e15);
});

test('lone surrogates and NUL in keys are refused, pairs and NUL in values are not', () => {
  refused('"\\ud800"', /surrogate/);
  refused('{"\\udc00":1}', /surrogate/);
  refused('{"a\\u0000":1}', /NUL/);
  assert.equal(parseJson('"\\ud83d\\ude00"'), '😀');
  assert.equal(parseJson('"a\\u0000"'), 'a\0');
});

test('nesting has a limit, and a body of brackets is refused without harm', () => {
  assert.doesNotThrow(() => parseJson('['.repeat(32) + ']'.repeat(32)));
  refused('['.repeat(33) + ']'.repeat(33), /deeper than 32/);
  // Before it is parsed: that alone takes half a second.
  const parse = JSON.parse;
  try {
    JSON.parse = () => assert.fail('it was parsed');
    for (const open of ['[', '{"a":', '[1,{"a\\"\\\\":'])
      for (const before of ['', '{"x":', '{"[[[[\\"":"]]]]",  "x":'])
        refused(before + open.repeat(200_000), /deeper than 32/);
    refused(`{"x":${'['.repeat(500_000)}${']'.repeat(500_000)}}`, /deeper than 32/);
    refused(`[${'{"a" :1},'.repeat(30_000)}1]`, /more than 20000 keys/);
    refused(`[${'1,'.repeat(50_000)}1]`, /more than 20000 items/);
  } finally {
    JSON.parse = parse;
  }
  assert.deepEqual(parseJson(`{"x":"${'['.repeat(5_000)}\\"[","y":[1]}`), { x: `${'['.repeat(5_000)}"[`, y: [1] });
});

test('items have a limit, of all lists of a body together', () => {
  const items = (count: number, item = '0', space = ''): string =>
    `[${Array.from({ length: count }, () => item).join(`,${space}`)}]`;
  for (const item of ['0', '[]', '{}', '""', '"\\n"']) {
    refused(items(20_001, item), /more than 20000 items: send it in parts/);
    assert.equal((parseJson(items(20_000, item, ' ')) as unknown[]).length, 20_000);
  }
  refused(`[${Array.from({ length: 11 }, () => items(2_000)).join()}]`, /more than 20000 items/);
});

test('keys have a limit, of one object and of a whole body', () => {
  const keyed = (count: number, space = ''): string =>
    `{${Array.from({ length: count }, (_, at) => `"k${at}"${space}:1`).join()}}`;
  assert.doesNotThrow(() => parseJson(keyed(5_000)));
  refused(keyed(5_001), /more than 5000 keys/);
  refused(keyed(5_001, ' '), /more than 5000 keys/);
  refused(`[${Array.from({ length: 11 }, () => keyed(2_000)).join()}]`, /more than 20000 keys: send it in parts/);
  assert.doesNotThrow(() => parseJson(JSON.stringify({ text: '":'.repeat(30_000) })));
});

test('bytes that are not UTF-8, a byte order mark and trailing text are refused', () => {
  refused(new Uint8Array([0x22, 0xff, 0x22]), /UTF-8/);
  refused(new Uint8Array([0xef, 0xbb, 0xbf, 0x31]), /not JSON/);
  refused('1 2', /not JSON/);
  for (const nothing of ['', ' \n']) refused(nothing, /The body is empty: send JSON, such as \{\}/);
});

test('a key named __proto__ stays an own key and changes no prototype', () => {
  const value = parseJson('{"__proto__":{"polluted":true}}') as Record<string, unknown>;
  assert.equal(Object.hasOwn(value, '__proto__'), true);
  assert.equal(({} as Record<string, unknown>)['polluted'], undefined);
});
