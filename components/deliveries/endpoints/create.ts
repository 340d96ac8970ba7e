import { operation } from '@steward/access';
import { outboxEnd } from '@steward/bus';
import { makerIn } from '@steward/identity';
import { newId } from '@steward/kernel';
import { sql, statement } from '@steward/sql';
import { z } from 'zod';
import { event } from '../events.ts';
import { decides } from '../operations.ts';
import type { DeliveriesPorts } from '../ports.ts';
import { issueSecret } from '../signing/issue.ts';
import { ownSignings } from '../words.ts';
import { targetOf, typesOf } from './target.ts';
import { given, selectWebhooks, termsOf, webhook } from './webhook.ts';

/**
 * Makes a webhook that gets what is announced from now on. One that signs by HMAC waits until somebody has taken its secret.
 * @throws Problem `invalid_request` (400) with pointers, `quota_exceeded` (403)
 */
export const createWebhook = operation(
  {
    ...decides,
    name: 'service_create_webhook',
    input: z.strictObject({
      url: given.url,
      types: given.types,
      description: given.description.optional(),
      ordering: given.ordering.optional().meta({
        default: 'subject',
        description:
          '`subject`: events about one thing, such as an order, arrive one after the other. `parallel`: no order.',
      }),
      perSecond: given.perSecond.optional(),
      signing: z.enum(ownSignings).optional().meta({
        default: 'hmac',
        description:
          '`hmac`: by a shared secret, as most libraries check it. `ed25519`: by a key of ours, whose public half everybody may know.',
      }),
    }),
    answer: webhook.answer,
    errors: ['insufficient_role', 'quota_exceeded'],
  },
  async (
    scope,
    { url, types, description = null, ordering = 'subject', perSecond = null, signing = 'hmac' },
    ports: DeliveriesPorts,
  ) => {
    const target = targetOf(ports, url);
    const wanted = typesOf(ports, types);
    const { tenant, spend } = scope.context;
    // Taken before it is made: of many at once, each would find the same room.
    spend('webhooks', 1);
    const room = { held: true, used: false };
    const make = scope.write(async (tx) => {
      const { by, byType, through } = await makerIn(tx);
      const webhookId = newId();
      const begins = await outboxEnd({ read: tx.query });
      await tx.query(
        statement(
          `insert into deliveries.endpoint (tenant_id, endpoint_id, url, types, description, ordering, signing, per_second, status, reason, begins_after,
             created_by, created_by_type, created_through)
           values ($1::uuid, $2::uuid, $3, $4::text[], $5, $6, $7, $8::int, $9, $10, $11::bigint, $12, $13, $14)`,
          [
            tenant,
            webhookId,
            target,
            wanted,
            description,
            ordering,
            signing,
            perSecond,
            signing === 'hmac' ? 'paused' : 'active',
            signing === 'hmac' ? 'secret_missing' : null,
            begins,
            by,
            byType,
            through,
          ],
        ),
      );
      tx.later(sql`select deliveries.open_queue(${webhookId}::uuid)`);
      if (signing === 'ed25519') {
        await issueSecret(tx, ports, { webhookId, signing, overlapHours: 0 });
        tx.later(sql`select deliveries.set_running(${webhookId}::uuid, true)`);
      }
      const [row] = await tx.query(selectWebhooks('e.endpoint_id = $2::uuid', tenant, webhookId));
      const made = webhook.read(row ?? {});
      tx.record(event('deliveries.endpoint.created', termsOf(made)));
      tx.afterCommit(() => {
        if (room.held) room.used = true;
        else takeLate(() => spend('webhooks', 1));
      });
      return made;
    });
    return make.finally(() => {
      room.held = false;
      if (!room.used) spend('webhooks', -1);
    });
  },
);

/** What somebody approved commits after this verb, and what is rehearsed never does. */
function takeLate(take: () => void): void {
  try {
    take();
  } catch {
    // Others took what room there was: it is counted within a minute.
  }
}
