/** What a target was seen to enforce when it was asked, by trying. Part of every manifest. */
export interface Powers {
  readonly kind: 'file' | 's3';
  /** A stored object cannot be replaced under its name, or its stored version cannot be removed. */
  readonly writeOnce: boolean;
  /** By what: such as `link`, `link+immutable`, `object-lock-compliance`, `none`. */
  readonly by: string;
  /** More that was tried, by name. */
  readonly tried: Readonly<Record<string, boolean>>;
}

/** One stored version of an object, or the mark of a deletion, newest first in a history. */
export interface Version {
  /** Undefined where the target has no versions. */
  readonly version: string | undefined;
  readonly deleteMarker: boolean;
  readonly bytes: number;
}

/**
 * What is to be stored: bytes in memory, or a finished file on the local disk that nobody writes to any more. A file target may
 * make the file itself the object: it becomes read-only, and its name stays the caller's to unlink.
 * `sha256` (hex) is what the writer computed while writing: it is believed, saves a reading, and what was stored is compared with it.
 */
export type Source = Buffer | { readonly file: string; readonly sha256?: string };

/** Where sealed days are kept. Paths are relative, with `/` between the parts. */
export interface ArchiveTarget extends AsyncDisposable {
  /** For people and logs; without credentials. */
  readonly address: string;
  /**
   * Asks, by trying, what the target enforces.
   * @throws Error whose message says what to do, where the target cannot be reached or written to
   */
  probe(): Promise<Powers>;
  /**
   * Stores an object once, reads it back and compares. Identical bytes that are there already are success; an object
   * half written, or stored by a call whose answer was lost, is healed. With several identical versions the oldest counts.
   * @returns the version that holds the bytes, undefined where the target has none
   * @throws ArchiveConflict when other bytes are there: never rewritten
   */
  put(path: string, source: Source): Promise<string | undefined>;
  /**
   * The bytes of the named version, else of the oldest, which is the one that counts whatever was laid on top of it; undefined where
   * there is no such object or version. What ends before its announced end throws.
   * @param most bytes that it may have: what is larger is not read
   * @throws ArchiveConflict where it is larger, or no plain file
   */
  read(path: string, most: number, version?: string): Promise<AsyncIterable<Buffer> | undefined>;
  /** All paths that begin with `prefix`, in the order of their bytes. Objects that are hidden by a delete marker count too. */
  list(prefix: string): AsyncIterable<string>;
  /** Every version and delete marker of one object, newest first; empty where there is none. */
  history(path: string): Promise<readonly Version[]>;
  /** Removes an object whose time has come. @throws Error where the target still protects it */
  expire(path: string): Promise<void>;
}

/** Manifests, checkpoints and notes: nobody needs to write one that is larger. */
export const mostOfSmall = 1 << 20;

/** Other bytes are where these were to be stored: an alarm, never mended by overwriting. */
export class ArchiveConflict extends Error {
  override readonly name = 'ArchiveConflict';
  readonly path: string;
  constructor(path: string, detail: string) {
    super(`The archive holds other bytes at ${path}: ${detail}.`);
    this.path = path;
  }
}
