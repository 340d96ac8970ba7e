import { type Row, sql, sqlState, type Statement, type TenantTransaction } from '@steward/sql';
import { booksFail } from '../errors.ts';

/** A balance that an entry is going to move. */
export interface Movement {
  readonly accountId: string;
  readonly currency: string;
  readonly day: string;
}

/**
 * Locks, in one order for all, what several entries of this transaction are going to move. An entry holds the journal's
 * number until the end, so a second one must not wait for a balance that somebody else holds who waits for that number.
 * @throws Problem `period_closed` (409)
 */
export async function holdBalances(tx: TenantTransaction, movements: readonly Movement[]): Promise<void> {
  const days = movements.map(({ day }) => day);
  await dated(
    tx,
    sql`select accounting.hold_balances(${movements.map(({ accountId }) => accountId)}::uuid[],
      ${movements.map(({ currency }) => currency)}::text[], ${days}::date[])`,
    days.toSorted().join(', '),
  );
}

/** A statement that the database refuses where the months of its days are closed. @throws Problem `period_closed` (409) */
export async function dated(tx: TenantTransaction, statement: Statement, days: string): Promise<Row[]> {
  try {
    return await tx.query(statement);
  } catch (cause) {
    if (sqlState(cause) !== 'AC001') throw cause;
    throw booksFail('period_closed', `The month of ${days} is closed: choose a later date, or reopen it.`, { cause });
  }
}
