import { sql, type TenantTransaction } from '@steward/sql';
import { actorOf, announceChanged } from '../levels/book.ts';
import type { Mode } from '../words.ts';

/** Releases all that the holder has reserved, if anything: a checkout that ended, an order with nothing left to ship. */
export async function release(tx: TenantTransaction, { holder }: { readonly holder: string }): Promise<void> {
  const rows = await tx.query<{ o_mode: Mode; o_item: string }>(
    sql`select o_mode, o_item from stock.release(${holder}::uuid, ${actorOf(tx)})`,
  );
  for (const [mode, own] of Map.groupBy(rows, ({ o_mode: mode }) => mode))
    announceChanged(
      tx,
      mode,
      own.map(({ o_item: item }) => item),
    );
}
