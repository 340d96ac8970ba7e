import { operation } from '@steward/access';
import { fits } from '@steward/contract';
import { z } from 'zod';
import { runWebhook } from '../endpoints/resume.ts';
import { byWebhook, holdWebhook, webhook } from '../endpoints/webhook.ts';
import { deliveriesFail } from '../errors.ts';
import { decides } from '../operations.ts';
import type { DeliveriesPorts } from '../ports.ts';
import { issueSecret } from './issue.ts';
import { overlap } from './rotate.ts';

/**
 * Takes the secret that the platform of a shopping agent has made. Secrets pass through people alone, so no tool does this.
 * @throws Problem `not_found` (404), `webhook_secret_made` (409) where the webhook makes its own, `master_key_missing` (503)
 */
export const giveSecret = operation(
  {
    ...decides,
    name: '',
    input: z.strictObject({
      ...byWebhook,
      secret: z
        .string()
        .min(16)
        .max(400)
        .check(fits(/^[\x21-\x7e]+$/, 'Give it as the platform shows it, without blanks'))
        .meta({ description: 'The key of HMAC-SHA256 is its characters.' }),
      overlapHours: overlap.optional(),
    }),
    answer: webhook.answer,
    errors: ['insufficient_role', 'not_found', 'webhook_secret_made', 'master_key_missing'],
  },
  async (scope, { webhookId, secret, overlapHours = 24 }, ports: DeliveriesPorts) => {
    ports.decider.requireFor(scope.context);
    return scope.write(async (tx) => {
      const held = await holdWebhook(tx, webhookId);
      const { signing, reason } = held;
      if (signing !== 'merchant')
        throw deliveriesFail(
          'webhook_secret_made',
          'Only platforms of shopping agents that buy by ACP bring their own.',
        );
      await issueSecret(tx, ports, { webhookId, signing, overlapHours, given: Buffer.from(secret) });
      tx.afterCommit(() => ports.changed(tx.context.tenant, webhookId));
      return reason === 'secret_missing' ? runWebhook(tx, ports, webhookId) : held;
    });
  },
);
