import assert from 'node:assert/strict';
import test from 'node:test';
import { rowsOfCsv } from './csv.ts';

test('what the server writes as CSV is read as it was', () => {
  const file =
    'section,description,\r\noutstanding,"Rent, ""two"" months\r\nof spring",1.00\r\n,,\r\n"""",",",last\r\n';
  assert.deepEqual(rowsOfCsv(file), [
    ['section', 'description', ''],
    ['outstanding', 'Rent, "two" months\r\nof spring', '1.00'],
    ['', '', ''],
    ['"', ',', 'last'],
  ]);
  assert.deepEqual(rowsOfCsv(''), []);
});
