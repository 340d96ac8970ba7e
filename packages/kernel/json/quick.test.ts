import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from './inspect.ts';
import { surelySound } from './quick.ts';

/** A deterministic draw, so that a failure can be seen again. */
function draws(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const draw = draws(7);
const scalars = [
  '"a"',
  '""',
  '":"',
  '"{["',
  '1',
  '-1.5',
  '123456789012345',
  '1234567890123456',
  '1e5',
  '12345678901234567890',
  'true',
  'null',
  '"\\n"',
  '"\\ud800"',
];
const keys = ['"a"', '"b"', '"c"', '"d"', '""', '":"', '"__proto__"', '"a" ', '"\\u0061"'];

function text(depth: number): string {
  const kind = draw(10);
  if (depth > 5 || kind < 4) return scalars[draw(scalars.length)] ?? '';
  const members = Array.from({ length: draw(5) }, () => {
    const member = text(depth + 1);
    return kind < 7 ? member : `${keys[draw(keys.length)]}:${member}`;
  });
  return kind < 7 ? `[${members.join(', ')}]` : `{${members.join()}}`;
}

test('what is quickly found sound, the closer look finds sound too', () => {
  let sound = 0;
  for (let round = 0; round < 50_000; round += 1) {
    const body = text(0);
    if (!surelySound(body, JSON.parse(body), 4)) continue;
    sound += 1;
    assert.equal(inspect(body, 4), undefined, body);
  }
  assert.ok(sound > 10_000);
});

test('a key given twice is never sound, whatever stands between', () => {
  for (const body of [
    '{"a":1,"a":1}',
    '{"a":1,"a" :1}',
    '{"a":{"b":1},"a":{"b":1}}',
    '{"a":":","a":1}',
    '{"__proto__":1,"__proto__":2}',
    '[{"a":1},{"a":1,"b":2,"a":3}]',
  ]) {
    assert.equal(surelySound(body, JSON.parse(body), 32), false, body);
  }
});
