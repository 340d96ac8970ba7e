import { operation } from '@steward/access';
import { z } from 'zod';
import { deliveriesFail } from '../errors.ts';
import { announcement, event } from '../events.ts';
import { changes } from '../operations.ts';
import { because, tested } from '../words.ts';
import { byWebhook, holdWebhook, requireOwn } from './webhook.ts';

/**
 * Sends an event of its own through everything that events go through; what became of it is in the list of deliveries.
 * @throws Problem `not_found` (404), `webhook_of_agent` (409), `webhook_disabled` (409) where it is not active
 */
export const testWebhook = operation(
  {
    ...changes,
    name: 'service_test_webhook',
    input: z.strictObject(byWebhook),
    answer: z.object({ webhookId: z.uuid(), type: z.string() }),
    errors: ['insufficient_role', 'not_found', 'webhook_of_agent', 'webhook_disabled'],
  },
  async (scope, { webhookId }) =>
    scope.write(async (tx) => {
      const held = await holdWebhook(tx, webhookId);
      requireOwn(held, 'An agent is told of its orders alone: place a test order through its door.');
      const { status, reason } = held;
      if (status !== 'active' || reason !== null)
        throw deliveriesFail('webhook_disabled', `Nothing is sent, because ${because[reason ?? 'member']}.`);
      const causationId = tx.record(event(tested, { endpoint_id: webhookId }));
      tx.publish(announcement(tested, { webhookId }, { subject: webhookId, causationId }));
      return { webhookId, type: tested };
    }),
);
