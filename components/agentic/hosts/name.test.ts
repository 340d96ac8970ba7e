import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Problem } from '@steward/kernel';
import { nameIn, readHost } from './name.ts';

const own = new Set(['steward.example.com', '127.0.0.1']);
const read = async (given: string): Promise<string> =>
  readHost(given, own).catch((error: unknown) => (error instanceof Problem ? error.code : assert.fail(String(error))));

describe('the name of a host', () => {
  for (const [given, name] of [
    ['shop.example.com', 'shop.example.com'],
    ['Shop.EXAMPLE.com.', 'shop.example.com'],
    ['  shop.example.com ', 'shop.example.com'],
    ['käse.example.com', 'xn--kse-qla.example.com'],
    ['KÄSE.Example.com', 'xn--kse-qla.example.com'],
    ['shop。example.com', 'shop.example.com'],
    ['acme.myshopify.com', 'acme.myshopify.com'],
    ['acme.co.uk', 'acme.co.uk'],
  ] as const)
    test(`is what DNS has of ${JSON.stringify(given)}`, async () => assert.equal(await read(given), name));

  for (const given of [
    '127.0.0.1',
    '127.1',
    '１２７.0.0.1',
    '0x7f.1',
    '[::1]',
    '::1',
    '2130706433',
    'shop.example.com:8080',
    'https://shop.example.com',
    'shop.example.com/path',
    'user@shop.example.com',
    'shop.example.com?x',
    'shop.example.com#x',
    'shop.example.com\nx-y: z',
    'shop..example.com',
    '.example.com',
    'shop.example.com..',
    '-shop.example.com',
    'shop-.example.com',
    '_shop.example.com',
    '*.example.com',
    'localhost',
    'shop.localhost',
    'printer.local',
    'db.internal',
    'example',
    'com',
    'co.uk',
    'github.io',
    'myshopify.com',
    'steward.example.com',
    'STEWARD.example.com.',
    `${'a'.repeat(64)}.example.com`,
    `${'a.'.repeat(120)}example.com`,
    '.',
    ' ',
  ])
    test(`is none in ${JSON.stringify(given).slice(0, 40)}`, async () =>
      assert.equal(await read(given), 'host_not_valid'));

  test('is read from a header with or without a port, in any case, with a dot at its end', () => {
    for (const header of ['shop.example.com', 'SHOP.example.com:443', 'shop.example.com.', 'shop.example.com.:8080'])
      assert.equal(nameIn(header), 'shop.example.com');
    for (const header of [
      '',
      'localhost:8080',
      '127.0.0.1:8080',
      '[::1]:8080',
      'shop.example.com:x',
      'shop.example.com:443:1',
      'shop.example.com:443@evil',
      'a b.example.com',
      'shop.example.com/..',
      `${'a.'.repeat(10_000)}com`,
    ])
      assert.equal(nameIn(header), undefined, header.slice(0, 40));
  });
});
