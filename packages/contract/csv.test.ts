import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
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
  ['\t=1', "'\t=1"],
  ['\r=1', `"'\r=1"`],
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
});
