import { operation } from '@steward/access';
import { sql } from '@steward/sql';
import { z } from 'zod';
import { deliveriesFail } from '../errors.ts';
import { event } from '../events.ts';
import { changes } from '../operations.ts';
import type { DeliveriesPorts } from '../ports.ts';
import { byWebhook, holdWebhook, webhook } from './webhook.ts';

/**
 * Removes a webhook with its secrets, and what waits for it.
 * @throws Problem `not_found` (404), `webhook_of_agent` (409)
 */
export const deleteWebhook = operation(
  {
    ...changes,
    name: 'service_delete_webhook',
    input: z.strictObject(byWebhook),
    answer: webhook.answer,
    errors: ['insufficient_role', 'not_found', 'webhook_of_agent'],
  },
  async (scope, { webhookId }, ports: DeliveriesPorts) => {
    const { tenant, spend } = scope.context;
    const gone = await scope.write(async (tx) => {
      const held = await holdWebhook(tx, webhookId);
      if (held.signing === 'rfc9421')
        throw deliveriesFail('webhook_of_agent', 'Pause it, or shut the agent out with service_shut_out_agent.');
      await tx.query(sql`select deliveries.remove_queue(${webhookId}::uuid)`);
      const secrets = await tx.query<{ secret_id: string }>(sql`
        select secret_id from deliveries.secret where tenant_id = ${tenant}::uuid and endpoint_id = ${webhookId}::uuid`);
      await tx.query(sql`
        delete from deliveries.endpoint where tenant_id = ${tenant}::uuid and endpoint_id = ${webhookId}::uuid`);
      tx.record(
        event('deliveries.endpoint.deleted', {
          endpoint_id: webhookId,
          secret_ids: secrets.map(({ secret_id }) => secret_id),
        }),
      );
      tx.afterCommit(() => {
        ports.changed(tenant, webhookId);
        if (held.agentId === null) spend('webhooks', -1);
      });
      return held;
    });
    return gone;
  },
);
