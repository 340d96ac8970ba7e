import assert from 'node:assert/strict';
import { test } from 'node:test';
import { normalized } from './normalized.ts';
import { trimEnd, trimStart } from './trim.ts';

test('only what stands at an end is trimmed, all of it', () => {
  assert.deepEqual(
    ['0010', '000', '', '1', '10x'].map((text) => [trimEnd(text, '0'), trimStart(text, '0')]),
    [
      ['001', '10'],
      ['', ''],
      ['', ''],
      ['1', '1'],
      ['10x', '10x'],
    ],
  );
  assert.equal(trimStart(trimEnd(' \t a b\t ', ' \t'), ' \t'), 'a b');
});

test('texts are normalized as Unicode says, but for runs of marks that no script has', () => {
  const forms = ['NFC', 'NFD', 'NFKC', 'NFKD'] as const;
  for (const form of forms)
    for (const text of ['Ångström ﬁ Ⅷ 각 ṩ̣', `e${'\u0316\u0301'.repeat(15)}`, 'שׁ', ''])
      assert.equal(normalized(text, form), text.normalize(form));
  for (const marks of ['\u0316\u0301', '\u0344\u0316', '\u0315\u0300\u05ae']) {
    const long = `e${marks.repeat(100)}`;
    assert.notEqual(normalized(long, 'NFC'), long.normalize('NFC'));
    for (const form of forms) assert.equal(normalized(normalized(long, form), form), normalized(long, form));
  }
});
