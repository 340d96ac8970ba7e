import { hash } from 'node:crypto';

/**
 * A tree of RFC 6962 section 2.1, fed leaf by leaf: it keeps one hash a level, never the leaves. A tree that is told
 * an index beforehand also answers with that leaf's inclusion path.
 */
export class MerkleTree {
  /** Of the full subtree at each level for which `size` has a bit. */
  readonly #full: Buffer[] = [];
  readonly #watched: number;
  readonly #path: Buffer[] = [];
  readonly #leaf = Buffer.alloc(33);
  #size = 0;

  /** `watched`: the leaf whose inclusion path is wanted. */
  constructor(watched = -1) {
    this.#watched = watched;
  }

  get size(): number {
    return this.#size;
  }

  /** `leafData`: 32 bytes, or any others for the lines of the platform's days. */
  add(leafData: Uint8Array): void {
    let node: Buffer = this.#hashLeaf(leafData);
    let block = this.#size;
    let watched = this.#size >= this.#watched ? this.#watched : -1;
    let level = 0;
    for (; block % 2 === 1; level += 1) {
      const left = this.#full[level] as Buffer;
      if (watched === block) this.#path.push(left);
      else if (watched === block - 1) this.#path.push(node);
      node = hashChildren(left, node);
      block = (block - 1) / 2;
      watched = watched < 0 ? -1 : Math.floor(watched / 2);
    }
    this.#full[level] = node;
    this.#size += 1;
  }

  /** 32 bytes. The tree can grow further afterwards. */
  root(): Buffer {
    return this.#close([]);
  }

  /**
   * From the leaf to the root.
   * @throws RangeError when the tree has no leaf of that index
   */
  path(): Buffer[] {
    if (this.#watched < 0 || this.#watched >= this.#size) throw new RangeError('the tree has no such leaf');
    const path = [...this.#path];
    this.#close(path);
    return path;
  }

  /** Joins the full subtrees from the right to the left; what the watched leaf meets on its way goes to `path`. */
  #close(path: Buffer[]): Buffer {
    let right: Buffer | undefined;
    let start = this.#size;
    for (let level = 0, rest = this.#size; rest > 0; level += 1, rest = Math.floor(rest / 2)) {
      if (rest % 2 === 0) continue;
      const left = this.#full[level] as Buffer;
      const wasAt = start;
      start -= 2 ** level;
      if (right !== undefined) {
        if (this.#watched >= wasAt) path.push(left);
        else if (this.#watched >= start) path.push(right);
      }
      right = right === undefined ? left : hashChildren(left, right);
    }
    return right ?? hash('sha256', '', 'buffer');
  }

  #hashLeaf(data: Uint8Array): Buffer {
    const bytes = data.length === 32 ? this.#leaf : Buffer.alloc(data.length + 1);
    bytes.set(data, 1);
    return hash('sha256', bytes, 'buffer');
  }
}

/** From the leaf to the root. @throws RangeError when there is no leaf of that index */
export function inclusionPath(leaves: Iterable<Uint8Array>, index: number): Buffer[] {
  const tree = new MerkleTree(index);
  for (const leaf of leaves) tree.add(leaf);
  return tree.path();
}

/** The root that the path leads to (RFC 9162 section 2.1.3.2); undefined where index, size and path do not fit. */
export function rootFromPath(
  leafData: Uint8Array,
  index: number,
  size: number,
  path: readonly Uint8Array[],
): Buffer | undefined {
  if (!Number.isSafeInteger(index) || !Number.isSafeInteger(size) || index < 0 || index >= size) return undefined;
  let node: Buffer = hash('sha256', Buffer.concat([Buffer.of(0), leafData]), 'buffer');
  let at = index;
  let last = size - 1;
  for (const sibling of path) {
    if (last === 0) return undefined;
    if (at % 2 === 1 || at === last) {
      node = hashChildren(sibling, node);
      while (at % 2 === 0 && at !== 0) {
        at /= 2;
        last = Math.floor(last / 2);
      }
    } else {
      node = hashChildren(node, sibling);
    }
    at = Math.floor(at / 2);
    last = Math.floor(last / 2);
  }
  return last === 0 ? node : undefined;
}

const children = Buffer.alloc(65, 1);

function hashChildren(left: Uint8Array, right: Uint8Array): Buffer {
  children.set(left, 1);
  children.set(right, 33);
  return hash('sha256', children, 'buffer');
}
