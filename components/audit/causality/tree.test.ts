import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { arrange, type Link } from './tree.ts';

/** Events by id with their causes, in the order of the sequence. */
const links = (causes: Readonly<Record<string, string | undefined>>): Link[] =>
  Object.entries(causes).map(([id, causalId], index) => ({
    id,
    type: 'a.b',
    sequence: index + 1,
    occurredAt: '2026-03-01T10:00:00.000Z',
    receivedAt: '2026-03-01T10:00:00.000Z',
    principalChain: [],
    causalId,
  }));
/** `id`, indented by its depth, below its parent. */
const drawn = (causes: Readonly<Record<string, string | undefined>>): string[] =>
  arrange(links(causes)).map(
    ({ id, depth, parentId }) => `${' '.repeat(depth)}${id}${parentId === undefined ? '' : `<${parentId}`}`,
  );

describe('a causality tree', () => {
  test('puts each event before what it caused, siblings in order', () => {
    assert.deepEqual(drawn({ a: undefined, b: 'a', c: 'a', d: 'b', e: undefined }), [
      'a',
      ' b<a',
      '  d<b',
      ' c<a',
      'e',
    ]);
  });

  test('takes a cause that was received later', () => {
    assert.deepEqual(drawn({ a: 'c', b: 'a', c: undefined }), ['c', ' a<c', '  b<a']);
  });

  test('makes a root of an event whose cause is elsewhere, and keeps the name of it', () => {
    assert.deepEqual(drawn({ a: 'elsewhere', b: 'a' }), ['a', ' b<a']);
    assert.equal(arrange(links({ a: 'elsewhere' }))[0]?.causalId, 'elsewhere');
  });

  test('cuts a circle before its first event, and loses none', () => {
    assert.deepEqual(drawn({ a: 'a' }), ['a']);
    assert.deepEqual(drawn({ a: 'c', b: 'a', c: 'b' }), ['a', ' b<a', '  c<b']);
    assert.deepEqual(drawn({ t: 'b', a: 'c', b: 'a', c: 'b' }), ['a', ' b<a', '  t<b', '  c<b']);
    assert.deepEqual(drawn({ a: 'b', b: 'a', c: 'd', d: 'c', e: 'd' }), ['a', ' b<a', 'c', ' d<c', '  e<d']);
  });

  test('names the children of each', () => {
    const [root] = arrange(links({ a: undefined, b: 'a', c: 'a' }));
    assert.deepEqual(root?.children, ['b', 'c']);
  });

  test('holds a thousand causes in a row, and any knot of them', () => {
    const row = Object.fromEntries(
      Array.from({ length: 1_000 }, (_, n) => [`n${n}`, n === 0 ? undefined : `n${n - 1}`]),
    );
    assert.equal(arrange(links(row)).at(-1)?.depth, 999);
    for (let seed = 1; seed <= 50; seed += 1) {
      const knot = Object.fromEntries(
        Array.from({ length: 60 }, (_, n) => [`n${n}`, `n${(n * 7 * seed + seed * seed) % 61}`]),
      );
      const branches = arrange(links(knot));
      assert.deepEqual(branches.map(({ id }) => id).toSorted(), Object.keys(knot).toSorted());
      for (const { id, parentId } of branches) if (parentId !== undefined) assert.equal(knot[id], parentId);
    }
  });
});
