import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '@steward/kernel';
import { readCsv } from './files/csv.ts';
import { sortLines } from './known.ts';

test('a line that was kept with a word for no reference is known by a file that is read without it', async () => {
  const kept = {
    id: newId(),
    day: '2026-03-13',
    amount: 8880n,
    description: 'Order 7',
    counterparty: null,
    reference: 'NOTPROVIDED',
    bankId: `line:${'0'.repeat(32)}`,
    format: 'csv',
  };
  const file = await readCsv('Date;Amount;Text;Reference\n2026-03-13;88.80;Order 7;NOTPROVIDED\n', 'EUR');
  const { fresh, skipped } = await sortLines(file, 'csv', [kept], new Set());
  assert.deepEqual([fresh.length, skipped[0]?.reason, skipped[0]?.lineId], [0, 'known', kept.id]);
});
