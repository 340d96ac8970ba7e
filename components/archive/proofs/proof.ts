import type { PlacedEvent } from './placed.ts';

/** One event's proof, as docs/guides/audit-archive.md has it. */
export interface Proof extends PlacedEvent {
  readonly format: 'steward-audit-proof/1';
  /** `YYYY-MM-DD` */
  readonly day: string;
  readonly leafIndex: number;
  readonly treeSize: number;
  /** From the leaf to the root. */
  readonly path: readonly string[];
  /** The signed note. */
  readonly checkpoint: string;
  /** The notes of all signing keys, the first one's first: a reader who trusts one of them follows them to the others. */
  readonly keys: readonly string[];
}

/**
 * The same as a C2SP tlog-proof (https://c2sp.org/tlog-proof), for tools that do not know Steward. Its reader
 * supplies the entry, which is the 32 bytes of the row hash.
 */
export function tlogProof({ leafIndex, path, checkpoint }: Proof): string {
  const hashes = path.map((hash) => `${Buffer.from(hash, 'hex').toString('base64')}\n`);
  return `c2sp.org/tlog-proof@v1\nindex ${leafIndex}\n${hashes.join('')}\n${checkpoint}`;
}
