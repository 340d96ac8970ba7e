import { asItWas, operation } from '@steward/access';
import { z } from 'zod';
import { changes } from '../operations.ts';
import type { DeliveriesPorts } from '../ports.ts';
import { stopWebhook } from './stop.ts';
import { byWebhook, holdWebhook, webhook } from './webhook.ts';

/**
 * Nothing is sent until somebody resumes it; what is announced meanwhile waits, for thirty days.
 * @throws Problem `not_found` (404)
 */
export const pauseWebhook = operation(
  {
    ...changes,
    name: 'service_pause_webhook',
    input: z.strictObject(byWebhook),
    answer: webhook.answer,
    errors: ['insufficient_role', 'not_found'],
  },
  async (scope, { webhookId }, ports: DeliveriesPorts) =>
    scope.write(async (tx) => {
      const before = await holdWebhook(tx, webhookId);
      if (before.status !== 'active') return asItWas(before);
      const after = await stopWebhook(tx, webhookId, 'paused', 'member');
      tx.afterCommit(() => ports.changed(tx.context.tenant, webhookId));
      return after;
    }),
);
