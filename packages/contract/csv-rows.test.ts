import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { csvRows } from './csv-rows.ts';

describe('rows of a CSV file', () => {
  test('have the line that they begin on, after cells with line breaks and empty lines', async () => {
    for (const end of ['\n', '\r\n', '\r']) {
      const text = ['a,b', '"x', 'y', '",2', '', '"q', 'z",3', ',', 'last,4'].join(end);
      assert.deepEqual(
        (await csvRows(text, ',')).map(({ line, cells }) => [line, cells.length, cells[1]]),
        [
          [1, 2, 'b'],
          [2, 2, '2'],
          [6, 2, '3'],
          [9, 2, '4'],
        ],
      );
    }
  });

  test('keep characters that the pieces of a long file part', async () => {
    const cell = `a${'😀'.repeat(9_000)}`;
    assert.deepEqual(await csvRows(cell, ','), [{ line: 1, cells: [cell] }]);
  });

  test('are refused with the line of a quote that is never closed', async () => {
    await assert.rejects(csvRows('a,b\n"c,d\n', ','), /line 2: a quote/);
  });
});
