import { createHash } from 'node:crypto';
import { fail } from '@steward/kernel';
import { sql, type TenantTransaction } from '@steward/sql';
import { z } from 'zod';

/** A key that a caller chooses: the same key and content again answers with what was made. */
export const callerKey = z.string().min(1).max(400).optional();

/**
 * The id that belongs to a caller's key, and whether this transaction is the one that creates the row with it. Waits for
 * another transaction that does so at this moment.
 * @throws Problem `idempotency_conflict` (409) where the key was used for something else
 */
export async function claimKey(
  tx: TenantTransaction,
  noun: 'document' | 'payment',
  key: string,
  content: unknown,
): Promise<{ readonly id: string; readonly mine: boolean }> {
  const { tenant } = tx.context;
  const id = idOf(`accounting.${noun}\n${tenant}\n${key}`);
  const digest = createHash('sha256').update(JSON.stringify(content)).digest('hex');
  const mine = await tx.query(sql`
    insert into accounting.entry_key (tenant_id, entry_id, digest) values (${tenant}::uuid, ${id}::uuid, ${digest})
    on conflict do nothing returning entry_id`);
  if (mine.length > 0) return { id, mine: true };
  const [kept] = await tx.query<{ digest: string }>(sql`
    select digest from accounting.entry_key where tenant_id = ${tenant}::uuid and entry_id = ${id}::uuid`);
  if (kept?.digest !== digest)
    throw fail('idempotency_conflict', `This key was used for another ${noun}: choose a new key for a new ${noun}.`);
  return { id, mine: false };
}

/** A UUID of version 8 (RFC 9562) that follows from a text. */
function idOf(text: string): string {
  const bytes = createHash('sha256').update(text).digest();
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
