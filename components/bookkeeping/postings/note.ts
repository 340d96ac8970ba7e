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

/** What brought something about, and what that belongs to. */
export interface Cause {
  readonly id: string;
  readonly correlationId?: string | undefined;
}

/** Notes what is due, each once for its source: a repetition changes nothing. */
export async function noteDue(tx: TenantTransaction, cause: Cause, due: readonly Due[]): Promise<void> {
  for (const { orderId, kind, sourceId } of due)
    await tx.query(sql`
      insert into bookkeeping.posting (tenant_id, posting_id, order_id, kind, source_id, cause_id, correlation_id)
      values (${tx.context.tenant}::uuid, ${newId()}::uuid, ${orderId}::uuid, ${kind}, ${sourceId}::uuid, ${cause.id}::uuid,
        ${cause.correlationId ?? null})
      on conflict on constraint posting_once do nothing`);
}
