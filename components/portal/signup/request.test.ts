import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Problem } from '@steward/kernel';
import { readSignup } from './request.ts';
import { fingerprintOf, foldName } from './directory.ts';

const key = 'a-good-key';
const code = (body: unknown, header: string | null = key): string => {
  try {
    readSignup(body, header ?? undefined);
  } catch (error) {
    if (error instanceof Problem) return error.code;
    throw error;
  }
  return 'accepted';
};

test('defaults are filled in, so that leaving a field out and giving its default are one request', () => {
  const short = readSignup({ organizationName: ' Fjord ' }, key).request;
  const long = readSignup(
    { name: 'Fjord', defaultCurrency: 'USD', fiscalYearStartMonth: 1, persona: 'general', more: 1 },
    key,
  ).request;
  assert.deepEqual(short, {
    organizationName: 'Fjord',
    defaultCurrency: 'USD',
    fiscalYearStartMonth: 1,
    persona: 'general',
  });
  assert.ok(fingerprintOf(short).equals(fingerprintOf(long)));
  assert.ok(!fingerprintOf(short).equals(fingerprintOf({ ...short, persona: 'retail' })));
});

test('the name comes first, whatever else is wrong', () => {
  assert.equal(code({ defaultCurrency: 'XXX' }, null), 'organization_name_required');
  assert.equal(code({ organizationName: 'a', defaultCurrency: 'XXX' }, null), 'invalid_request');
  assert.equal(code({ organizationName: 'a' }, null), 'idempotency_key_required');
});

test('a fault of the name points at what the caller wrote', () => {
  for (const [body, wanted] of [
    [{}, '/organizationName'],
    [{ organizationName: null, name: null }, '/organizationName'],
    [{ organizationName: '', name: 'a' }, '/organizationName'],
    [{ organizationName: 'a'.repeat(201) }, '/organizationName'],
    [{ name: '' }, '/name'],
    [{ name: 7 }, '/name'],
    [{ name: 'a'.repeat(201) }, '/name'],
  ] as const)
    assert.throws(
      () => readSignup(body, key),
      (error: unknown) => error instanceof Problem && error.errors?.[0]?.pointer === wanted,
      JSON.stringify(body).slice(0, 40),
    );
});

test('a blank organizationName is not absent: name does not stand in for it', () => {
  assert.equal(code({ organizationName: ' ', name: 'a' }), 'organization_name_required');
  assert.equal(code({ organizationName: null, name: 'a' }), 'accepted');
});

test('every fault of the optional fields is named at once, by pointer', () => {
  assert.throws(
    () => readSignup({ organizationName: 'a', defaultCurrency: 7, fiscalYearStartMonth: 13, persona: [] }, key),
    (error: unknown) =>
      error instanceof Problem &&
      error.errors?.map(({ pointer }) => pointer).join() === '/defaultCurrency,/fiscalYearStartMonth,/persona',
  );
});

test('names that differ in case, composition or nothing visible are one organization', () => {
  assert.equal(foldName('ÅNGSTRÖM'), foldName('A\u030angstro\u0308m'));
  assert.notEqual(foldName('Fjord'), foldName('Fjord AS'));
});
