import { hash } from 'node:crypto';

/** 32 bytes, one a character: hashing into a string costs a third of hashing into a buffer. */
type Node = string;

/**
 * A tree of RFC 6962 section 2.1, fed leaf by leaf: it keeps one hash a level, never the leaves. With an index given
 * beforehand, it also answers that leaf's inclusion path.
 */
export class MerkleTree {
  /** Of the full subtree at each level for which `size` has a bit. */
  readonly #full: Node[] = [];
  readonly #watched: number;
  readonly #path: Node[] = [];
  #size = 0;

  /** `watched`: the leaf whose inclusion path to answer. */
  constructor(watched = -1) {
    this.#watched = watched;
  }

  get size(): number {
    return this.#size;
  }

  /** `leafData`: 32 bytes, or any others for the lines of the platform's days. */
  add(leafData: Uint8Array): void {
    let node = hashLeaf(leafData);
    let block = this.#size;
    let watched = this.#size >= this.#watched ? this.#watched : -1;
    let level = 0;
    for (; block % 2 === 1; level += 1) {
      const left = this.#full[level] as Node;
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
    return bytesOf(this.#close([]));
  }

  /**
   * From the leaf to the root.
   * @throws RangeError when the tree has no leaf of that index
   */
  path(): Buffer[] {
    if (this.#watched < 0 || this.#watched >= this.#size) throw new RangeError('the tree has no such leaf');
    const path = [...this.#path];
    this.#close(path);
    return path.map(bytesOf);
  }

  /** Joins the full subtrees from the right to the left; what the watched leaf meets on its way goes to `path`. */
  #close(path: Node[]): Node {
    let right: Node | undefined;
    let start = this.#size;
    for (let level = 0, rest = this.#size; rest > 0; level += 1, rest = Math.floor(rest / 2)) {
      if (rest % 2 === 0) continue;
      const left = this.#full[level] as Node;
      const wasAt = start;
      start -= 2 ** level;
      if (right !== undefined) {
        if (this.#watched >= wasAt) path.push(left);
        else if (this.#watched >= start) path.push(right);
      }
      right = right === undefined ? left : hashChildren(left, right);
    }
    return right ?? hash('sha256', '', 'binary');
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
  let node = hashLeaf(leafData);
  let at = index;
  let last = size - 1;
  for (const sibling of path) {
    if (last === 0) return undefined;
    if (at % 2 === 1 || at === last) {
      node = hashChildren(nodeOf(sibling), node);
      while (at % 2 === 0 && at !== 0) {
        at /= 2;
        last = Math.floor(last / 2);
      }
    } else {
      node = hashChildren(node, nodeOf(sibling));
    }
    at = Math.floor(at / 2);
    last = Math.floor(last / 2);
  }
  return last === 0 ? bytesOf(node) : undefined;
}

const leaf = Buffer.alloc(33);
const children = Buffer.alloc(65, 1);

function hashLeaf(data: Uint8Array): Node {
  const bytes = data.length === 32 ? leaf : Buffer.alloc(data.length + 1);
  bytes.set(data, 1);
  return hash('sha256', bytes, 'binary');
}

function hashChildren(left: Node, right: Node): Node {
  children.write(left, 1, 'binary');
  children.write(right, 33, 'binary');
  return hash('sha256', children, 'binary');
}

const bytesOf = (node: Node): Buffer => Buffer.from(node, 'binary');
const nodeOf = (bytes: Uint8Array): Node => Buffer.from(bytes).toString('binary');
