import { newId } from '@steward/kernel';
import { sql, type TenantTransaction } from '@steward/sql';
import type { Kind } from '../words.ts';

/** Something that is due in the books. */
export interface Due {
  /** Null: of goods that no order moved. */
  readonly orderId: string | null;
  readonly kind: Kind;
  readonly sourceId: string;
}

/** Notes what is due, each once for its source: a repetition changes nothing. */
export async function noteDue(tx: TenantTransaction, causeId: string, due: readonly Due[]): Promise<void> {
  for (const { orderId, kind, sourceId } of due)
    await tx.query(sql`
      insert into bookkeeping.posting (tenant_id, posting_id, order_id, kind, source_id, cause_id)
      values (${tx.context.tenant}::uuid, ${newId()}::uuid, ${orderId}::uuid, ${kind}, ${sourceId}::uuid, ${causeId}::uuid)
      on conflict on constraint posting_once do nothing`);
}
