import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { readEmail } from './email.ts';
import { readName } from './name.ts';
import { isCountry, readPhone } from './phone.ts';

describe('an e-mail address', () => {
  for (const [given, key] of [
    ['Ada@Example.COM', 'ada@example.com'],
    ['\u200b ada@example.com\r\n', 'ada@example.com'],
    ['Ä@ex.de', 'ä@ex.de'],
    ['A\u0308@EX.DE', 'ä@ex.de'],
    ['ada+news@example.com', 'ada+news@example.com'],
    ['a.d.a@gmail.com', 'a.d.a@gmail.com'],
    ['ada@müller.de', 'ada@xn--mller-kva.de'],
    ['ada@XN--MLLER-KVA.de', 'ada@xn--mller-kva.de'],
    ['用户@例え。jp', '用户@xn--r8jz45g.jp'],
    ['δοκιμής@παράδειγμα.gr', 'δοκιμήσ@xn--hxajbheg2az3al.gr'],
    ["o'neil@example.ie", "o'neil@example.ie"],
    ['docomo..user.@docomo.ne.jp', 'docomo..user.@docomo.ne.jp'],
    [`${'a'.repeat(64)}@example.com`, `${'a'.repeat(64)}@example.com`],
  ] as const)
    test(`${JSON.stringify(given)} is ${key}`, () => {
      assert.equal(readEmail(given)?.key, key);
    });

  for (const given of [
    '',
    '@',
    'ada',
    'ada@',
    '@example.com',
    'ada@localhost',
    'ada@127.0.0.1',
    'ada@[127.0.0.1]',
    'ada@0x7f.1',
    'ada@a%41.com',
    'ada@ex_ample.com',
    'ada@-example.com',
    'ada@example..com',
    'ada@example.com.',
    'ada@exa mple.com',
    'ad a@example.com',
    '"ada l"@example.com',
    'ada@b@example.com',
    'Ada <ada@example.com>',
    'ada@example.com\r\nBcc: x@y.z',
    'ada\u0000@example.com',
    'a\u202eda@example.com',
    'ada\ud800@example.com',
    `${'a'.repeat(65)}@example.com`,
    `${'ä'.repeat(33)}@example.com`,
    `ada@${`${'a'.repeat(63)}.`.repeat(4)}com`,
    'x'.repeat(1_000_000),
  ])
    test(`${JSON.stringify(given.slice(0, 40))} is none`, () => {
      assert.equal(readEmail(given), undefined);
    });

  test('look-alikes are other mailboxes', () => {
    const keys = ['mike@ex.com', 'mıke@ex.com', 'mіke@ex.com', 'm.ike@ex.com'].map((given) => readEmail(given)?.key);
    assert.equal(new Set(keys).size, 4);
  });

  test('whatever is accepted is its own normal form', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.emailAddress(),
          fc.string({ unit: 'grapheme' }).map((text) => `${text}@Ex.Com`),
        ),
        (given) => {
          const read = readEmail(given);
          if (read === undefined) return;
          assert.deepEqual(readEmail(read.address), read);
          assert.equal(readEmail(read.key)?.key, read.key);
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe('a phone number', () => {
  for (const [given, country, kept] of [
    ['030 123456', 'DE', '+4930123456'],
    ['+49 (0)30 123456', undefined, '+4930123456'],
    ['0049 30 123456', 'DE', '+4930123456'],
    ['(415) 555-2671', 'US', '+14155552671'],
    ['415.555.2671 x123', 'US', '+14155552671;ext=123'],
    ['+1 415 555 2671', 'DE', '+14155552671'],
    ['+1 (555) 123-4567', undefined, '+15551234567'],
    ['03-1234-5678', 'JP', '+81312345678'],
    ['０３－１２３４－５６７８', 'JP', '+81312345678'],
    ['+81 90-1234-5678', undefined, '+819012345678'],
    ['55 1234 5678', 'MX', '+525512345678'],
    ['+52 1 55 1234 5678', undefined, '+525512345678'],
    ['tel:+4930123456', undefined, '+4930123456'],
    ['+447700900123', undefined, '+447700900123'],
    ['+4930123456;ext=7', undefined, '+4930123456;ext=7'],
  ] as const)
    test(`${given} in ${country ?? 'no country'} is ${kept}`, () => {
      assert.equal(readPhone(given, country), kept);
      assert.equal(readPhone(kept), kept, 'and that is its own normal form');
    });

  for (const [given, country] of [
    ['030 123456', undefined],
    ['030 123456', 'XX'],
    ['112', 'DE'],
    ['+49 1', undefined],
    ['+999 123456789', undefined],
    ['call me +4930123456', undefined],
    ['+1 800 FLOWERS', undefined],
    ['+4930123456;ext=12345678901234567890', undefined],
    ['+4930123456\r\n+4930123457', undefined],
    ['1'.repeat(100_000), 'DE'],
    ['', 'DE'],
  ] as const)
    test(`${JSON.stringify(given.slice(0, 40))} in ${country ?? 'no country'} is none`, () => {
      assert.equal(readPhone(given, country), undefined);
    });

  test('a country is one that has a numbering plan', () => {
    assert.deepEqual(['DE', 'JP', 'de', 'ZZ', '', 'constructor'].map(isCountry), [
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
  });
});

describe('a name', () => {
  test('is shown as given, and compared without case, width and doubled spaces', () => {
    assert.deepEqual(readName('  Ada  King\u00a0LOVELACE '), {
      text: 'Ada  King\u00a0LOVELACE',
      key: 'ada king lovelace',
    });
    assert.equal(readName('Ａｄａ')?.key, 'ada');
    assert.equal(readName('Jose\u0301')?.key, readName('José')?.key);
  });

  test('is something to see, on one line, of up to 200 characters', () => {
    for (const given of ['', ' \u200b ', 'a\nb', 'a\u0000', 'a\u202eb', '\ud83d', 'x'.repeat(201)])
      assert.equal(readName(given), undefined, JSON.stringify(given.slice(0, 20)));
    assert.notEqual(readName('👩‍🚀'.repeat(40)), undefined);
    // A joiner that shapes letters is no disguise.
    assert.notEqual(readName('علی\u200cرضا'), undefined);
  });
});
