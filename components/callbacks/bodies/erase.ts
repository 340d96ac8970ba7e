import { sql, type TenantTransaction } from '@steward/sql';
import { soughtBy } from './mentions.ts';

/**
 * Erases what providers sent that names somebody: at once where it is settled, and once it is carried out where it still waits. Status, ids and what
 * became of it stay; it cannot be carried out again.
 * @param texts ids, and e-mail addresses and telephone numbers
 * @returns how many deliveries
 */
export async function eraseBodies(tx: TenantTransaction, texts: readonly string[]): Promise<number> {
  if (texts.length === 0) return 0;
  const [row] = await tx.query<{ erased: number }>(
    sql`select callbacks.erase_bodies(${soughtBy(tx.context.tenant, texts)}::bytea[]) as erased`,
  );
  return row?.erased ?? 0;
}
