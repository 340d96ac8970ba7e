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

/** Releases all that these have reserved. Items are locked first, in the order of ids, as by whoever reserves several. */
export async function releaseAll(tx: TenantTransaction, holders: readonly string[]): Promise<void> {
  const { tenant } = tx.context;
  const held = await tx.query<{ holder_id: string; item_id: string }>(sql`
    select holder_id, item_id from stock.reservation where tenant_id = ${tenant}::uuid and holder_id = any (${holders}::uuid[])`);
  if (held.length === 0) return;
  await tx.query(sql`
    select from stock.item where tenant_id = ${tenant}::uuid and item_id = any (${held.map(({ item_id: id }) => id)}::uuid[])
    order by item_id for no key update`);
  for (const holder of new Set(held.map(({ holder_id: id }) => id))) await release(tx, { holder });
}
