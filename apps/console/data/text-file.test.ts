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
