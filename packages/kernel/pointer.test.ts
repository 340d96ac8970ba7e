import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jsonPointer } from './pointer.ts';

test('a pointer escapes what divides it, and cuts long keys where it is told to', () => {
  assert.equal(jsonPointer([]), '');
  assert.equal(jsonPointer(['a/b', '~1', '']), '/a~1b/~01/');
  assert.equal(jsonPointer(['abc', '~~~'], 2), '/ab/~0~0');
});
