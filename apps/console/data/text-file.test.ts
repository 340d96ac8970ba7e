import assert from 'node:assert/strict';
import { test } from 'node:test';
import { textOf } from './text-file.ts';

const text = 'Großhandel AG;-282,41\n';
const mark = '\uFEFF';

test('a file is read in the letters that it was written in, and its mark is no part of the text', async () => {
  const big = Buffer.from(mark + text, 'utf16le').swap16();
  for (const [name, bytes] of [
    ['UTF-8', Buffer.from(text)],
    ['UTF-8 with a mark', Buffer.from(mark + text)],
    ['UTF-16, the low byte first', Buffer.from(mark + text, 'utf16le')],
    ['UTF-16, the high byte first', big],
    ['ISO-8859-1', Buffer.from(text, 'latin1')],
  ] as const)
    assert.equal(await textOf(new Blob([bytes])), text, name);
});

test('signs that Windows alone has where ISO-8859-1 has none are read', async () => {
  const bytes = Buffer.from([0x80, 0x20, 0x93, 0xfc, 0x94]);
  assert.equal(await textOf(new Blob([bytes])), '€ “ü”');
});

test('a file of nothing, and one of letters of English alone, stay as they are', async () => {
  for (const plain of ['', 'Date,Amount\n']) assert.equal(await textOf(new Blob([plain])), plain);
});

/** As programs of Japan write it. */
function inShiftJis(words: string): Uint8Array<ArrayBuffer> {
  const decoder = new TextDecoder('shift_jis');
  const codes = new Map<string, readonly number[]>();
  for (let lead = 0x81; lead <= 0xfc; lead++)
    for (let trail = 0x40; trail <= 0xfc; trail++) {
      const one = decoder.decode(Uint8Array.of(lead, trail));
      if ([...one].length === 1 && !codes.has(one)) codes.set(one, [lead, trail]);
    }
  for (let half = 0xa1; half <= 0xdf; half++) codes.set(decoder.decode(Uint8Array.of(half)), [half]);
  return Uint8Array.from([...words].flatMap((one) => codes.get(one) ?? [one.charCodeAt(0)]));
}

test('a statement of a Japanese bank is read in its letters, and no text of Europe is taken for one', async () => {
  for (const japanese of [
    '年月日,お引出し,お預入れ,お取り扱い内容,残高\n',
    '日付,摘要,金額\n2026/3/2,ﾌﾘｺﾐ ﾔﾏﾀﾞ,"1,000"\n',
    '"取引日","入出金(円)"\n',
  ])
    assert.equal(await textOf(new Blob([inShiftJis(japanese)])), japanese);
  // Every two letters beyond English side by side, as words that begin, end and go on with them.
  const letters = Array.from({ length: 0x60 }, (_, at) => String.fromCharCode(0xa0 + at));
  for (const one of letters)
    for (const other of letters) {
      const european = `${one}a${other}${one}${other} ${other}t;1,00\n`;
      assert.equal(await textOf(new Blob([Buffer.from(european, 'latin1')])), european);
    }
});
