import type pg from 'pg';
import { fly } from './flight.ts';
import type { Row, SqlPool } from './pool.ts';
import { sql, type Statement } from './statement.ts';
import { cutAndRested, sqlState } from './translate.ts';

export interface Transaction {
  readonly client: pg.PoolClient;
  query<T extends Row = Row>(statement: Statement): Promise<T[]>;
  /** In one round trip and in order, each seeing what was committed when it begins; the rows of each. */
  queryAll(statements: readonly Statement[]): Promise<Row[][]>;
  /** Calls `then` once the commit is confirmed, and never when the transaction is undone. It must not throw. */
  afterCommit(then: () => void): void;
}

const begin = sql`begin`;
const commit = sql`commit`;

/** 40001 and 40P01: the database undid everything and asks for another try. */
const retryable = new Set(['40001', '40P01']);

/**
 * Runs `work` between begin and commit; `opening` travels with the begin and its rows are handed to `work`.
 * Deadlocks and serialization failures are tried again, and so is what a cut connection ended before the commit was sent:
 * `work` must have no effect outside the transaction.
 */
export async function transact<T>(
  pool: SqlPool,
  opening: readonly Statement[],
  work: (tx: Transaction, opened: Row[][]) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    let committing = false;
    const commits = (): void => {
      committing = true;
    };
    try {
      return await pool.withClient(async (client) => once(client, opening, work, commits));
    } catch (error) {
      const undone = attempt < 3 && retryable.has(sqlState(error) ?? '');
      if (!undone && (committing || !(await cutAndRested(error, attempt)))) throw error;
    }
  }
}

async function once<T>(
  client: pg.PoolClient,
  opening: readonly Statement[],
  work: (tx: Transaction, opened: Row[][]) => Promise<T>,
  commits: () => void,
): Promise<T> {
  try {
    const [, ...opened] = (await fly(client, [begin, ...opening])) as Row[][];
    const committed: (() => void)[] = [];
    const tx: Transaction = {
      client,
      query: async <R extends Row>(one: Statement) => ((await fly(client, [one]))[0] ?? []) as R[],
      queryAll: async (statements) => (await fly(client, statements)) as Row[][],
      afterCommit: (then) => committed.push(then),
    };
    const result = await work(tx, opened);
    commits();
    await fly(client, [commit]);
    for (const then of committed) then();
    return result;
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}
