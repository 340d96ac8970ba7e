import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { runBySpreadsheet, separators } from '@steward/testing';
import { csvRow } from './csv.ts';

const cases: readonly [cell: string, written: string][] = [
  ['plain', 'plain'],
  ['=1+1', "'=1+1"],
  ['+1', "'+1"],
  ['-1', '-1'],
  ['-12.50', '-12.50'],
  ['-1+1', "'-1+1"],
  ['-12,5', `"'-12,5"`],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', `"'\t'=1"`],
  ['\ttab', `"'\ttab"`],
  ['\r=1', `"'\r'=1"`],
  [' =1+1', "' =1+1"],
  ['\u00a0=1', "'\u00a0=1"],
  ['\ufeff+1', "'\ufeff+1"],
  ['\u200b@a', "'\u200b@a"],
  ['\u3000\uff1d1', "'\u3000\uff1d1"],
  [' -4.50', "' -4.50"],
  ['a;=1+1', `"a;'=1+1"`],
  ['a; -1', `"a;' -1"`],
  ['a\t@b', `"a\t'@b"`],
  ['two\n- lines', `"two\n'- lines"`],
  ['a;"=1', `"a;'""=1"`],
  ['a,=1', '"a,=1"'],
  ['a;b', '"a;b"'],
  ['a = b - c', 'a = b - c'],
  ['=HYPERLINK("http://x","y")', `"'=HYPERLINK(""http://x"",""y"")"`],
  ['\uff1d1+1', "'\uff1d1+1"],
  ['\uff0b1', "'\uff0b1"],
  ['\uff0d1', "'\uff0d1"],
  ['\uff20SUM(A1)', "'\uff20SUM(A1)"],
  ['a,b', '"a,b"'],
  ['say "hi"', '"say ""hi"""'],
  ['two\nlines', '"two\nlines"'],
  ['a\u2028b', 'a\u2028b'],
  ['', ''],
];

describe('a cell of a CSV file', () => {
  for (const [cell, written] of cases)
    test(`writes ${JSON.stringify(cell)} as ${JSON.stringify(written)}`, () =>
      assert.equal(csvRow([cell]), `${written}\r\n`));

  test('is run by no spreadsheet, however it separates and whatever stands around the sign', () => {
    const blanks = [
      '',
      ' ',
      '\u00a0',
      '\ufeff',
      '\u200b',
      '\u3000',
      '\u00ad',
      '\0',
      '\u202e',
      '"',
      '""',
      ' "\u200b',
      '\t',
      '\v',
    ];
    const starts = ['', 'a', 'a"', '"'].flatMap((text) => [
      text,
      ...[...',;\t\r\n|'].map((sign) => `${text}${sign}`),
      `${text}\r\n`,
    ]);
    let naked = 0;
    for (const start of starts)
      for (const blank of blanks)
        for (const sign of '=+-@\uff1d\uff0b\uff0d\uff20')
          for (const end of ['1+1', '1;', '1"', '']) {
            const cell = `${start}${blank}${sign}${end}`;
            // Beside others that might open a quote or end one.
            const file = csvRow([cell]) + csvRow(['id', cell, 'a;', cell, '"', cell, cell]);
            for (const separator of separators) {
              assert.deepEqual(runBySpreadsheet(file, separator), [], JSON.stringify([cell, separator, file]));
              naked += runBySpreadsheet(`id,"${cell.replaceAll('"', '""')}"\r\n`, separator).length;
            }
          }
    assert.ok(naked > 1_000, `${naked} would have been run if they were only quoted`);
  });
});
