/** A file of the console, as it is served. */
export interface Asset {
  readonly type: string;
  readonly bytes: Buffer;
  readonly gzip?: Buffer | undefined;
  readonly brotli?: Buffer | undefined;
}

/** What the console was built to. */
export interface Assets {
  /** The page that all of its addresses begin with. */
  readonly html: string;
  /** By name, which changes with what is in them. */
  readonly files: ReadonlyMap<string, Asset>;
  /** GraphQL documents by name. */
  readonly documents: ReadonlyMap<string, string>;
}

/** Undefined: this process has none. They may be built by who asks first, and then take seconds. */
export type LoadAssets = () => Promise<Assets | undefined>;
