import type pg from 'pg';
import { queryAll } from './query-all.ts';
import type { Workload } from './connection/fair-semaphore.ts';
import type { Row, SqlPool } from './pool.ts';
import { sql, type Statement } from './statement.ts';
import { cutAndRested, ofCommit, undoneAndRested } from './translate.ts';

export interface Transaction {
  readonly client: pg.Client;
  /** Queries that are asked for at once, without waiting in between, travel together; where one fails, so do all of them. */
  query<T extends Row = Row>(statement: Statement): Promise<T[]>;
  /** In one round trip and in order, each seeing what was committed when it begins; the rows of each. */
  queryAll(statements: readonly Statement[]): Promise<Row[][]>;
  /**
   * Sends a statement with the next query or with the commit, for what answers nothing that is waited for. Where it fails,
   * so does what it travels with.
   */
  later(statement: Statement): void;
  /** Sends what waits for the next query, where something does. */
  flush(): Promise<void>;
  /** Whether a statement failed and no savepoint was gone back to: PostgreSQL would answer the commit by undoing everything. */
  isLost(): Promise<boolean>;
  /** Calls `then` once the commit is confirmed, and never when the transaction is undone. It must not throw. */
  afterCommit(then: () => void): void;
}

const begin = sql`begin`;
const commit = sql`commit`;
const anything = sql`select 1`;

/** A statement failed and its sender continued as if it had not: nothing of the transaction can be committed. */
export class StatementFailed extends Error {
  override readonly name = 'StatementFailed';
}

export interface TransactionOptions {
  /** Whose work it is; the platform's where it is left out. */
  readonly workload?: Workload;
  /** Nobody looks at the rows of `opening`: it travels with the first query of `work`, which is called at once. */
  readonly unseen?: boolean;
}

/**
 * Runs `work` between begin and commit; `opening` travels with the begin, and `work` gets its rows.
 * Deadlocks and serialization failures are tried again, and so is a transaction whose connection was cut before the commit was sent:
 * `work` must have no effect outside the transaction.
 * @throws Problem `outcome_unknown` (503) where the commit was sent and no answer came, `unavailable` (503) where it was undone time and again
 * @throws StatementFailed where `work` returned although a statement of it had failed
 */
export async function inTransaction<T>(
  pool: SqlPool,
  opening: readonly Statement[],
  work: (tx: Transaction, opened: Row[][]) => Promise<T>,
  options: TransactionOptions = {},
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    let committing = false;
    const commits = (): void => {
      committing = true;
    };
    try {
      return await pool.withClient(async (client) => once(client, opening, work, commits, options), options.workload);
    } catch (error) {
      if (await undoneAndRested(error, attempt)) continue;
      if (committing) throw ofCommit(error);
      if (!(await cutAndRested(error, attempt))) throw error;
    }
  }
}

async function once<T>(
  client: pg.Client,
  opening: readonly Statement[],
  work: (tx: Transaction, opened: Row[][]) => Promise<T>,
  commits: () => void,
  { unseen = false }: TransactionOptions,
): Promise<T> {
  const waiting: Statement[] = [begin, ...opening];
  let begun = false;
  let failed = false;
  let departing: Promise<Row[][]> | undefined;
  const send = async (...more: readonly Statement[]): Promise<Row[][]> => {
    begun = true;
    try {
      return (await queryAll(client, [...waiting.splice(0), ...more])) as Row[][];
    } catch (error) {
      failed = true;
      throw error;
    }
  };
  const ask = async (statements: readonly Statement[]): Promise<Row[][]> => {
    const at = waiting.length;
    waiting.push(...statements);
    // In a microtask, so before whatever follows the end of the work.
    departing ??= Promise.resolve().then(async () => {
      departing = undefined;
      return send();
    });
    return (await departing).slice(at, at + statements.length);
  };
  const isLost = async (): Promise<boolean> => {
    if (!failed) return false;
    // The answer to the failed statement arrives before the connection's state, so only another statement shows it.
    failed = await queryAll(client, [anything]).then(
      () => false,
      () => true,
    );
    return failed;
  };
  try {
    const [, ...opened] = unseen ? [] : await send();
    const committed: (() => void)[] = [];
    const tx: Transaction = {
      client,
      query: async <R extends Row>(one: Statement) => ((await ask([one]))[0] ?? []) as R[],
      queryAll: async (statements) => (statements.length === 0 ? [] : ask(statements)),
      later: (one) => waiting.push(one),
      flush: async () => {
        if (waiting.length > 0) await ask([]);
      },
      isLost,
      afterCommit: (then) => committed.push(then),
    };
    const result = await work(tx, opened);
    if (await isLost()) throw new StatementFailed();
    commits();
    await send(commit);
    for (const then of committed) then();
    return result;
  } catch (error) {
    if (begun) await client.query('rollback').catch(() => undefined);
    throw error;
  }
}
