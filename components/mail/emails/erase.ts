import { sql, type TenantTransaction } from '@steward/sql';
import { keyDigest } from './email.ts';

/**
 * Takes emails with these keys away that wait or were given up; answers how many. One that a mail server is being handed at
 * this moment may still arrive. Such a key is free again: whoever must not write it once more sees to that.
 */
export async function eraseEmails(tx: TenantTransaction, keys: readonly string[]): Promise<number> {
  if (keys.length === 0) return 0;
  const [row] = await tx.query<{ gone: number }>(sql`
    select mail.erase(array(select decode(k, 'hex') from unnest(${keys.map(keyDigest)}::text[]) k)) as gone`);
  return row?.gone ?? 0;
}
