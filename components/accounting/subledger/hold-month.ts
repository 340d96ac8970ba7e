import { sql, sqlState, type TenantTransaction } from '@steward/sql';
import { booksFail } from '../errors.ts';

/** Keeps a month open until the transaction ends, for what is dated in it and posts nothing. @throws Problem `period_closed` (409) */
export async function holdMonth(tx: TenantTransaction, day: string): Promise<void> {
  try {
    await tx.query(sql`select accounting.hold_month(${day}::date)`);
  } catch (cause) {
    if (sqlState(cause) !== 'AC001') throw cause;
    throw booksFail('period_closed', `The month of ${day} is closed: choose a later date, or reopen it.`, { cause });
  }
}
