import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import { inclusionPath, MerkleTree, rootFromPath } from './merkle.ts';

// The reference leaves of the certificate-transparency project, the roots of the first 0–8 and published paths.
const leaves = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657', '606162636465666768696a6b6c6d6e6f'].map(
  (leaf) => Buffer.from(leaf, 'hex'),
);
const roots = [
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
];
const published = [
  { index: 0, size: 1, path: [] },
  {
    index: 0,
    size: 8,
    path: [
      '96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7',
      '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
      '6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4',
    ],
  },
  {
    index: 5,
    size: 8,
    path: [
      'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
      'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
      'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
    ],
  },
  { index: 2, size: 3, path: ['fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125'] },
  {
    index: 1,
    size: 5,
    path: [
      '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
      '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
      'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
    ],
  },
];

describe('the tree of RFC 6962', () => {
  test('has the published roots while it grows', () => {
    const tree = new MerkleTree();
    for (const [size, root] of roots.entries()) {
      assert.equal(tree.size, size);
      assert.equal(tree.root().toString('hex'), root);
      tree.add(leaves[size] ?? Buffer.of());
    }
  });

  test('has the published inclusion paths', () => {
    for (const { index, size, path } of published) {
      const found = inclusionPath(leaves.slice(0, size), index);
      assert.deepEqual(
        found.map((node) => node.toString('hex')),
        path,
      );
    }
  });

  test('is the one of the recursive definition, for every leaf of every size up to 70', () => {
    const many = Array.from({ length: 70 }, (_, at) => createHash('sha256').update(`leaf ${at}`).digest());
    for (let size = 0; size <= many.length; size += 1) {
      const some = many.slice(0, size);
      const root = defined(some);
      for (let index = 0; index < size; index += 1) {
        const path = inclusionPath(some, index);
        const leaf = some[index] as Buffer;
        assert.deepEqual(rootFromPath(leaf, index, size, path), root);
        assert.equal(rootFromPath(leaf, index, size, path.slice(1))?.equals(root) ?? false, path.length === 0);
        assert.ok(!rootFromPath(leaf, index, size, [...path, leaf])?.equals(root));
      }
    }
  });

  test('has no path for what it does not hold', () => {
    assert.throws(() => inclusionPath(leaves, 8), RangeError);
    assert.throws(() => new MerkleTree().path(), RangeError);
    for (const [index, size] of [
      [0, 0],
      [1, 1],
      [-1, 2],
      [0.5, 2],
    ] as const)
      assert.equal(rootFromPath(Buffer.of(), index, size, []), undefined);
  });
});

/** RFC 6962 section 2.1, word by word. */
function defined(some: readonly Buffer[]): Buffer {
  const digest = (...parts: readonly Buffer[]): Buffer => createHash('sha256').update(Buffer.concat(parts)).digest();
  if (some.length === 0) return digest();
  if (some.length === 1) return digest(Buffer.of(0), some[0] as Buffer);
  let half = 1;
  while (half * 2 < some.length) half *= 2;
  return digest(Buffer.of(1), defined(some.slice(0, half)), defined(some.slice(half)));
}
