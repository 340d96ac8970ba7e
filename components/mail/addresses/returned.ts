import { sql, type SqlPool } from '@steward/sql';
import type { Refusal } from '../sending/sender.ts';

/** Emails a round. */
const most = 100;

/** Notes that a sent email came back; false where there is none of this id any more, or it came back before. */
export async function noteReturned(pool: Pick<SqlPool, 'query'>, emailId: string): Promise<boolean> {
  const [row] = await pool.query<{ marked: boolean }>(sql`select mail.return_letter(${emailId}::uuid) as marked`);
  return row?.marked === true;
}

/** Reports emails that came back, each before its address is erased; answers how many. */
export async function reportReturned(
  pool: Pick<SqlPool, 'query'>,
  refused: (refusal: Refusal) => Promise<void>,
): Promise<number> {
  const rows = await pool.query<{ tenant_id: string; letter_id: string; address: string }>(
    sql`select tenant_id, letter_id, encode(address, 'hex') as address from mail.returned(${most})`,
  );
  for (const { tenant_id: tenant, letter_id, address } of rows) {
    await refused({ tenant, address, reason: 'came_back', stops: true });
    await pool.query(sql`select mail.tell_returned(${tenant}::uuid, ${letter_id}::uuid)`);
  }
  return rows.length;
}
