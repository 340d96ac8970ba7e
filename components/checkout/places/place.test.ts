import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exactness, mostExact, plainCodes } from './place.ts';

const at = (country: string, region: string | null = null, ...postcodes: string[]) => ({ country, region, postcodes });

test('postcodes have one spelling, and a range has two numbers of one length', () => {
  for (const [country, given, plain] of [
    ['GB', 'sw1a 1aa', 'SW1A1AA'],
    ['ES', '35*', '35*'],
    ['ES', '35000-35999', '35000-35999'],
    ['ES', '35000 - 35999', '35000-35999'],
    ['ES', '35999-35000', undefined],
    ['ES', '35000-3', undefined],
    ['ES', '350-35999', undefined],
    ['ES', '35000-36*', undefined],
    ['ES', '1000-001', undefined],
    ['PT', '1000-001', '1000001'],
    ['PT', '1000-0*', '10000*'],
    ['PT', '1000-2', undefined],
    ['US', '90210-1234', '902101234'],
    ['US', '90210-91', undefined],
  ] as const)
    assert.equal(plainCodes(given, country), plain, given);
});

test('a postcode is more exact than a longer beginning, a range, a shorter beginning, a region and a country', () => {
  const address = { country: 'ES', region: 'CN', postcode: '35 001' };
  const places = [
    at('ES'),
    at('ES', 'CN'),
    at('ES', null, '35*'),
    at('ES', null, '35000-35999'),
    at('ES', null, '350*'),
    at('ES', null, '35001'),
  ];
  const found = places.map((place) => exactness(place, address) ?? -1);
  assert.deepEqual(
    found,
    found.toSorted((a, b) => a - b),
  );
  assert.equal(new Set(found).size, places.length);
  assert.equal(
    mostExact(places, address, (one) => [one]),
    places.at(-1),
  );
});

test('an address elsewhere is in no place', () => {
  const address = { country: 'US', region: 'CA', postcode: '90210-1234' };
  for (const place of [
    at('CA'),
    at('US', 'NY'),
    at('US', null, '10*'),
    at('US', null, '90211-90299'),
    at('US', 'NY', '90*'),
  ])
    assert.equal(exactness(place, address), undefined);
  assert.ok(exactness(at('US', 'CA', '90200-90299'), address) !== undefined, 'the first digits count');
  assert.equal(exactness(at('US', null, '9*'), { country: 'US' }), undefined);
  assert.equal(exactness(at('US', null, '00000-99999'), { country: 'US', postcode: '9'.repeat(3) }), undefined);
});
