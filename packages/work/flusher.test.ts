import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFlusher } from './flusher.ts';

test('what is remembered is written again and again, past a failure, and once more at a stop', async () => {
  const third = Promise.withResolvers<void>();
  const failures: unknown[] = [];
  let flushed = 0;
  const flusher = createFlusher({
    every: 1,
    flush: async () => {
      flushed += 1;
      if (flushed === 1) throw new Error('not now');
      if (flushed === 3) third.resolve();
    },
    failed: (error) => failures.push(error),
  });
  flusher.start();
  await third.promise;
  const stopping = flusher.stop();
  const before = flushed;
  await stopping;
  assert.ok(flushed > before, 'nothing was written at the stop');
  assert.equal(failures.length, 1);
});
