import { sql, type TenantTransaction } from '@steward/sql';
import { announcement, event } from '../events.ts';
import type { Reason } from '../words.ts';
import { setWebhook, termsOf, type Webhook } from './webhook.ts';

/** A webhook that the transaction holds sends nothing any more: what is announced waits (`paused`), or is not for it (`disabled`). */
export async function stopWebhook(
  tx: TenantTransaction,
  webhookId: string,
  status: 'paused' | 'disabled',
  reason: Reason,
): Promise<Webhook> {
  const after = await setWebhook(tx, webhookId, 'status = $3, reason = $4, status_at = clock_timestamp()', [
    status,
    reason,
  ]);
  await tx.query(sql`select deliveries.set_running(${webhookId}::uuid, false)`);
  const about = { subject: webhookId, causationId: tx.record(event(`deliveries.endpoint.${status}`, termsOf(after))) };
  tx.publish(announcement(`deliveries.endpoint.${status}`, { webhookId, reason }, about));
  return after;
}
