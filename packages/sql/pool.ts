import pg from 'pg';
import { Connections } from './connection/connections.ts';
import { FairSemaphore, type Workload } from './connection/fair-semaphore.ts';
import { hostsOf } from './connection/hosts.ts';
import {
  busy,
  despiteCuts,
  isCut,
  isUndone,
  noteCut,
  ofCommit,
  tellsOfOthers,
  translate,
  unavailable,
} from './translate.ts';
import { queryAll } from './query-all.ts';
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

/** Connections are shared fairly by tenant where `workload` says whose work it is; without it, it is the platform's own. */
export interface SqlPool extends AsyncDisposable {
  /**
   * Statements in one round trip and one implicit transaction; the rows of each.
   * @throws Problem `outcome_unknown` (503) where they were sent and no answer came
   */
  queryAll(statements: readonly Statement[], workload?: Workload): Promise<Row[][]>;
  /**
   * The same for work that may run twice, such as reading: continues on another connection if the lent one was cut. If there is
   * no connection, it throws `unavailable`.
   */
  readAll(statements: readonly Statement[], workload?: Workload): Promise<Row[][]>;
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
  withClient<T>(use: (client: pg.Client) => Promise<T>, workload?: Workload): Promise<T>;
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

const platform: Workload = {};

/** @throws Problem `unavailable` (503) from every call while the database cannot be reached */
export function openPool(options: PoolOptions): SqlPool {
  const turns = new FairSemaphore(options.size ?? 12);
  const connections = new Connections(
    hostsOf(options.url),
    { applicationName: 'steward', statementMilliseconds: options.statementMilliseconds ?? 15_000, types },
    { lasting: options.lasting ?? false, onError: (error) => options.onError?.(error) },
  );
  const lend = async (workload: Workload): Promise<pg.Client> => {
    const wait = workload.heavy === true ? waits.heavy : waits.light;
    try {
      await turns.acquire(workload, wait);
    } catch (error) {
      throw busy(error);
    }
    try {
      return await connections.take(wait);
    } catch (error) {
      turns.release(workload);
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
  const withClient: SqlPool['withClient'] = async (use, workload = platform) => {
    if (closed) throw unavailable(new Error('the pool was closed'));
    users += 1;
    try {
      return await lent(use, workload);
    } finally {
      users -= 1;
      if (closed && users === 0) unused.resolve();
    }
  };
  const lent = async <T>(use: (client: pg.Client) => Promise<T>, workload: Workload): Promise<T> => {
    const client = await lend(workload);
    let broken = false;
    const onError = (): void => {
      broken = true;
    };
    client.on('error', onError);
    try {
      return await use(client);
    } catch (error) {
      const translated = judged(error, client);
      if (translated !== error && !isUndone(error)) broken = true;
      throw translated;
    } finally {
      client.off('error', onError);
      connections.give(client, broken);
      turns.release(workload);
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
            return ((await queryAll(client, [one]))[0] ?? []) as R[];
          } catch (error) {
            if (isCut(error)) client.emit('error', error as Error);
            throw ofCommit(judged(error, client));
          } finally {
            unanswered -= 1;
          }
        });
      } finally {
        piped.pipeline = false;
        // The next user would wait behind these, so the connection is closed.
        if (unanswered > 0) client.emit('error', new Error('the pipeline was left with statements unanswered'));
      }
    });
  const readAll: SqlPool['readAll'] = async (statements, workload) =>
    despiteCuts(async () => withClient(async (client) => (await queryAll(client, statements)) as Row[][], workload));
  const writeAll: SqlPool['queryAll'] = async (statements, workload) => {
    let sent = false;
    try {
      return await withClient(async (client) => {
        sent = true;
        return (await queryAll(client, statements)) as Row[][];
      }, workload);
    } catch (error) {
      throw sent ? ofCommit(error) : error;
    }
  };
  return {
    withClient,
    pipeline,
    queryAll: writeAll,
    readAll,
    query: async <T extends Row>(one: Statement) => ((await writeAll([one]))[0] ?? []) as T[],
    read: async <T extends Row>(one: Statement) => ((await readAll([one]))[0] ?? []) as T[],
    get counts() {
      return { ...turns.counts, ...connections.counts };
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
