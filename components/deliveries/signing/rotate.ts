import { operation } from '@steward/access';
import { z } from 'zod';
import { byWebhook, holdWebhook } from '../endpoints/webhook.ts';
import { runWebhook } from '../endpoints/resume.ts';
import { deliveriesFail } from '../errors.ts';
import { decides } from '../operations.ts';
import type { DeliveriesPorts } from '../ports.ts';
import { itself } from '../sending/context.ts';
import { secretSignings } from '../words.ts';
import { issueSecret } from './issue.ts';
import { secretText } from './key.ts';
import { openSecret } from './read.ts';

export const overlap = z.int().min(0).max(720).meta({
  default: 24,
  description:
    'Hours in which the secret before it signs as well; of `merchant`, until which it alone signs. 0 ends it at once.',
});

export const issuedSecret = z.object({
  webhookId: z.uuid(),
  secretId: z.uuid(),
  signing: z.enum(secretSignings),
  /** Here and never again. */
  secret: z.string().nullable().meta({
    description: 'The secret, shown only in this answer; null for ed25519, which shares none. Keep it.',
  }),
  publicKey: z
    .string()
    .nullable()
    .meta({ description: 'Of ed25519: the key `whpk_…` that receivers check signatures with.' }),
  earlierEndAt: z.string().nullable().meta({
    format: 'date-time',
    description: 'Until then requests carry a signature by the secret before it as well; null where there was none.',
  }),
});

/**
 * Makes a new secret, which is for people alone: who has it can sign as the organization. Requests are signed by it and by the one before, until that ends. The first secret of a webhook has it begin to send.
 * @throws Problem `not_found` (404), `webhook_of_agent` (409), `master_key_missing` (503)
 */
export const rotateSecret = operation(
  {
    ...decides,
    name: 'service_rotate_webhook_secret',
    input: z.strictObject({
      ...byWebhook,
      overlapHours: overlap.optional(),
    }),
    answer: issuedSecret,
    errors: ['insufficient_role', 'not_found', 'webhook_of_agent', 'master_key_missing'],
  },
  async (scope, { webhookId, overlapHours = 24 }, ports: DeliveriesPorts) => {
    const { tenant } = scope.context;
    const made = await scope.write(async (tx) => {
      const held = await holdWebhook(tx, webhookId);
      const { signing, reason } = held;
      if (signing === 'rfc9421')
        throw deliveriesFail('webhook_of_agent', 'It signs by the key of the brand: call service_rotate_signing_key.');
      const issued = await issueSecret(tx, ports, { webhookId, signing, overlapHours });
      if (reason === 'secret_missing') await runWebhook(tx, ports, webhookId);
      tx.afterCommit(() => ports.changed(tenant, webhookId));
      return { webhookId, signing, ...issued };
    });
    // Never in what a transaction answers, because commands keep such answers: it is read of what is committed, under the platform's own name.
    const bytes =
      made.signing !== 'ed25519' ? await openSecret(itself(ports, tenant), ports, webhookId, made.secretId) : undefined;
    return { ...made, secret: bytes === undefined ? null : secretText(made.signing, bytes) };
  },
);
