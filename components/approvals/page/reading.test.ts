import assert from 'node:assert/strict';
import { test } from 'node:test';
import { labelOf, namesIn, piecesOf } from './reading.js';

const id = '018f2b3c-0000-7000-8000-000000000001';
const other = '018f2b3c-0000-7000-8000-000000000002';
const called = namesIn([
  { id, name: 'Fjord Ltd' },
  { id: other, name: null },
]);

test('an id that is shown by a name is called what it names, and an id otherwise', () => {
  assert.equal(labelOf('party_id', id, called), 'Party');
  assert.equal(labelOf('party_id', id.toUpperCase(), called), 'Party');
  assert.equal(labelOf('party_id', other, called), 'Party id');
  assert.equal(labelOf('party_id', null, called), 'Party id');
  assert.equal(labelOf('tax_id', 'DE123456789', called), 'Tax id');
  assert.equal(labelOf('id', id, called), 'Id');
});

test('a column is called so where each of its values is shown by a name', () => {
  assert.equal(labelOf('document_id', [id, null], called), 'Document');
  assert.equal(labelOf('document_id', [id, other], called), 'Document id');
});

test('a character that nobody sees is named, whatever its kind', () => {
  const shown = (said: string) =>
    piecesOf(said)
      .map(({ text, hidden }) => (hidden ? `[${text}]` : text))
      .join('');
  assert.equal(shown('Fjord\u202e Ltd\u200b'), 'Fjord[U+202E] Ltd[U+200B]');
  // Marks that join, select or separate, which are no format characters, and a blank that is no space.
  assert.equal(
    shown('Fj\u034ford\ufe0f Ltd\u{e0100}\u180b\u17b4'),
    'Fj[U+034F]ord[U+FE0F] Ltd[U+E0100][U+180B][U+17B4]',
  );
  assert.equal(shown('\u2800\u3164'), '[U+2800][U+3164]');
  assert.equal(shown('1\ufe0f00'), '1[U+FE0F]00');
});

test('what looks like a space or a letter beside it, and is another, is named', () => {
  const shown = (said: string) =>
    piecesOf(said)
      .map(({ text, hidden }) => (hidden ? `[${text}]` : text))
      .join('');
  assert.equal(shown('Acme\u2007Ltd'), 'Acme[U+2007]Ltd');
  assert.equal(shown('\u0410cme Ltd, P\u0430ypal'), '\u0410[U+0410]cme Ltd, P\u0430[U+0430]ypal');
  assert.equal(shown('\u0391cme Ltd, G\u03bfogle'), '\u0391[U+0391]cme Ltd, G\u03bf[U+03BF]ogle');
  assert.equal(shown('\uff21cme'), '\uff21[U+FF21]cme');
  assert.equal(shown('\u0410\u0421\u041c\u0415 Ltd'), '\u0410[U+0410]\u0421[U+0421]\u041c[U+041C]\u0415[U+0415] Ltd');
  assert.equal(shown('\u2160\u0392\u039c'), '\u2160\u0392[U+0392]\u039c[U+039C]');
  // Words of one alphabet, whichever, and what people and programs write between figures and words.
  for (const said of [
    'Акме Ltd',
    'Ünïcode Ω 10 μm',
    '1\u202f000,00\u00a0€',
    '山田\u3000太郎',
    'Мир-Trade',
    'Сахар и соль',
    'Αθήνα ΑΕ',
    'ＡＢＣ株式会社',
    '第Ⅱ期',
    '',
  ])
    assert.deepEqual(piecesOf(said), [{ text: said, hidden: false }]);
});

test('a picture keeps what says how it is drawn, once', () => {
  const love = 'With \u2764\ufe0f, \u{1f3d6}\ufe0f';
  assert.deepEqual(piecesOf(love), [{ text: love, hidden: false }]);
  assert.deepEqual(
    piecesOf('\u2764\ufe0f\ufe0f').filter(({ hidden }) => hidden),
    [{ text: 'U+FE0F', hidden: true }],
  );
});
