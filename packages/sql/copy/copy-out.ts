import pg from 'pg';

/** The part of pg's connection that a copy speaks to. Pinned to pg 8.23 (ADR 3). */
interface Wire {
  readonly stream: { pause(): void; resume(): void; destroy(): void };
}

export interface CopyOut {
  /** Settles when every row has been handed over. */
  readonly over: Promise<void>;
  /** Rows that have been read already still come. */
  pause(): void;
  resume(): void;
  /** Gives the connection up. */
  cancel(reason: unknown): void;
}

const BaseQuery = pg.Query as unknown as new (
  config: { text: string },
  values: undefined,
  callback: (error: Error | null) => void,
) => object;

/** `PGCOPY\n\xff\r\n\0`, flags, and the length of an extension. */
const headerBytes = 19;

class CopyQuery extends BaseQuery {
  readonly #onRow: (row: Buffer) => void;
  readonly #onFault: (error: unknown) => void;
  #begun = false;
  #over = false;

  constructor(
    text: string,
    onRow: (row: Buffer) => void,
    onFault: (error: unknown) => void,
    callback: (error: Error | null) => void,
  ) {
    super({ text }, undefined, callback);
    this.#onRow = onRow;
    this.#onFault = onFault;
  }

  /** pg calls this for each message of the server: one a row, the first with the header before it. */
  handleCopyData({ chunk }: { readonly chunk: Buffer }): void {
    if (this.#over) return;
    let row = chunk;
    if (!this.#begun) {
      this.#begun = true;
      row = chunk.subarray(headerBytes + chunk.readUInt32BE(headerBytes - 4));
    }
    // The trailer counts -1 fields.
    if (row.length < 2 || row.readInt16BE(0) < 0) return;
    try {
      this.#onRow(row);
    } catch (error) {
      this.#over = true;
      this.#onFault(error);
    }
  }
}

/**
 * The rows of a query as COPY (FORMAT binary) gives them: the number of fields (int16), then each with its length
 * (int32, -1 is null). A row's bytes are pg's own and only good until `onRow` returns.
 */
export function copyOut(client: pg.Client, select: string, onRow: (row: Buffer) => void): CopyOut {
  const { stream } = (client as unknown as { connection: Wire }).connection;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const cancel = (reason: unknown): void => {
    reject(reason);
    stream.destroy();
  };
  const query = new CopyQuery(`copy (${select}) to stdout (format binary)`, onRow, cancel, (error) => {
    if (error === null) resolve();
    else reject(error);
  });
  client.query(query as unknown as pg.Submittable);
  return { over: promise, pause: () => stream.pause(), resume: () => stream.resume(), cancel };
}
