import { asItWas, operation } from '@steward/access';
import { z } from 'zod';
import { event } from '../events.ts';
import { changes } from '../operations.ts';
import type { DeliveriesPorts } from '../ports.ts';
import { byWebhook, given, holdWebhook, requireOwn, setWebhook, termsOf, webhook } from './webhook.ts';

const recorded = { description: 'description', ordering: 'ordering', perSecond: 'per_second' } as const;
const members = Object.keys(recorded) as (keyof typeof recorded)[];

/**
 * Changes how a webhook is sent to, not where and what. Another order holds for what is announced from then on.
 * @throws Problem `not_found` (404), `webhook_of_agent` (409)
 */
export const updateWebhook = operation(
  {
    ...changes,
    name: 'service_update_webhook',
    input: z.strictObject({
      ...byWebhook,
      description: given.description.optional(),
      ordering: given.ordering.optional(),
      perSecond: given.perSecond.optional(),
    }),
    answer: webhook.answer,
    errors: ['insufficient_role', 'not_found', 'webhook_of_agent'],
  },
  async (scope, { webhookId, ...change }, ports: DeliveriesPorts) =>
    scope.write(async (tx) => {
      const before = await holdWebhook(tx, webhookId);
      if (change.ordering !== undefined)
        requireOwn(before, 'An agent is told of an order in the order of its events: leave out `ordering`.');
      const changed = members.filter((member) => change[member] !== undefined && change[member] !== before[member]);
      if (changed.length === 0) return asItWas(before);
      const next = { ...before, ...Object.fromEntries(changed.map((member) => [member, change[member]])) };
      const after = await setWebhook(tx, webhookId, 'description = $3, ordering = $4, per_second = $5::int', [
        next.description,
        next.ordering,
        next.perSecond,
      ]);
      tx.record(
        event('deliveries.endpoint.updated', { ...termsOf(after), fields: changed.map((member) => recorded[member]) }),
      );
      tx.afterCommit(() => ports.changed(tx.context.tenant, webhookId));
      return after;
    }),
);
