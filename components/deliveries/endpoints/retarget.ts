import { asItWas, operation } from '@steward/access';
import { makerIn } from '@steward/identity';
import { z } from 'zod';
import { event } from '../events.ts';
import { decides } from '../operations.ts';
import type { DeliveriesPorts } from '../ports.ts';
import { targetOf, typesOf } from './target.ts';
import { aimed, aimedBy, byWebhook, given, holdWebhook, requireOwn, setWebhook, termsOf, webhook } from './webhook.ts';

/**
 * Changes where a webhook sends, or which events it gets. What waits already goes to the new address too, and whoever gave that made it from then on.
 * @throws Problem `not_found` (404), `webhook_of_agent` (409), `invalid_request` (400) with pointers
 */
export const retargetWebhook = operation(
  {
    ...decides,
    name: 'service_retarget_webhook',
    input: z.strictObject({ ...byWebhook, url: given.url.optional(), types: given.types.optional() }),
    answer: webhook.answer,
    errors: ['insufficient_role', 'not_found', 'webhook_of_agent'],
  },
  async (scope, { webhookId, url, types }, ports: DeliveriesPorts) => {
    const target = url === undefined ? undefined : targetOf(ports, url);
    const wanted = types === undefined ? undefined : typesOf(ports, types);
    return scope.write(async (tx) => {
      const maker = await makerIn(tx);
      const before = await holdWebhook(tx, webhookId);
      requireOwn(
        before,
        'An agent is told of its orders alone, where its profile says, or where service_set_agent_webhook says.',
      );
      const next = { url: target ?? before.url, types: wanted === undefined ? before.types : wanted };
      const fields = (['url', 'types'] as const).filter(
        (field) => JSON.stringify(next[field]) !== JSON.stringify(before[field]),
      );
      if (fields.length === 0) return asItWas(before);
      const after = await setWebhook(tx, webhookId, `${aimed}, types = $7::text[]`, [
        ...aimedBy(next.url, maker),
        next.types,
      ]);
      tx.record(event('deliveries.endpoint.retargeted', { ...termsOf(after), fields }));
      tx.afterCommit(() => ports.changed(tx.context.tenant, webhookId));
      return after;
    });
  },
);
