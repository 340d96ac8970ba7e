import pg from 'pg';
import { Connections } from './connection/connections.ts';
import { Gate, type Share } from './connection/gate.ts';
import { hostsOf } from './connection/hosts.ts';
import { busy, despiteCuts, isCut, noteCut, ofCommit, tellsOfOthers, translate, unavailable } from './translate.ts';
import { fly } from './flight.ts';
import type { Statement } from './statement.ts';

export type Row = Record<string, unknown>;

export interface PoolOptions {
  /** Several hosts after commas: the one that takes writes. */
  readonly url: string;
  /** Connections at most. */
  readonly size?: number;
  /** By the server; on our side as long again, five seconds at most, after which the connection is given up. 0: none. */
  readonly statementMilliseconds?: number;
  /** Keeps its connections, however old, where nobody needs them for a while. */
  readonly lasting?: boolean;
  readonly onError?: (error: Error) => void;
}

/** Connections are shared fairly by tenant where `share` says whose work it is; without it, it is the platform's own. */
export interface SqlPool extends AsyncDisposable {
  /**
   * Statements in one round trip and one implicit transaction; the rows of each.
   * @throws Problem `outcome_unknown` (503) where they were sent and no answer came
   */
  fly(statements: readonly Statement[], share?: Share): Promise<Row[][]>;
  /**
   * The same for what may run twice, such as reading: goes on with another connection where the one lent was cut, and where
   * none can be had it is `unavailable`.
   */
  readAll(statements: readonly Statement[], share?: Share): Promise<Row[][]>;
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
  withClient<T>(use: (client: pg.Client) => Promise<T>, share?: Share): Promise<T>;
  /** Turns held and waited for; connections idle and lent. */
  readonly counts: {
    readonly held: number;
    readonly waiting: number;
    readonly idle: number;
    readonly lent: number;
  };
  close(): Promise<void>;
}

/** bigint columns are read as JS bigint: a double would round them. */
const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === 20
      ? (value: string) => BigInt(value)
      : (pg.types.getTypeParser(oid, format as 'text') as (value: string) => unknown),
} as pg.CustomTypesConfig;

/** How long a turn is waited for, in milliseconds: who waits for heavy work expects it to take a while. */
const waits = { light: 10_000, heavy: 30_000 };

const platform: Share = {};

/** @throws Problem `unavailable` (503) from every call while the database cannot be reached */
export function openPool(options: PoolOptions): SqlPool {
  const gate = new Gate(options.size ?? 12);
  const connections = new Connections(
    hostsOf(options.url),
    { applicationName: 'steward', statementMilliseconds: options.statementMilliseconds ?? 15_000, types },
    { lasting: options.lasting ?? false, onError: (error) => options.onError?.(error) },
  );
  const lend = async (share: Share): Promise<pg.Client> => {
    const wait = share.heavy === true ? waits.heavy : waits.light;
    try {
      await gate.enter(share, wait);
    } catch (error) {
      throw busy(error);
    }
    try {
      return await connections.take(wait);
    } catch (error) {
      gate.leave(share);
      throw unavailable(error);
    }
  };
  const judged = (error: unknown, client: pg.Client): unknown => {
    const translated = translate(error);
    noteCut(error, translated);
    if (tellsOfOthers(error)) connections.distrust(client);
    return translated;
  };
  let users = 0;
  let closed = false;
  const unused = Promise.withResolvers<void>();
  const withClient: SqlPool['withClient'] = async (use, share = platform) => {
    if (closed) throw unavailable(new Error('the pool was closed'));
    users += 1;
    try {
      return await lent(use, share);
    } finally {
      users -= 1;
      if (closed && users === 0) unused.resolve();
    }
  };
  const lent = async <T>(use: (client: pg.Client) => Promise<T>, share: Share): Promise<T> => {
    const client = await lend(share);
    let broken = false;
    const onError = (): void => {
      broken = true;
    };
    client.on('error', onError);
    try {
      return await use(client);
    } catch (error) {
      const translated = judged(error, client);
      if (translated !== error) broken = true;
      throw translated;
    } finally {
      client.off('error', onError);
      connections.give(client, broken);
      gate.leave(share);
    }
  };
  const close = async (): Promise<void> => {
    closed = true;
    connections.close();
    if (users > 0) await unused.promise;
  };
  const pipeline: SqlPool['pipeline'] = async (use) =>
    withClient(async (client) => {
      // pg reads this property at each query; its types know it only as an option.
      const piped = client as { pipeline: boolean };
      piped.pipeline = true;
      let unanswered = 0;
      try {
        return await use(async <R extends Row>(one: Statement) => {
          unanswered += 1;
          try {
            return ((await fly(client, [one]))[0] ?? []) as R[];
          } catch (error) {
            if (isCut(error)) client.emit('error', error as Error);
            throw ofCommit(judged(error, client));
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
  const readAll: SqlPool['readAll'] = async (statements, share) =>
    despiteCuts(async () => withClient(async (client) => (await fly(client, statements)) as Row[][], share));
  const writeAll: SqlPool['fly'] = async (statements, share) => {
    let sent = false;
    try {
      return await withClient(async (client) => {
        sent = true;
        return (await fly(client, statements)) as Row[][];
      }, share);
    } catch (error) {
      throw sent ? ofCommit(error) : error;
    }
  };
  return {
    withClient,
    pipeline,
    fly: writeAll,
    readAll,
    query: async <T extends Row>(one: Statement) => ((await writeAll([one]))[0] ?? []) as T[],
    read: async <T extends Row>(one: Statement) => ((await readAll([one]))[0] ?? []) as T[],
    get counts() {
      return { ...gate.counts, ...connections.counts };
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
