import { asItWas, operation } from '@steward/access';
import { outboxEnd } from '@steward/bus';
import { makerOf } from '@steward/identity';
import { sql, type TenantTransaction } from '@steward/sql';
import { z } from 'zod';
import { deliveriesFail } from '../errors.ts';
import { announcement, event } from '../events.ts';
import { decides } from '../operations.ts';
import type { DeliveriesPorts } from '../ports.ts';
import { byWebhook, hasSecret, holdWebhook, setWebhook, termsOf, webhook, type Webhook } from './webhook.ts';

/**
 * What waited is sent, slowly at first. One that was disabled gets what is announced from now on. A person decides it: one may have stopped it.
 * @throws Problem `not_found` (404), `webhook_disabled` (409) where nobody has its secret yet
 */
export const resumeWebhook = operation(
  {
    ...decides,
    name: 'service_resume_webhook',
    input: z.strictObject(byWebhook),
    answer: webhook.answer,
    errors: ['insufficient_role', 'not_found', 'webhook_disabled'],
  },
  async (scope, { webhookId }, ports: DeliveriesPorts) =>
    scope.write(async (tx) => {
      const before = await holdWebhook(tx, webhookId);
      if (before.status === 'active') return asItWas(before);
      if (
        before.reason === 'secret_missing' ||
        (before.reason === 'shut_out_stopped' && !(await hasSecret(tx, before)))
      )
        throw deliveriesFail(
          'webhook_disabled',
          'Nobody has its secret yet: a person makes it on its page or with POST /api/webhooks/{webhookId}/secret, which also begins to send.',
        );
      return runWebhook(tx, ports, webhookId);
    }),
);

/** A webhook that the transaction holds sends from the commit on. */
export async function runWebhook(
  tx: TenantTransaction,
  ports: Pick<DeliveriesPorts, 'changed'>,
  webhookId: string,
): Promise<Webhook> {
  // Of what was announced while it was disabled, some may still be on its way to the queues.
  const end = await outboxEnd({ read: tx.query });
  const { by, byType, through } = makerOf(tx.context);
  // Where a client that was shut out made it, whoever lets it send again is its maker: shutting out that client again leaves it.
  const after = await setWebhook(
    tx,
    webhookId,
    `begins_after = case status when 'disabled' then $3::bigint else begins_after end, status = 'active', reason = null,
     status_at = clock_timestamp(), created_by = case when reason in ('client_shut_out', 'shut_out_stopped') then $4 else created_by end,
     created_by_type = case when reason in ('client_shut_out', 'shut_out_stopped') then $5 else created_by_type end,
     created_through = case when reason in ('client_shut_out', 'shut_out_stopped') then $6 else created_through end`,
    [end, by, byType, through],
  );
  await tx.query(sql`select deliveries.set_running(${webhookId}::uuid, true)`);
  const causationId = tx.record(event('deliveries.endpoint.resumed', termsOf(after)));
  tx.publish(announcement('deliveries.endpoint.resumed', { webhookId }, { subject: webhookId, causationId }));
  tx.afterCommit(() => ports.changed(tx.context.tenant, webhookId));
  return after;
}
