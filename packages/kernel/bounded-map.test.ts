import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BoundedMap } from './bounded-map.ts';

test('a bounded map lets go of what came first, and of nothing before it is full', () => {
  const map = new BoundedMap<string | undefined, number>(2).set(undefined, 0).set('a', 1).set(undefined, 2);
  assert.deepEqual(
    [...map],
    [
      [undefined, 2],
      ['a', 1],
    ],
  );
  map.set('b', 3);
  assert.deepEqual(
    [...map],
    [
      ['a', 1],
      ['b', 3],
    ],
  );
});

test('so it does whatever was taken out of it, put back or cleared meanwhile', () => {
  const most = 20;
  const map = new BoundedMap<number, number>(most);
  let plain: number[] = [];
  for (let step = 0; step < 20_000; step += 1) {
    const key = (step * 7919) % 61;
    if (step % 5_000 === 4_999) {
      map.clear();
      plain = [];
    } else if (step % 3 === 0) {
      map.delete(key);
      plain = plain.filter((one) => one !== key);
    } else {
      map.set(key, step);
      if (!plain.includes(key)) plain = [...plain, key].slice(-most);
    }
    assert.deepEqual([...map.keys()], plain);
  }
});
