import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csvRow } from './csv.ts';

test('cells that a spreadsheet would run become text; numbers stay numbers', () => {
  assert.equal(csvRow(['=1+1', '+1', '-12.50', '-12,5', '@a', '\tb', 'c']), `'=1+1,'+1,-12.50,"'-12,5",'@a,'\tb,c\r\n`);
});

test('what splits cells or rows is quoted', () => {
  assert.equal(csvRow(['a,b', 'say "x"', 'two\nlines', null, undefined, '']), '"a,b","say ""x""","two\nlines",,,\r\n');
});
