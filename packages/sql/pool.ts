import pg from 'pg';
import { despiteCuts, noteCut, translate, unavailable } from './translate.ts';
import { fly } from './flight.ts';
import type { Statement } from './statement.ts';

export type Row = Record<string, unknown>;

export interface PoolOptions {
  readonly url: string;
  /** Connections at most. */
  readonly size?: number;
  readonly statementMilliseconds?: number;
  readonly onError?: (error: Error) => void;
}

export interface SqlPool extends AsyncDisposable {
  /** Statements in one round trip and one implicit transaction; the rows of each. */
  fly(statements: readonly Statement[]): Promise<Row[][]>;
  /** The same for what may run twice, such as reading: goes on with another connection where the one lent was cut. */
  readAll(statements: readonly Statement[]): Promise<Row[][]>;
  /** One statement; its rows. */
  query<T extends Row = Row>(statement: Statement): Promise<T[]>;
  /** The same for what may run twice. */
  read<T extends Row = Row>(statement: Statement): Promise<T[]>;
  /**
   * A connection of one's own on which statements may be sent before earlier ones are answered; each is a transaction,
   * and they run in the order sent.
   */
  pipeline<T>(use: (send: <R extends Row>(statement: Statement) => Promise<R[]>) => Promise<T>): Promise<T>;
  /** A connection of one's own for the time of `use`. */
  withClient<T>(use: (client: pg.PoolClient) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** bigint columns are read as JS bigint: a double would round them. */
const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === 20
      ? (value: string) => BigInt(value)
      : (pg.types.getTypeParser(oid, format as 'text') as (value: string) => unknown),
} as pg.CustomTypesConfig;

/** A connection may fail twice, the second time when it has been given up: without a listener that would end the process. */
const ignore = (): void => undefined;

/** @throws Problem `unavailable` (503) from every call while the database cannot be reached */
export function openPool(options: PoolOptions): SqlPool {
  const timeout = options.statementMilliseconds ?? 15_000;
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.size ?? 12,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    application_name: 'steward',
    options: `-c statement_timeout=${timeout} -c lock_timeout=10000 -c idle_in_transaction_session_timeout=30000 -c timezone=UTC`,
    types,
  });
  pool.on('connect', (client) => client.on('error', ignore));
  let closing: Promise<void> | undefined;
  // Connections that are being given up may outlast the pool by a moment, and so meet the end of the server.
  pool.on('error', (error) => {
    if (closing === undefined) options.onError?.(error);
  });
  const withClient = async <T>(use: (client: pg.PoolClient) => Promise<T>): Promise<T> => {
    let client: pg.PoolClient;
    try {
      client = await pool.connect();
    } catch (error) {
      throw unavailable(error);
    }
    let broken: Error | undefined;
    const onError = (error: Error): void => {
      broken = error;
    };
    client.on('error', onError);
    try {
      return await use(client);
    } catch (error) {
      const translated = translate(error);
      noteCut(error, translated);
      if (translated !== error) broken ??= translated as Error;
      throw translated;
    } finally {
      client.off('error', onError);
      client.release(broken);
    }
  };
  const close = async (): Promise<void> => {
    closing ??= pool.end();
    await closing;
  };
  const pipeline: SqlPool['pipeline'] = async (use) =>
    withClient(async (client) => {
      // pg reads this property at each query; its types know it only as an option.
      const piped = client as pg.PoolClient & { pipeline: boolean };
      piped.pipeline = true;
      let unanswered = 0;
      try {
        return await use(async <R extends Row>(one: Statement) => {
          unanswered += 1;
          try {
            return ((await fly(client, [one]))[0] ?? []) as R[];
          } catch (error) {
            throw translate(error);
          } finally {
            unanswered -= 1;
          }
        });
      } finally {
        piped.pipeline = false;
        // Whoever came next would wait behind these: the connection is given up.
        if (unanswered > 0) client.emit('error', new Error('the pipeline was left with statements unanswered'));
      }
    });
  const all: SqlPool['fly'] = async (statements) =>
    withClient(async (client) => (await fly(client, statements)) as Row[][]);
  const query: SqlPool['query'] = async <T extends Row>(one: Statement) => ((await all([one]))[0] ?? []) as T[];
  return {
    withClient,
    pipeline,
    fly: all,
    readAll: async (statements) => despiteCuts(async () => all(statements)),
    query,
    read: async (one) => despiteCuts(async () => query(one)),
    close,
    [Symbol.asyncDispose]: close,
  };
}
