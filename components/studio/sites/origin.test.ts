import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { country } from './country.ts';
import { normalOrigin } from './origin.ts';

describe('an allowed origin', () => {
  const same: [text: string, origin: string][] = [
    ['https://shop.example.com', 'https://shop.example.com'],
    ['https://shop.example.com/', 'https://shop.example.com'],
    ['HTTPS://Shop.Example.COM:443', 'https://shop.example.com'],
    ['https://shop.example.com:8443', 'https://shop.example.com:8443'],
    ['https://münchen.example', 'https://xn--mnchen-3ya.example'],
    ['https://[2001:db8::1]:8443', 'https://[2001:db8::1]:8443'],
    ['http://localhost:5173', 'http://localhost:5173'],
    ['http://127.0.0.1', 'http://127.0.0.1'],
    ['http://[::1]:3000', 'http://[::1]:3000'],
    ['http://LOCALHOST:80', 'http://localhost'],
  ];
  for (const [text, origin] of same)
    test(`${JSON.stringify(text)} is ${origin}`, () => assert.equal(normalOrigin(text), origin));

  for (const text of [
    '',
    'null',
    '*',
    'shop.example.com',
    '//shop.example.com',
    'https://*.example.com',
    'https://*',
    'https://',
    'http://shop.example.com',
    'http://localhost.example.com',
    'http://localhost@example.com',
    'https://user@shop.example.com',
    'https://user:pass@shop.example.com',
    'https://shop.example.com/path',
    'https://shop.example.com//',
    'https://shop.example.com?x',
    'https://shop.example.com#x',
    'https://shop.example.com\\@evil.example',
    'https:/shop.example.com',
    'https:shop.example.com',
    'https://shop.example.com.',
    'https://a..example',
    'https://.example',
    'https://a,b.example',
    "https://a'b.example",
    'https://a;b.example',
    'https://shop.exa\tmple.com',
    'https://shop.exa\nmple.com',
    ' https://shop.example.com',
    'https://shop.example.com ',
    'https://shop%2eexample.com',
    'https://shop.example.com:99999',
    'https://shop.example.com:0x50',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'data:text/html,x',
    'ftp://shop.example.com',
    'chrome-extension://abcdefghijklmnop',
    `https://${'a'.repeat(260)}.example`,
  ])
    test(`${JSON.stringify(text.slice(0, 50))} is none`, () => assert.equal(normalOrigin(text), undefined));
});

test('countries are those that ISO 3166 assigns', () => {
  const names = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });
  let known = 0;
  for (const first of 'ABCDEFGHIJKLMNOPQRSTUVWXYZ')
    for (const second of 'ABCDEFGHIJKLMNOPQRSTUVWXYZ') {
      if (!country.safeParse(first + second).success) continue;
      known += 1;
      assert.notEqual(names.of(first + second), undefined, first + second);
    }
  assert.equal(known, 249);
  for (const wrong of ['EU', 'UK', 'XX', 'ZZ', 'de', 'DEU', '']) assert.ok(!country.safeParse(wrong).success, wrong);
});
