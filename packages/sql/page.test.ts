import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { encodeCursor, page, parseCursor, decodeCursor } from './page.ts';

describe('a page of a list', () => {
  test('goes on after its last item where one more was found, and ends where none was', () => {
    const of = (rows: readonly number[]) =>
      page(
        rows,
        2,
        (row) => row * 10,
        (item, row) => `${item}.${row}`,
      );
    assert.deepEqual(of([1, 2, 3]), { items: [10, 20], nextCursor: '20.2' });
    assert.deepEqual(of([1, 2]), { items: [10, 20], nextCursor: null });
    assert.deepEqual(of([]), { items: [], nextCursor: null });
  });

  test('is asked for with a cursor as the list wrote it, of a day that there is', () => {
    const form = /^(\d{4}-\d{2}-\d{2})\.(.+)$/s;
    assert.deepEqual(parseCursor(decodeCursor(encodeCursor('2026-02-28.a')), form), ['2026-02-28', 'a']);
    for (const cursor of ['', 'x', '2026-02-30.a', '0000-01-01.a', '2026-13-01.a', '2026-02-28.\0'])
      assert.throws(() => parseCursor(cursor, form), { code: 'invalid_cursor', status: 400 });
    for (const cursor of [`${encodeCursor('s1')}=`, `${encodeCursor('s1')}!`, 'é', encodeCursor('s'.repeat(300))])
      assert.equal(decodeCursor(cursor), '', cursor);
  });
});
