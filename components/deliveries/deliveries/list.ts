import { operation } from '@steward/access';
import { type Of, pageCursor, pageOf } from '@steward/contract';
import { aboveAllNumbers, statement } from '@steward/sql';
import { z } from 'zod';
import { byWebhook, noWebhook, selectWebhooks } from '../endpoints/webhook.ts';
import { paging, reads } from '../operations.ts';
import type { DeliveriesPorts } from '../ports.ts';
import { asSeen } from '../seen.ts';
import { states } from '../words.ts';
import { delivery, sequence } from './delivery.ts';

/** Of rows for one page: where the caller may see few of them, the page ends before it is full. */
const mostReads = 20;

/**
 * A page of what was sent to a webhook, or waits, the newest events first. What was settled thirty days ago is forgotten, and
 * what tells of an event that the caller may not see is left out.
 * @throws Problem `not_found` (404)
 */
export const listDeliveries = operation(
  {
    ...reads,
    name: 'service_list_webhook_deliveries',
    input: z.strictObject({
      ...byWebhook,
      state: z.enum(states).optional().meta({ description: 'Only those.' }),
      limit: paging.limit,
      cursor: pageCursor(sequence),
    }),
    answer: pageOf(delivery.answer),
    errors: ['insufficient_role', 'not_found'],
  },
  async (
    { context, readAll },
    { webhookId, state = null, limit, cursor = aboveAllNumbers },
    ports: DeliveriesPorts,
  ) => {
    const { tenant } = context;
    return asSeen(context, ports, async (sees) => {
      const seen: Of<typeof delivery>[] = [];
      let before = cursor;
      for (let reads = 1; ; reads += 1) {
        const [[found] = [], rows = []] = await readAll([
          selectWebhooks('e.endpoint_id = $2::uuid', tenant, webhookId),
          statement(
            `select ${delivery.columns}, d.body from deliveries.delivery d where d.tenant_id = $1::uuid and d.endpoint_id = $2::uuid
               and d.position < $3::bigint and ($4::text is null or d.state = $4) order by d.position desc limit $5::int`,
            [tenant, webhookId, before, state, limit + 1],
          ),
        ]);
        if (found === undefined) throw noWebhook();
        for (const row of rows) {
          const one = delivery.read(row);
          before = one.sequence;
          if (sees({ type: one.type, body: String(row['body']) })) seen.push(one);
        }
        const items = seen.slice(0, limit);
        if (seen.length > limit) return { items, nextCursor: items.at(-1)?.sequence ?? null };
        if (rows.length <= limit) return { items, nextCursor: null };
        if (reads === mostReads) return { items, nextCursor: before };
      }
    });
  },
);
