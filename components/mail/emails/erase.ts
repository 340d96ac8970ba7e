import { sql, type TenantTransaction } from '@steward/sql';
import { keyDigest } from './email.ts';

/**
 * Deletes emails with these keys that wait or were given up; answers how many. An email that a mail server receives at
 * this moment may still arrive. The keys are free again: a caller that must not write such an email again makes sure itself.
 */
export async function eraseEmails(tx: TenantTransaction, keys: readonly string[]): Promise<number> {
  if (keys.length === 0) return 0;
  const [row] = await tx.query<{ gone: number }>(sql`
    select mail.erase(array(select decode(k, 'hex') from unnest(${keys.map(keyDigest)}::text[]) k)) as gone`);
  return row?.gone ?? 0;
}
